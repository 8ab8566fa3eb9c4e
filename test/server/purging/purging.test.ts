import { expect } from 'chai'
import { createClient } from '../../../engine/database/client.js'
import { withLease } from '../../../engine/database/with-lease.js'
import { writeDefault } from '../../../server/locales/default-locale.js'
import type { Settings } from '../../../server/settings/settings.js'
import { testDatabaseUri } from '../../support/database.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { eventually } from '../database/support.js'
import { purgeSecret, startPurgeServer, type PurgeServer } from '../../support/purge-server.js'
import { startMagazine, type Magazine } from '../content/magazine.js'
import { readableByAll } from './readable-by-all.js'

const purgingTo = ({ url }: Pick<PurgeServer, 'url'>): Partial<Settings> => ({
  'http.cache.shared': 3600,
  'http.cache.purgeUrl': url,
  'http.cache.purgeSecret': purgeSecret,
  // So long that the repetition of a purge comes only after the end of its test.
  'http.cache.purgeAgainMs': 600_000,
})

describe('purge of caches', () => {
  let caches: PurgeServer
  let magazine: Magazine
  before(async () => {
    caches = await startPurgeServer()
    magazine = await startMagazine({ settings: purgingTo(caches) })
    await magazine.app.allow('public', readableByAll)
  })
  after(async () => {
    await magazine?.app.stop()
    await caches.stop()
  })
  /** Waits until all earlier writes have been purged, and clears the received purges. */
  const startFresh = async (): Promise<void> => {
    for (let isPurged = false; !isPurged;) {
      const tag = await write('POST', '/api/tags', { name: 'new' })
      await eventually(() => caches.keys().has(tag) || caches.keys().has('quire'))
      isPurged = caches.keys().has(tag)
      caches.forget()
    }
  }
  const write = async (method: string, path: string, data?: object): Promise<string> => {
    const { app } = magazine
    const body = data === undefined ? undefined : { data }
    const answer = await app.request(method, path, { token: app.token, body })
    expect(answer.status, answer.text).to.be.within(200, 204)
    return (answer.body as { data?: { documentId: string } } | undefined)?.data?.documentId ?? ''
  }
  const keysOf = async (path: string): Promise<readonly string[]> => {
    const answer = await magazine.app.request('GET', path)
    expect(answer.status, answer.text).to.equal(200)
    return (answer.headers.get('surrogate-key') ?? '').split(' ')
  }

  it('is signed, and contains the document and the lists of its type', async () => {
    await startFresh()
    const { ids } = magazine
    await write('PUT', `/api/authors/${ids['ana']}`, { name: 'Ana B.' })
    await eventually(() => caches.taken.length > 0)
    expect(caches.taken).to.deep.equal([['api::author.author/list', ids['ana']]])
    expect(caches.wrong).to.deep.equal([])
  })

  it('is sent once for concurrent writes', async () => {
    await startFresh()
    const { ids } = magazine
    const written = ['wet', 'cold', 'wet', 'cold', 'wet'].map((tag, at) =>
      write('PUT', `/api/tags/${ids[tag]}`, { name: `${tag} ${at}` }),
    )
    await Promise.all(written)
    await eventually(() => [ids['wet'], ids['cold']].every((id) => caches.keys().has(id ?? '')))
    expect(caches.taken.length).to.be.lessThan(written.length)
  })

  it('contains nothing for changes of drafts only, or reads', async () => {
    await startFresh()
    const { ids, app } = magazine
    await write('PUT', `/api/articles/${ids['rain']}?status=draft`, { title: 'Rain?' })
    await write('POST', '/api/articles?status=draft', { title: 'Hail' })
    await app.request('GET', '/api/articles', { token: app.token })
    await write('PUT', `/api/tags/${ids['wet']}`, { name: 'wet again' })
    await eventually(() => caches.keys().has(ids['wet'] ?? ''))
    expect([...caches.keys()]).to.deep.equal(['api::tag.tag/list', ids['wet']])
  })

  it('contains documents that were published, unpublished, deleted or related by another entry', async () => {
    const { ids } = magazine
    for (const [what, change, changed] of [
      ['published', () => write('POST', `/api/articles/${ids['fog']}/actions/publish`), 'fog'],
      ['unpublished', () => write('POST', `/api/articles/${ids['fog']}/actions/unpublish`), 'fog'],
      [
        'related',
        () => write('PUT', `/api/authors/${ids['ben']}`, { articles: { connect: [ids['wind']] } }),
        'wind',
      ],
      ['deleted', () => write('DELETE', `/api/tags/${ids['cold']}`), 'cold'],
    ] as const) {
      await startFresh()
      await change()
      await eventually(() => caches.keys().has(ids[changed] ?? ''))
      expect([...caches.keys()], what).to.include(ids[changed])
    }
  })

  it('contains everything when roles or locales change', async () => {
    const { app } = magazine
    await startFresh()
    await app.allow('public', ['api::homepage.homepage.find'])
    await eventually(() => caches.keys().has('quire'))
    await startFresh()
    const body = { code: 'de', name: 'German', isDefault: false }
    await app.request('POST', '/i18n/locales', { token: app.adminJwt, body })
    await eventually(() => caches.keys().has('quire'))
    expect(await keysOf('/api/tags')).to.include('quire')
  })

  it('contains nothing for internal records, but everything when the default locale changes', async () => {
    const { app, ids } = magazine
    const { db } = app.quire.services
    await startFresh()
    const level = { token: app.adminJwt, body: { level: 'error' } }
    expect((await app.request('PUT', '/admin/log-level', level)).status).to.equal(200)
    const lost = () => undefined
    const lease = { db, collection: '_settings', _id: 'indexing', singleProcess: true, lost }
    await withLease(
      lease,
      (check) => check(),
      () => undefined,
    )
    await write('PUT', `/api/tags/${ids['wet']}`, { name: 'wet after a note' })
    await eventually(() => caches.keys().has(ids['wet'] ?? ''))
    expect([...caches.keys()]).to.deep.equal(['api::tag.tag/list', ids['wet']])
    caches.forget()
    await writeDefault(db, app.quire.services.locales().default)
    await eventually(() => caches.keys().has('quire'))
  })

  it('contains the whole type if a write does not name its documents', async () => {
    await startFresh()
    const { db } = magazine.app.quire.services
    await db.collection('tags').updateMany({ name: /./ }, { $set: { updatedAt: new Date() } })
    await eventually(() => caches.keys().has('api::tag.tag'))
    expect(await keysOf('/api/tags')).to.include('api::tag.tag')
    expect(await keysOf(`/api/tags/${magazine.ids['wet']}`)).to.include('api::tag.tag')
  })
})

