import { expect } from 'chai'
import { gathered, countedMetrics } from '../../../server/metrics/metrics-table.js'
import { freePort } from '../../../scripts/free-port.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import type { Magazine } from '../content/magazine.js'
import { startMagazine } from '../content/magazine.js'
import { parseMetrics, type Family } from './parse-metrics.js'

const token = 'the token of the scraper'.replaceAll(' ', '-')
const on = { 'metrics.enabled': true, 'metrics.token': token, 'pool.costThreshold': 1_000_000_000 }

const scrape = async (app: TestApp): Promise<ReadonlyMap<string, Family>> => {
  const { status, text, headers } = await app.request('GET', '/metrics', { token })
  expect(status).to.equal(200)
  expect(headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8')
  expect(headers.get('cache-control')).to.equal('no-store')
  return parseMetrics(text)
}

/** Returns the values of a metric by its labels; of a histogram, only the counts. */
const series = (families: ReadonlyMap<string, Family>, name: string): Record<string, number> =>
  Object.fromEntries(
    (families.get(name)?.series ?? [])
      .filter((each) => !/_(bucket|sum)$/.test(each.name))
      .map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  )

const added = (
  before: ReadonlyMap<string, Family>,
  after: ReadonlyMap<string, Family>,
  name: string,
): Record<string, number> => {
  const previous = series(before, name)
  const now = Object.entries(series(after, name))
  return Object.fromEntries(
    now.flatMap(([key, value]) => {
      const more = value - (previous[key] ?? 0)
      return more === 0 ? [] : [[key, more]]
    }),
  )
}

describe('`GET /metrics`', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine({ settings: on })
  })
  after(() => magazine.app.stop())

  it('counts requests by route pattern, content-type and status', async () => {
    const { app, ids } = magazine
    const before = await scrape(app)
    const path = `/api/articles/${ids['rain']}`
    const send = (method: string, path: string, data?: object) =>
      app.request(method, path, { token: app.token, ...(data && { body: { data } }) })
    for (const path of ['/api/articles', '/api/articles?sort=title', '/api/authors'])
      await send('GET', path)
    await send('GET', `${path}?secret=in-the-query`)
    await send('GET', path)
    await send('GET', '/api/articles/nobody')
    await send('HEAD', path)
    await send('PUT', path, { title: 'Rain again' })
    await send('POST', `${path}/actions/publish`)
    await send('GET', '/api/users/7')
    await send('GET', '/wp-login.php')
    await send('PURGE', '/api/articles')
    await app.request('GET', '/api/articles')
    const after = await scrape(app)
    const article = 'api::article.article'
    expect(added(before, after, 'quire_http_requests_total')).to.deep.equal({
      [`GET /api/:type ${article} 200`]: 2,
      [`GET /api/:type ${article} 403`]: 1,
      'GET /api/:type api::author.author 200': 1,
      [`GET /api/:type/:documentId ${article} 200`]: 1,
      [`GET /api/:type/:documentId ${article} 400`]: 1,
      [`GET /api/:type/:documentId ${article} 404`]: 1,
      [`HEAD /api/:type/:documentId ${article} 200`]: 1,
      [`PUT /api/:type/:documentId ${article} 200`]: 1,
      [`POST /api/:type/:documentId/actions/publish ${article} 200`]: 1,
      'GET /api/users/:id  404': 1,
      'GET unmatched  404': 1,
      'other unmatched  405': 1,
      'GET /metrics  200': 1,
    })
    expect(added(before, after, 'quire_http_request_duration_seconds')).to.deep.equal({
      ...{ 'GET /api/:type': 4, 'GET /api/:type/:documentId': 3, 'HEAD /api/:type/:documentId': 1 },
      'PUT /api/:type/:documentId': 1,
      'POST /api/:type/:documentId/actions/publish': 1,
      ...{ 'GET /api/users/:id': 1, 'GET unmatched': 1, 'other unmatched': 1, 'GET /metrics': 1 },
    })
  })

  it('measures the count and duration of stages and database commands', async () => {
    const { app } = magazine
    const before = await scrape(app)
    const answer = await app.request('GET', '/api/articles?populate=author&sort=views', {
      token: app.token,
    })
    expect(answer.status).to.equal(200)
    const after = await scrape(app)
    expect(added(before, after, 'quire_request_stage_duration_seconds')).to.deep.equal({
      ...{ parse: 1, resolve: 1, plan: 2, execute: 1, shape: 1 },
      ...{ authorize: 2, send: 2 },
    })
    const commands = added(before, after, 'quire_mongodb_command_duration_seconds')
    expect(commands['find']).to.be.at.least(2)
    const all = after.get('quire_mongodb_command_duration_seconds')?.series ?? []
    const sum = all.find(({ name, labels }) => name.endsWith('_sum') && labels['kind'] === 'find')
    expect(sum?.value).to.be.greaterThan(0)
  })

  it('measures database commands that a worker thread sent', async () => {
    const { app } = await startMagazine({ settings: { ...on, 'pool.costThreshold': 0 } })
    const before = await scrape(app)
    await app.request('GET', '/api/articles?populate=author', { token: app.token })
    const after = await scrape(app)
    const of = (name: string) => added(before, after, name)
    expect(of('quire_request_stage_duration_seconds')).to.include({ thread: 1, execute: 1 })
    expect(of('quire_mongodb_command_duration_seconds')['find']).to.be.at.least(2)
    expect(of('quire_lane_admitted_total')).to.include({ pool: 1 })
    expect(series(after, 'quire_pool_threads')).to.deep.equal({ '': 1 })
    await app.stop()
  })

  it('serves exactly the metrics in docs/metrics.md, and those of the Node.js process', async () => {
    const families = await scrape(magazine.app)
    const ours = [...families.values()].filter(({ name }) => name.startsWith('quire_'))
    const table = { ...gathered, ...countedMetrics }
    expect(ours.map(({ name, help, type }) => [name, help, type])).to.have.deep.members(
      Object.entries(table).map(([name, { meaning, type }]) => [name, meaning, type]),
    )
    for (const { name, series } of ours) {
      const { labels } = table[name as keyof typeof table]
      for (const { labels: used } of series)
        expect(Object.keys(used).filter((label) => label !== 'le')).to.deep.equal(labels)
    }
    const others = [...families.keys()].filter((name) => !name.startsWith('quire_'))
    for (const name of others) expect(name).to.match(/^(process|nodejs)_/)
    expect(others).to.include.members(['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds'])
    // There are no quantiles of the delay, because they would measure the timer itself, which wakes the process a
    // hundred times a second.
    expect(others).not.to.include('nodejs_eventloop_lag_p99_seconds')
  })

  it('follows the naming conventions of Prometheus', () => {
    for (const [name, { type }] of Object.entries({ ...gathered, ...countedMetrics })) {
      expect(name).to.match(/^quire_[a-z]+(_[a-z0-9]+)*$/)
      expect(name.endsWith('_total'), name).to.equal(type === 'counter')
      if (type === 'histogram') expect(name).to.match(/_seconds$/)
      expect(name).to.not.match(/_(ms|milliseconds|kb|mb|count|sum|bucket)(_|$)/)
    }
  })

  it('requires the token', async () => {
    const { app } = magazine
    for (const other of [undefined, 'another', `${token}x`, token.slice(1), app.token]) {
      const answer = await app.request(
        'GET',
        '/metrics',
        other === undefined ? {} : { token: other },
      )
      expect(answer.status, other).to.equal(401)
      expect(answer.text).to.not.contain('quire_')
    }
  })
})

