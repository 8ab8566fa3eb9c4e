import { expect } from 'chai'
import { createClient } from '../../../engine/database/client.js'
import { withLease } from '../../../engine/database/with-lease.js'
import { writeDefault } from '../../../server/locales/default-locale.js'
import type { Settings } from '../../../server/settings/settings.js'
import { testDatabaseUri } from '../../support/database.js'
import { startApp, type TestApp } from '../../support/start-app.js'
import { eventually } from '../database/support.js'
import { purgeSecret, startPurgeServer, type PurgeServer } from '../../support/purge-server.js'
import { startMagazine, type Magazine } from '../content/magazine.js'
import { readableByAll } from './readable-by-all.js'

/** Of a service whose caches are told what to forget. */
const purgingTo = ({ url }: Pick<PurgeServer, 'url'>): Partial<Settings> => ({
  'http.cache.shared': 3600,
  'http.cache.purgeUrl': url,
  'http.cache.purgeSecret': purgeSecret,
  // Later than any test ends.
  'http.cache.purgeAgainMs': 600_000,
})

describe('What caches are told to forget', () => {
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
  /** Waits for what was written before, and begins anew. */
  const settle = async (): Promise<void> => {
    for (let isTold = false; !isTold;) {
      const tag = await write('POST', '/api/tags', { name: 'new' })
      await eventually(() => caches.keys().has(tag) || caches.keys().has('quire'))
      isTold = caches.keys().has(tag)
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

  it('is signed, and names the document and the lists of its type', async () => {
    await settle()
    const { ids } = magazine
    await write('PUT', `/api/authors/${ids['ana']}`, { name: 'Ana B.' })
    await eventually(() => caches.taken.length > 0)
    expect(caches.taken).to.deep.equal([['api::author.author/list', ids['ana']]])
    expect(caches.wrong).to.deep.equal([])
  })

  it('is told once for what is written at the same time', async () => {
    await settle()
    const { ids } = magazine
    const written = ['wet', 'cold', 'wet', 'cold', 'wet'].map((tag, at) =>
      write('PUT', `/api/tags/${ids[tag]}`, { name: `${tag} ${at}` }),
    )
    await Promise.all(written)
    await eventually(() => [ids['wet'], ids['cold']].every((id) => caches.keys().has(id ?? '')))
    expect(caches.taken.length).to.be.lessThan(written.length)
  })

  it('is nothing of what changes drafts alone, or documents that nobody can see', async () => {
    await settle()
    const { ids, app } = magazine
    await write('PUT', `/api/articles/${ids['rain']}?status=draft`, { title: 'Rain?' })
    await write('POST', '/api/articles?status=draft', { title: 'Hail' })
    await app.request('GET', '/api/articles', { token: app.token })
    await write('PUT', `/api/tags/${ids['wet']}`, { name: 'wet again' })
    await eventually(() => caches.keys().has(ids['wet'] ?? ''))
    expect([...caches.keys()]).to.deep.equal(['api::tag.tag/list', ids['wet']])
  })

  it('is what was published, unpublished, deleted and related from the other side', async () => {
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
      await settle()
      await change()
      await eventually(() => caches.keys().has(ids[changed] ?? ''))
      expect([...caches.keys()], what).to.include(ids[changed])
    }
  })

  it('is everything where roles, locales or definitions are others', async () => {
    const { app } = magazine
    await settle()
    await app.allow('public', ['api::homepage.homepage.find'])
    await eventually(() => caches.keys().has('quire'))
    await settle()
    const body = { code: 'de', name: 'German', isDefault: false }
    await app.request('POST', '/i18n/locales', { token: app.adminJwt, body })
    await eventually(() => caches.keys().has('quire'))
    expect(await keysOf('/api/tags')).to.include('quire')
  })

  it('is nothing where a service notes something for itself, and everything where the default locale is another', async () => {
    const { app, ids } = magazine
    const { db } = app.quire.services
    await settle()
    const level = { token: app.adminJwt, body: { level: 'error' } }
    expect((await app.request('PUT', '/admin/log-level', level)).status).to.equal(200)
    const lost = () => undefined
    const lease = { db, collection: '_settings', _id: 'indexing', alone: true, lost }
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

  it('are all of a type where a write names no documents', async () => {
    await settle()
    const { db } = magazine.app.quire.services
    await db.collection('tags').updateMany({ name: /./ }, { $set: { updatedAt: new Date() } })
    await eventually(() => caches.keys().has('api::tag.tag'))
    expect(await keysOf('/api/tags')).to.include('api::tag.tag')
    expect(await keysOf(`/api/tags/${magazine.ids['wet']}`)).to.include('api::tag.tag')
  })
})

describe('Caches that cannot be told', () => {
  it('are asked again until they were, and lose nothing of what was written meanwhile', async () => {
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
      // Its own documents were written before it was open for all: everything is forgotten.
      await eventually(async () => (await figure('purge_keys_waiting')) === 0)
      const keys = caches.keys()
      expect(keys.has('quire') || keys.has(ids['wet'] ?? '')).to.equal(true)
    } finally {
      await app.stop()
      await caches.stop()
    }
  })

  it('are told the last of it when the service stops', async () => {
    const caches = await startPurgeServer()
    const { app, ids } = await startMagazine({
      settings: purgingTo(caches),
    })
    const wet = ids['wet'] ?? ''
    const write = (name: string) =>
      app.request('PUT', `/api/tags/${wet}`, { token: app.token, body: { data: { name } } })
    // What it was told of a start, of roles and of locales is told as everything.
    for (let isTold = false; !isTold; isTold = caches.keys().has(wet)) {
      caches.forget()
      await write('wetter')
      await eventually(() => caches.keys().has(wet) || caches.keys().has('quire'))
    }
    caches.forget()
    await write('drenched')
    await app.stop()
    // At once, and once more, because nobody is there to repeat it later.
    expect([...caches.keys()]).to.include(ids['wet'])
    await caches.stop()
  })
})

describe('Caches that could not be told before the service stopped', () => {
  it('are told everything by the next start, as long as nobody has', async () => {
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

      // Still nobody is there.
      const second = await startApp(options)
      await second.stop()
      const noted = await owed()
      expect(noted?.noted).to.be.a('string').that.does.not.equal(first?.noted)

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

describe('A purge', () => {
  it('is sent once more after a while, for answers that were under way', async () => {
    const caches = await startPurgeServer()
    const { app, ids } = await startMagazine({
      settings: { ...purgingTo(caches), 'http.cache.purgeAgainMs': 300 },
    })
    try {
      const tellings = (key: string): number =>
        caches.taken.filter((keys) => keys.includes(key)).length
      const [wet = '', cold = ''] = [ids['wet'], ids['cold']]
      /** Writes a tag until it is told twice: what a start writes is told as everything, and so is what waits beside it. */
      const change = async (id: string): Promise<void> => {
        const body = { data: { name: 'drenched' } }
        await app.request('PUT', `/api/tags/${id}`, { token: app.token, body })
        await eventually(() => tellings(id) >= 2 || caches.keys().has('quire'))
        if (tellings(id) >= 2) return
        caches.forget()
        await change(id)
      }
      await change(wet)
      // What is told again of writes before comes before what is told again of this one.
      await change(cold)
      caches.forget()
      await change(wet)
      await change(cold)
      expect(tellings(wet)).to.equal(2)
    } finally {
      await app.stop()
      await caches.stop()
    }
  })
})