describe('purge while caches are unavailable', () => {
  it('is repeated until it succeeds, and includes later writes', async () => {
    let isOff = true
    const caches = await startPurgeServer((response) => {
      if (isOff) response.writeHead(503, { 'Retry-After': '0' }).end()
      return isOff
    })
    const { app, ids } = await startMagazine({
      settings: { ...purgingTo(caches), 'metrics.enabled': true },
    })
    try {
      const figure = async (name: string): Promise<number> => {
        const { text } = await app.request('GET', '/metrics')
        return Number(new RegExp(`^quire_cache_${name} (\\S+)$`, 'm').exec(text)?.[1])
      }
      await eventually(async () => (await figure('purges_total{outcome="failed"}')) > 0)
      expect(await figure('purge_keys_waiting')).to.be.greaterThan(0)
      await app.request('PUT', `/api/tags/${ids['wet']}`, {
        token: app.token,
        body: { data: { name: 'drenched' } },
      })
      isOff = false
      // The content was written before the public role got its permissions. Such a change purges everything, so `quire`
      // may be the only key.
      await eventually(async () => (await figure('purge_keys_waiting')) === 0)
      const keys = caches.keys()
      expect(keys.has('quire') || keys.has(ids['wet'] ?? '')).to.equal(true)
    } finally {
      await app.stop()
      await caches.stop()
    }
  })

  it('is sent when the service stops', async () => {
    const caches = await startPurgeServer()
    const { app, ids } = await startMagazine({
      settings: purgingTo(caches),
    })
    const wet = ids['wet'] ?? ''
    const write = (name: string) =>
      app.request('PUT', `/api/tags/${wet}`, { token: app.token, body: { data: { name } } })
    // At first, everything is purged, because the service starts and roles and locales change. Repeats until only the
    // tag is purged.
    for (let isPurged = false; !isPurged; isPurged = caches.keys().has(wet)) {
      caches.forget()
      await write('wetter')
      await eventually(() => caches.keys().has(wet) || caches.keys().has('quire'))
    }
    caches.forget()
    await write('drenched')
    await app.stop()
    // The purge and its repetition are sent without a pause, because the service cannot send the repetition later.
    expect([...caches.keys()]).to.include(ids['wet'])
    await caches.stop()
  })
})

