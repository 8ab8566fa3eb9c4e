import { expect } from 'chai'
import type { Settings } from '../../../server/settings/settings.js'
import { testDatabaseUri } from '../../support/database.js'
import type { Answer } from '../../support/request.js'
import { startApp } from '../../support/start-app.js'
import { startMagazine, type Magazine } from './magazine.js'

/** If the database is external, responses are only cached if no other process uses it. */
export const keepingAnswers: Partial<Settings> = { 'database.exclusive': true }

describe('response cache', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine({
      settings: keepingAnswers,
      environment: { METRICS_ENABLED: 'true', HTTP_SERVER_TIMING: 'true' },
    })
  })
  after(() => magazine?.app.stop())

  const get = async (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const { app } = magazine
    const answer = await app.request('GET', path, { token: app.token, headers })
    expect(answer.status, answer.text).to.be.lessThan(400)
    return answer
  }
  const put = async (path: string, data: object): Promise<void> => {
    const { app } = magazine
    const answer = await app.request('PUT', path, { token: app.token, body: { data } })
    expect(answer.status, answer.text).to.equal(200)
  }
  const figures = async () => {
    const { text } = await magazine.app.request('GET', '/metrics')
    const numberOf = (name: string): number =>
      Number(new RegExp(`^quire_answer_memory_${name} (\\S+)$`, 'm').exec(text)?.[1])
    const [hits, misses] = [numberOf('hits_total'), numberOf('misses_total')]
    return { hits, misses, entries: numberOf('entries'), bytes: numberOf('bytes') }
  }
  const hitsOf = async (run: () => Promise<unknown>): Promise<number> => {
    const before = await figures()
    await run()
    return (await figures()).hits - before.hits
  }
  const paths = [
    '/api/articles?populate=*',
    '/api/articles?populate[author][populate]=articles&sort=author.name&locale=*',
    '/api/articles?filters[tags][name]=cold&pagination[pageSize]=1',
    '/api/users?populate=role',
  ]

  it('serves a repeated request from the cache, byte for byte and with the same ETag', async () => {
    for (const path of paths) {
      const first = await get(path)
      const hits = await hitsOf(async () => {
        const second = await get(path)
        expect([second.text, second.headers.get('etag')]).to.deep.equal([
          first.text,
          first.headers.get('etag'),
        ])
      })
      expect(hits, path).to.equal(1)
    }
  })

  it('computes the response once for concurrent identical requests', async () => {
    const path =
      '/api/articles?populate=*&sort=title&filters[title][$ne]=nobody asked for this before'
    const before = await figures()
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(path)))
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1)
    const after = await figures()
    expect([after.misses - before.misses, after.hits - before.hits]).to.deep.equal([1, 19])
  })

  it('returns 304 from the cache without querying the database', async () => {
    const path = `/api/articles/${magazine.ids['rain']}?populate=tags`
    const { headers } = await get(path)
    const hits = await hitsOf(async () => {
      const again = await get(path, { 'If-None-Match': headers.get('etag') ?? '' })
      expect([again.status, again.text]).to.deep.equal([304, ''])
      expect(again.headers.get('server-timing')).not.to.include('db')
    })
    expect(hits).to.equal(1)
  })

  it('computes a response again after a write to any entry it shows', async () => {
    const { ids } = magazine
    const path = '/api/articles?populate[tags]=true&populate[author][populate]=articles&sort=title'
    const changes: readonly (() => Promise<void>)[] = [
      () => put(`/api/articles/${ids['rain']}`, { title: 'Rain again' }),
      () => put(`/api/tags/${ids['wet']}`, { name: 'very wet' }),
      () => put(`/api/authors/${ids['ana']}`, { name: 'Ana the second' }),
    ]
    for (const change of changes) {
      const before = await get(path)
      await change()
      const after = await get(path)
      expect(after.text).not.to.equal(before.text)
      expect((await get(path)).text).to.equal(after.text)
    }
  })

  it('keeps a response after writes to other types', async () => {
    const { ids } = magazine
    const path = '/api/tags?sort=name'
    await get(path)
    const hits = await hitsOf(async () => {
      await put(`/api/categories/${ids['nature']}`, { name: 'Nature again' })
      await get(path)
    })
    expect(hits).to.equal(1)
  })

  it('caches separately by entry, type, query, locale, status, format header and caller', async () => {
    const { app, ids } = magazine
    const permissions = ['api::article.article.find', 'api::article.article.findOne']
    const body = { name: 'narrow', type: 'custom', lifespan: null, permissions }
    const made = await app.request('POST', '/admin/api-tokens', { token: app.adminJwt, body })
    expect(made.status, made.text).to.equal(201)
    const narrow = (made.body as { data: { accessKey: string } }).data.accessKey
    await app.allow('public', ['api::article.article.findOne', 'api::author.author.find'])

    const rain = `/api/articles/${ids['rain']}`
    const shown = `${rain}?populate[author]=true&populate[tags]=true`
    const v4 = { 'Strapi-Response-Format': 'v4' }
    const pairs: Readonly<Record<string, readonly (() => Promise<Answer>)[]>> = {
      entry: [() => get(rain), () => get(`/api/articles/${ids['snow']}`)],
      type: [() => get('/api/tags?fields=name'), () => get('/api/authors?fields=name')],
      query: [() => get('/api/tags?sort=name'), () => get('/api/tags?sort=name:desc')],
      locale: [() => get(rain), () => get(`${rain}?locale=fr`)],
      status: [() => get('/api/articles'), () => get('/api/articles?status=draft')],
      format: [() => get(rain), () => get(rain, v4)],
      token: [() => get(shown), () => app.request('GET', shown, { token: narrow })],
      nobody: [() => app.request('GET', shown, { token: narrow }), () => app.request('GET', shown)],
    }
    for (const [what, requests] of Object.entries(pairs)) {
      const askBoth = () => Promise.all(requests.map((ask) => ask()))
      const [one, other] = (await askBoth()) as [Answer, Answer]
      expect([one.status, other.status], what).to.deep.equal([200, 200])
      expect(one.text, what).not.to.equal(other.text)
      const hits = await hitsOf(async () => {
        const again = await askBoth()
        expect(again.map(({ text }) => text)).to.deep.equal([one.text, other.text])
      })
      expect(hits, what).to.equal(2)
    }
  })

  it('follows permission changes', async () => {
    const { app, ids } = magazine
    await app.allow('public', ['api::article.article.findOne', 'api::author.author.find'])
    const shown = `/api/articles/${ids['rain']}?populate=author`
    const all = await get(shown)
    const before = await app.request('GET', shown)
    expect([before.status, before.text]).to.deep.equal([200, all.text])
    const roles = app.quire.services.db.collection('roles')
    await roles.updateOne({ type: 'public' }, {
      $pull: { permissions: 'api::author.author.find' },
    } as object)
    app.quire.access.rolesChanged()
    const after = await app.request('GET', shown)
    expect(after.text).not.to.include('Ana')
    expect((await get(shown)).text).to.equal(all.text)
  })

  it('repeats the Quire-Ignored header of a cached response', async () => {
    const app = await startApp({
      settings: { ...keepingAnswers, 'api.rest.unknownKeys': 'ignore' },
    })
    try {
      const ask = () => app.request('GET', '/api/tags?colour=red', { token: app.token })
      const [first, second] = [await ask(), await ask()]
      expect(first.headers.get('quire-ignored')).to.include('colour')
      expect(second.headers.get('quire-ignored')).to.equal(first.headers.get('quire-ignored'))
    } finally {
      await app.stop()
    }
  })

  it('stays within cache.answers, and is disabled if that is 0', async () => {
    const maxBytes = 20_000
    const databaseUri = await testDatabaseUri()
    const small = await startMagazine({
      databaseUri,
      settings: { ...keepingAnswers, 'cache.answers': maxBytes, 'metrics.enabled': true },
    })
    try {
      for (let size = 1; size <= 60; size += 1)
        await small.get(`/api/articles?populate=*&pagination[pageSize]=${size}`)
      const { text } = await small.app.request('GET', '/metrics')
      const [bytes = 0] =
        /^quire_answer_memory_bytes (\d+)$/m.exec(text)?.slice(1).map(Number) ?? []
      expect(bytes).to.be.within(1, maxBytes)
    } finally {
      await small.app.stop()
    }
    const none = await startApp({
      databaseUri,
      settings: { ...keepingAnswers, 'cache.answers': 0, 'metrics.enabled': true },
    })
    try {
      const { text } = await none.request('GET', '/metrics')
      expect(text).not.to.match(/^quire_answer_memory_bytes /m)
    } finally {
      await none.quire.services.db.dropDatabase()
      await none.stop()
    }
  })
})