describe('`GET /metrics` on a separate port', () => {
  it('is served there without a token, but not next to the API', async () => {
    const port = await freePort()
    const app = await startApp({ settings: { ...on, 'metrics.port': port } })
    expect((await app.request('GET', '/metrics', { token })).status).to.equal(404)
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(answer.status).to.equal(200)
    expect(series(parseMetrics(await answer.text()), 'quire_http_requests_total')).to.include({
      'GET unmatched  404': 1,
    })
    expect((await fetch(`http://127.0.0.1:${port}/api/articles`)).status).to.equal(404)
    const wrong = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })
    expect([wrong.status, wrong.headers.get('allow')]).to.deep.equal([405, 'HEAD, GET'])
    await app.stop()
    const closed = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => 'gone')
    expect(closed).to.equal('gone')
  })

  it('stops the start with the name of the setting if the port is in use', async () => {
    const app = await startApp({ settings: { ...on, 'metrics.port': await freePort() } })
    const { settings } = app.quire.services
    const failure = await startApp({
      settings: { ...on, 'metrics.port': settings['metrics.port'] },
    }).then(
      () => 'started',
      (error: Error) => error.message,
    )
    expect(failure).to.equal(
      `Cannot listen on 127.0.0.1, port ${settings['metrics.port']}: the port is in use. ` +
        'Stop the process that uses it, or set METRICS_PORT to another.',
    )
    await app.stop()
  })
})

describe('service without `metrics.enabled`', () => {
  it('has no `/metrics`', async () => {
    const app = await startApp()
    expect((await app.request('GET', '/metrics')).status).to.equal(404)
    await app.stop()
  })
})