describe('purge that failed before the service stopped', () => {
  it('is sent for everything by the next start that reaches the caches', async () => {
    let isOff = false
    const caches = await startPurgeServer((response) => {
      if (isOff) response.writeHead(503).end()
      return isOff
    })
    const databaseUri = await testDatabaseUri()
    const client = createClient(databaseUri, { appName: 'test' })
    const owed = () =>
      client
        .db()
        .collection<{ _id: string; noted: string }>('_settings')
        .findOne({ _id: 'purge-owed' })
    const settings = purgingTo(caches)
    const options = { databaseUri, settings }
    try {
      const magazine = await startMagazine(options)
      const body = { data: { name: 'drenched' } }
      const drench = ({ request, token }: TestApp) =>
        request('PUT', `/api/tags/${magazine.ids['wet']}`, { token, body })
      await eventually(() => caches.taken.length > 0)
      isOff = true
      expect((await drench(magazine.app)).status).to.equal(200)
      await magazine.app.stop()
      const first = await owed()
      expect(first?.noted).to.be.a('string')

      const second = await startApp(options)
      await second.stop()
      const later = await owed()
      expect(later?.noted).to.be.a('string').that.does.not.equal(first?.noted)

      caches.forget()
      isOff = false
      const third = await startApp(options)
      await eventually(async () => (await owed()) === null)
      expect(caches.keys().has('quire')).to.equal(true)
      await third.stop()
      expect(await owed()).to.equal(null)
    } finally {
      await client.db().dropDatabase()
      await client.close()
      await caches.stop()
    }
  })
})

describe('repeated purge', () => {
  it('is sent a second time after a while, for responses that were in flight', async () => {
    const caches = await startPurgeServer()
    const { app, ids } = await startMagazine({
      settings: { ...purgingTo(caches), 'http.cache.purgeAgainMs': 300 },
    })
    try {
      const purgesOf = (key: string): number =>
        caches.taken.filter((keys) => keys.includes(key)).length
      const [wet = '', cold = ''] = [ids['wet'], ids['cold']]
      /**
       * Writes a tag, and waits until its key was purged twice. Repeats this while everything is purged instead, soon
       * after the start of the service.
       */
      const change = async (id: string): Promise<void> => {
        const body = { data: { name: 'drenched' } }
        await app.request('PUT', `/api/tags/${id}`, { token: app.token, body })
        await eventually(() => purgesOf(id) >= 2 || caches.keys().has('quire'))
        if (purgesOf(id) >= 2) return
        caches.forget()
        await change(id)
      }
      await change(wet)
      // When this purge has been repeated, so have the purges of all earlier writes.
      await change(cold)
      caches.forget()
      await change(wet)
      await change(cold)
      expect(purgesOf(wet)).to.equal(2)
    } finally {
      await app.stop()
      await caches.stop()
    }
  })
})
