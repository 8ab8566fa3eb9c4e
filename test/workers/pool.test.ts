import { expect } from 'chai'
import { withDatabase } from '../../server/database/connect.js'
import { createAdmission } from '../../workers/admission.js'
import type { Pool } from '../../workers/pool.js'
import { createPool } from '../../workers/pool.js'
import { eventually } from '../server/database/support.js'
import { testDatabaseUri } from '../support/database.js'
import { errorBody } from '../support/error-body.js'
import { collectLines, isError } from '../support/log-lines.js'
import type { Answer } from '../support/request.js'
import type { TestApp } from '../support/test-app.js'
import { startApp } from '../support/start-app.js'
import type { RunningHttp } from '../support/start-http.js'
import { pooledPath, startHttpOnPool } from './http-on-pool.js'
import { insertSlowArticles, slowPath, untilRunning } from './slow-articles.js'

const slow = `${slowPath}&pagination[withCount]=false`
const settings = { 'pool.costThreshold': 50, 'pool.threads': 1, 'api.rest.maxCost': 0 }

describe('worker pool', () => {
  let apps: TestApp[] = []
  afterEach(async () => {
    for (const app of apps) await app.stop()
    apps = []
  })

  const start = async (more: Readonly<Record<string, number>>): Promise<TestApp> => {
    const app = await startApp({ settings: { ...settings, ...more } })
    apps.push(app)
    await insertSlowArticles(app.quire.services.db)
    return app
  }

  it('returns 503 with Retry-After when more heavy queries wait than pool.queueLimit', async () => {
    const app = await start({ 'pool.queueLimit': 1, 'api.rest.queryTimeoutMs': 60_000 })
    const hangUp = new AbortController()
    const { token } = app
    const requests = [1, 2, 3].map(() => app.request('GET', slow, { token, signal: hangUp.signal }))
    const { status, headers, body } = await Promise.race(requests)
    expect(body).to.deep.equal(
      errorBody(
        503,
        'ServiceUnavailableError',
        'Too many heavy queries are waiting (pool.queueLimit)',
        {},
      ),
    )
    expect(status).to.equal(503)
    expect(headers.get('retry-after'), 'seconds').to.match(/^[1-9]\d?$/)
    const light = await app.request('GET', '/api/articles/d1', { token })
    expect(light.status, 'a light query').to.equal(200)
    hangUp.abort()
    const aborted = (await Promise.allSettled(requests)).filter((it) => it.status === 'rejected')
    expect(aborted).to.have.length(2)
    await untilRunning(app.quire.services.db, 'articles', 0)
    expect((await app.request('GET', pooledPath, { token })).status, 'the next').to.equal(200)
  })

  it('answers all of the first heavy queries even if they arrive before any was measured', async () => {
    const app = await startApp()
    apps.push(app)
    const { token } = app
    await insertSlowArticles(app.quire.services.db)
    const pathOf = (n: number): string => `/api/articles?filters[summary][$containsi]=rain${n}`
    await eventually(async () => {
      const { body } = await app.request('GET', `${pathOf(0)}&explain=true`, { token })
      return (body as { data: { cost: number } }).data.cost > 1000
    })
    const ask = (_: unknown, n: number): Promise<Answer> => app.request('GET', pathOf(n), { token })
    const answers = await Promise.all(Array.from({ length: 16 }, ask))
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(16).fill(200))
    const { queues } = app.quire.admission.figures()
    expect(queues.find(({ name }) => name === 'pool')).to.include({ admitted: 16, refused: 0 })
  })

  it('counts the wait in the queue as part of api.rest.queryTimeoutMs', async () => {
    const app = await start({ 'api.rest.queryTimeoutMs': 3000 })
    const ask = () => app.request('GET', slow, { token: app.token })
    const answers = await Promise.all([ask(), ask(), ask()])
    const took = 'The query took longer than 3000 ms (api.rest.queryTimeoutMs)'
    const messages = answers.map(({ status, headers, body }) => {
      expect(status).to.equal(503)
      expect(headers.get('retry-after')).to.match(/^[1-9]\d?$/)
      return (body as { error: { message: string } }).error.message
    })
    expect(messages).to.include(took)
    // On a slow machine, some requests are refused at once, because they would wait too long.
    for (const message of messages) expect(message).to.match(/\(api\.rest\.queryTimeoutMs\)$/)
    const { figures } = app.quire.admission
    // The response to a waiting request and its removal from the queue have separate timers.
    await eventually(() => Promise.resolve(figures().waiting === 0))
    const refusedAfter = figures().queues.map((queue) => queue.longestRefusedMs)
    expect(Math.max(...refusedAfter)).to.be.at.most(100)
    await untilRunning(app.quire.services.db, 'articles', 0)
    const next = await app.request('GET', pooledPath, { token: app.token })
    expect(next.status, 'the next').to.equal(200)
  })

  it('runs queries that scan a collection once it is known to be large', async () => {
    const app = await start({ 'pool.costThreshold': 400 })
    const modeOf = async (filter: string): Promise<string> => {
      const path = `/api/articles?explain=true&${filter}`
      const { body } = await app.request('GET', path, { token: app.token })
      return (body as { data: { lane: string } }).data.lane
    }
    const scan = 'filters[summary][$containsi]=rain'
    await eventually(async () => (await modeOf(scan)) === 'pool')
    expect(await modeOf('filters[slug]=rain')).to.equal('inline')
    expect(await modeOf('sort=views')).to.equal('pool')
    expect(await modeOf('pagination[withCount]=false')).to.equal('inline')
  })

  describe('when a thread dies', () => {
    let pool: Pool
    let http: RunningHttp
    const { log, lines } = collectLines()
    before(async () => {
      const databaseUri = await testDatabaseUri()
      const app = await startApp({ databaseUri })
      apps.push(app)
      const { services } = app.quire
      await insertSlowArticles(services.db)
      pool = createPool({
        uri: withDatabase(databaseUri),
        threads: 2,
        queueLimit: 10,
        admission: createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 }),
        worker: new URL('./dying-worker.js', import.meta.url),
      })
      http = await startHttpOnPool(services, pool, log)
    })
    after(async () => {
      await http.stop()
      await pool.destroy()
    })

    it('returns 500 without details for its query, and answers all others', async () => {
      const deadly = '/api/authors?filters[articles][title]=good-bye'
      const paths = [
        pooledPath,
        deadly,
        pooledPath,
        '/api/articles/d1',
        pooledPath,
        deadly,
        pooledPath,
      ]
      const answers = await Promise.all(paths.map((path) => http.send('GET', path)))
      const statuses = answers.map(({ status }) => status)
      expect(statuses).to.deep.equal([200, 500, 200, 200, 200, 500, 200])
      expect((answers[1] as Answer).body).to.deep.equal(
        errorBody(500, 'InternalServerError', 'Internal Server Error'),
      )
      for (let times = 0; times < 3; times += 1) {
        expect(await http.send('GET', pooledPath)).to.include({ status: 200 })
      }
    })

    it('logs the reason', () => {
      const errors = lines.filter(isError)
      expect(errors).to.have.length(2)
      expect(errors[0]).to.include('worker exited with code: 1')
    })
  })
})
