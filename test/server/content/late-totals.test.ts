import { expect } from 'chai'
import type { Document, MongoClient } from 'mongodb'
import { openLiveCounts } from '../../../engine/database/open-live-counts.js'
import type { LiveCounts } from '../../../engine/database/live-counts.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { startBudget } from '../../../engine/read/execute/budget.js'
import { connectDatabase } from '../../../server/database/connect.js'
import { createDocuments } from '../../../server/content/create-documents.js'
import { countAtStart } from '../../../server/lifecycle/count-at-start.js'
import { inlineRunner, createExecutor } from '../../../workers/executor.js'
import { testDatabaseUri } from '../../support/database.js'
import { isReplicaSet } from '../../support/database-server.js'
import { startHoldingProxy, type HoldingProxy } from '../../support/holding-proxy.js'
import { startApp } from '../../support/start-app.js'
import { eventually } from '../database/support.js'
import { startMagazine, type Magazine } from './magazine.js'

describe('total that takes long to count', () => {
  let magazine: Magazine
  let proxy: HoldingProxy
  let client: MongoClient
  let counts: LiveCounts
  let counted: string[] = []
  before(async () => {
    const databaseUri = await testDatabaseUri()
    magazine = await startMagazine({ databaseUri })
    proxy = await startHoldingProxy(Number(new URL(databaseUri).port))
  })
  after(async () => {
    await magazine.app.stop()
    proxy.close()
  })
  beforeEach(async () => {
    const { db } = magazine.app.quire.services
    const uri = `mongodb://127.0.0.1:${proxy.port}/${db.databaseName}`
    const options = 'directConnection=true&monitorCommands=true&retryWrites=false'
    client = await connectDatabase(`${uri}?${options}`, { appName: 'test' })
    const opened = await openLiveCounts(client.db(), { singleProcess: !isReplicaSet() })
    if (opened === undefined) throw new Error('There are no counts')
    counts = opened
    counted = []
    client.on('commandStarted', ({ command }) => {
      if (JSON.stringify(command['pipeline'] ?? '').includes('$count'))
        counted.push(String(command['aggregate']))
    })
  })
  afterEach(async () => {
    proxy.go()
    await counts.stop()
    await client.close()
  })

  /** Returns a function that lists articles through the proxy, with a time limit of `ms`. */
  const lister = () => {
    const { services } = magazine.app.quire
    const db = client.db()
    const runner = inlineRunner(db)
    const executor = createExecutor(
      { inline: runner, pooled: runner, costThreshold: Infinity },
      {
        known: { counts, fromCost: 0 },
      },
    )
    const documents = createDocuments({ ...services, db, executor, exactMetadata: false })
    const type = typeOf(services.registry(), 'api::article.article')
    return async (search: string, ms = 60_000): Promise<unknown> => {
      const { bytes } = await documents.find(type, {
        ...{ search, grant: fullGrant, envelope: 'content' },
        client: { address: '', bytes: 0, budget: startBudget(ms) },
      })
      const { meta } = JSON.parse(Buffer.from(bytes).toString()) as {
        meta: { pagination: { total?: number } }
      }
      return meta.pagination.total
    }
  }

  it('is counted once for concurrent requests', async () => {
    const list = lister()
    proxy.hold('$count')
    const lists = [list(''), list('sort=title'), list('populate=author')]
    await eventually(() => Promise.resolve(proxy.isHolding()))
    proxy.go()
    expect(await Promise.all(lists)).to.deep.equal([3, 3, 3])
    expect(await list('')).to.equal(3)
    expect(counted).to.deep.equal(['articles'])
  })

  it('returns 503 on timeout and names the parameter that omits the total', async () => {
    const list = lister()
    proxy.hold('$count')
    const error: unknown = await list('', 100).catch((thrown: unknown) => thrown)
    expect(error).to.include({
      code: 'unavailable',
      message:
        'The query took longer than 100 ms (api.rest.queryTimeoutMs). If counting takes long, leave the total out with pagination[withCount]=false',
    })
    expect(error).to.have.property('headers').that.deep.equals({ 'Retry-After': '1' })
    expect(await list('pagination[withCount]=false')).to.equal(undefined)
    proxy.go()
    expect(await list('')).to.equal(3)
    expect(counted).to.deep.equal(['articles'])
  })

  it('names the parameter on timeout of a filtered count, too', async () => {
    const list = lister()
    proxy.hold('count')
    const error: unknown = await list('filters[title]=Rain', 100).catch((thrown: unknown) => thrown)
    expect(error).to.have.property('message').that.includes('pagination[withCount]=false')
  })

  it('is counted by the request itself if something is written meanwhile', async function () {
    // A replica set counts within a snapshot, so writes do not disturb the count there.
    if (isReplicaSet()) return this.skip()
    const list = lister()
    proxy.hold('$count')
    const listed = list('')
    await eventually(() => Promise.resolve(proxy.isHolding()))
    const articles = client.db().collection<Document & { documentId: string }>('articles')
    await articles.insertOne({ documentId: 'late', locale: 'en' })
    expect(await listed).to.equal(4)
    await articles.deleteOne({ documentId: 'late' })
  })

  it('is counted at the start if the collection is large', async () => {
    const { services } = magazine.app.quire
    const parts = { ...services, db: client.db(), counts, exactMetadata: true }
    const { signal } = new AbortController()
    await countAtStart(parts, signal, 3)
    // Only articles are counted: there are too few authors (two), and tags have no locales.
    const byLocale = ['articles', 'articles', 'articles.draft', 'articles.draft']
    expect(counted).to.deep.equal(byLocale)
    expect(await counts.countOf('articles', ['en'], 0)).to.equal(3)
    expect(await counts.countOf('articles.draft', ['fr'], 0)).to.equal(1)
    expect(counted).to.deep.equal(byLocale)
  })

  it('is counted after the service has started', async function () {
    // Without a replica set, no totals are kept up to date if other processes may write.
    if (!isReplicaSet()) return this.skip()
    const direct = await testDatabaseUri()
    const through = new URL(direct)
    through.port = String(proxy.port)
    through.search = '?directConnection=true'
    const articles = Array.from({ length: 100_000 }, (_, _id) => ({
      _id,
      ...{ documentId: `${_id}`, locale: 'en' },
    }))
    proxy.hold('$count')
    const app = await startApp({
      databaseUri: through.href,
      documents: new Map([['articles', articles]]),
    })
    try {
      await eventually(() => Promise.resolve(proxy.isHolding()))
    } finally {
      proxy.go()
      await app.stop()
    }
  })

  it('is not counted during an aborted start', async () => {
    const { services } = magazine.app.quire
    const parts = { ...services, db: client.db(), counts, exactMetadata: true }
    await countAtStart(parts, AbortSignal.abort(), 3)
    expect(counted).to.deep.equal([])
  })
})
