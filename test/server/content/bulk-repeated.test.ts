import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { fail, type ApiError } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { startWriteTime } from '../../../engine/write-time.js'
import { bulkEndpoint } from '../../../server/content/bulk/bulk-endpoint.js'
import type { Documents } from '../../../server/content/documents.js'
import { claimBulk } from '../../../server/content/idempotency/claim-bulk.js'
import type { HttpRequest } from '../../../server/http/route.js'
import { testDatabaseUri } from '../../support/database.js'
import { hastened } from '../../support/later.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { eventually } from '../database/support.js'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'

type Item = Readonly<{
  status: number
  data?: Readonly<Record<string, unknown>>
  error?: Readonly<{ message: string; details: Readonly<Record<string, unknown>> }>
}>
type BulkResult = Readonly<{ items: readonly Item[]; isReplayed: boolean }>

const path = '/api/articles/bulk'
/** Seconds for which a repeated request waits for the first one. */
const waitSeconds = 2
const statuses = (items: readonly Item[]) => items.map(({ status }) => status)
const idsOf = (items: readonly Item[]) => items.map(({ data }) => data?.['documentId'])

describe('bulk request repeated with its Idempotency-Key', () => {
  let databaseUri: string
  let magazine: Magazine
  let app: TestApp
  let other: TestApp
  let keys = 0
  let key: string
  before(async () => {
    databaseUri = await testDatabaseUri()
    magazine = await startMagazine({ databaseUri })
    app = magazine.app
    other = await startApp({ databaseUri })
  })
  after(async () => {
    await other.stop()
    await app.stop()
  })
  beforeEach(() => (key = `bulk-${(keys += 1)}`))

  const send = async (
    operations: readonly object[],
    { query = '', from = app } = {},
  ): Promise<BulkResult & { status: number; headers: Headers }> => {
    const headers = { 'Idempotency-Key': key }
    const options = { token: app.token, headers, body: { operations } }
    const answer = await from.request('POST', `${path}${query}`, options)
    const { data: items } = answer.body as { data: readonly Item[] }
    const isReplayed = answer.headers.get('idempotent-replayed') === 'true'
    return { items, isReplayed, status: answer.status, headers: answer.headers }
  }
  const create = (slug: string) => ({ op: 'create', data: { title: slug, slug: `${key}-${slug}` } })
  const update = (name: string, data: object = { views: 1 }) => ({
    ...{ op: 'update', documentId: magazine.ids[name], data },
  })
  const put = (name: string, data: object) =>
    app.request('PUT', `/api/articles/${magazine.ids[name]}`, { token: app.token, body: { data } })
  const viewsOf = async (name: string): Promise<unknown> => {
    const { body } = await magazine.get(`/api/articles/${magazine.ids[name]}`)
    return (body as { data: Record<string, unknown> }).data['views']
  }
  const count = async (): Promise<number> => {
    const { body } = await magazine.get('/api/articles?status=draft&fields=id')
    return (body as { meta: { pagination: { total: number } } }).meta.pagination.total
  }

  it('runs no operation twice, returns the current documents and rejects a different body', async () => {
    const operations = [
      create('once'),
      update('snow', { views: 21 }),
      { op: 'publish', documentId: magazine.ids['fog'] },
      { op: 'delete', documentId: magazine.ids['wind'] },
    ]
    const first = await send(operations)
    expect([statuses(first.items), first.isReplayed]).to.deep.equal([[201, 200, 200, 204], false])
    const before = await count()
    await put('snow', { views: 99 })
    await app.request('POST', `/api/articles/${magazine.ids['fog']}/actions/unpublish`, {
      ...{ token: app.token, body: {} },
    })
    const again = await send(operations)
    expect([statuses(again.items), again.isReplayed]).to.deep.equal([[201, 200, 404, 204], true])
    expect(idsOf(again.items)[0]).to.equal(idsOf(first.items)[0])
    expect([await viewsOf('snow'), again.items[1]?.data?.['views']]).to.deep.equal([99, 99])
    expect(await count()).to.equal(before)
    const mismatch = await send(operations.slice(1))
    expect(mismatch.status).to.equal(422)
  })

  it('returns the same errors again', async () => {
    const operations = [update('snow', { views: -1 }), update('snow', { nope: 1 }), {}]
    const first = await send(operations)
    expect(statuses(first.items)).to.deep.equal([400, 400, 400])
    const again = await send(operations)
    expect([again.items, again.isReplayed]).to.deep.equal([first.items, true])
  })

  it('does not restore a document deleted since', async () => {
    const operations = [create('gone'), create('kept')]
    const [deleted] = (await send(operations)).items
    const documentPath = `/api/articles/${String(deleted?.data?.['documentId'])}`
    expect((await app.request('DELETE', documentPath, { token: app.token })).status).to.equal(204)
    expect(statuses((await send(operations)).items)).to.deep.equal([404, 201])
    expect((await app.request('GET', documentPath, { token: app.token })).status).to.equal(404)
  })

  it('runs once if many requests reach two processes at the same time', async () => {
    const before = await count()
    const operations = [create('a'), create('b'), update('rain', { views: 5 })]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => send(operations, { from: at % 2 ? other : app })),
    )
    const done = answers.filter(({ status }) => status === 200)
    expect(answers.every(({ status }) => status === 200 || status === 409)).to.equal(true)
    expect(done.filter(({ isReplayed }) => !isReplayed)).to.have.length(1)
    expect(new Set(done.map(({ items }) => String(idsOf(items)))).size).to.equal(1)
    expect(await count()).to.equal(before + 2)
  })

  const run = async (
    operations: readonly object[],
    replaced: Partial<Documents> = {},
    more: Partial<HttpRequest> = {},
  ): Promise<BulkResult> => {
    const { registry, settings, documents } = app.quire.services
    const type = typeOf(registry(), 'api::article.article')
    const endpoint = bulkEndpoint({ ...documents, ...replaced }, type, settings)
    const { body, headers } = await endpoint.handle({
      ...{ id: '', method: 'POST', isHead: false, path, params: {}, search: '' },
      headers: { 'idempotency-key': key },
      ...{ body: { operations }, files: [], ip: '', ignored: () => undefined },
      caller: { kind: 'public', grant: fullGrant },
      client: { address: '', bytes: 0 },
      signal: new AbortController().signal,
      time: startWriteTime(20_000),
      ...more,
    })
    const { data: items } = JSON.parse(Buffer.from(body as Uint8Array).toString()) as {
      data: readonly Item[]
    }
    return { items, isReplayed: headers?.['Idempotent-Replayed'] === 'true' }
  }
  /** Returns an `update` that writes, but does not return before `unblock` is called. */
  const holdUpdates = () => {
    const { update: really } = app.quire.services.documents
    const held = { count: 0, unblock: (): void => undefined }
    const released = new Promise<void>((resolve) => (held.unblock = resolve))
    const update: Documents['update'] = async (...args) => {
      held.count += 1
      const written = await really(...args)
      await released
      return written
    }
    return { held, replaced: { update } }
  }

  it('waits for the request in flight and returns its result', async () => {
    const { held, replaced } = holdUpdates()
    const operations = [update('rain', { views: 77 }), create('waits')]
    const first = run(operations, replaced)
    await eventually(() => Promise.resolve(held.count === 1))
    let claims = 0
    const { claimBulk } = app.quire.services.documents
    const second = run(operations, {
      ...replaced,
      claimBulk: (...given) => {
        claims += 1
        return claimBulk(...given)
      },
    })
    await eventually(() => Promise.resolve(claims === 1))
    held.unblock()
    const [done, again] = await Promise.all([first, second])
    expect([done.isReplayed, again.isReplayed]).to.deep.equal([false, true])
    expect(again.items).to.deep.equal(done.items)
    expect(held.count).to.equal(1)
  })

  it('returns 409 with Retry-After if the first request takes long', async () => {
    const { held, replaced } = holdUpdates()
    const operations = [update('rain')]
    const first = run(operations, replaced)
    await eventually(() => Promise.resolve(held.count === 1))
    const error = await hastened(waitSeconds, run(operations)).then(
      () => undefined,
      (thrown: unknown) => thrown as ApiError,
    )
    expect([error?.code, error?.status, error?.headers]).to.deep.equal([
      ...['idempotency-underway', 409, { 'Retry-After': '1' }],
    ])
    held.unblock()
    await first
    expect((await run(operations)).isReplayed).to.equal(true)
  })

  it('runs failed operations again, and later ones on the same document to keep the order', async () => {
    const { documents } = app.quire.services
    const done: unknown[] = []
    let fails = true
    const replaced: Partial<Documents> = {
      update: async (...args) => {
        const data = args[2] as { views?: number }
        if (data.views === 2 && fails) throw fail('unavailable', 'lost')
        if (data.views === 3 && fails) throw fail('conflict')
        done.push(data.views)
        return documents.update(...args)
      },
    }
    const operations = [
      ...[1, 2, 4].map((views) => update('rain', { views })),
      ...[3, 5].map((views) => update('snow', { views })),
    ]
    expect(statuses((await run(operations, replaced)).items)).to.deep.equal([
      200, 503, 200, 409, 200,
    ])
    expect(done.sort()).to.deep.equal([1, 4, 5])
    fails = false
    done.length = 0
    const again = await run(operations, replaced)
    expect(statuses(again.items)).to.deep.equal([200, 200, 200, 200, 200])
    expect(done.sort()).to.deep.equal([2, 3, 4, 5])
    expect([await viewsOf('rain'), await viewsOf('snow')]).to.deep.equal([4, 5])
  })

  it('does not repeat what was written before the client disconnected', async () => {
    const disconnect = new AbortController()
    let count = 0
    const { documents } = app.quire.services
    const replaced: Partial<Documents> = {
      update: async (...args) => {
        count += 1
        const written = await documents.update(...args)
        disconnect.abort()
        return written
      },
    }
    const operations = [update('rain'), update('rain')]
    const first = await run(operations, replaced, { signal: disconnect.signal })
    expect(first.items[1]?.status).to.equal(503)
    expect(statuses((await run(operations, replaced)).items)).to.deep.equal([200, 200])
    expect(count).to.equal(2)
  })

  it('holds its key and its write slot until its last write has ended', async () => {
    const { held, replaced } = holdUpdates()
    const operations = [update('rain')]
    const outlasting: Promise<unknown>[] = []
    const first = await run(operations, replaced, {
      time: startWriteTime(1_500),
      outlasts: (running) => void outlasting.push(running),
    })
    expect(first.items[0]?.error?.details['outcome']).to.equal('unknown')
    expect(outlasting).to.have.length(1)
    const second = run(operations, replaced)
    held.unblock()
    await Promise.all(outlasting)
    expect(statuses((await second).items)).to.deep.equal([200])
    expect(held.count).to.equal(1)
  })

  it('returns on timeout even if its results cannot be recorded yet', async () => {
    const { documents } = app.quire.services
    const outlasting: Promise<unknown>[] = []
    let unblock = (): void => undefined
    const blocked = new Promise<void>((resolve) => (unblock = resolve))
    const operations = [update('rain')]
    const first = await run(
      operations,
      {
        claimBulk: async (...args) => {
          const claimed = await documents.claimBulk(...args)
          return { ...claimed, release: (known) => blocked.then(() => claimed.release(known)) }
        },
      },
      {
        time: startWriteTime(2_000),
        outlasts: (running) => void outlasting.push(running),
      },
    )
    expect(first.items).to.have.length(1)
    expect(outlasting).to.have.length(1)
    unblock()
    await Promise.all(outlasting)
    expect((await run(operations)).isReplayed).to.equal(true)
  })

  it('leaves its key free if it times out before claiming it', async () => {
    const time = startWriteTime(1)
    await time.within(() => sleep(1_000)).catch(() => undefined)
    const operations = [update('rain')]
    const error = await run(operations, {}, { time }).catch((thrown: unknown) => thrown as ApiError)
    expect(error).to.include({ code: 'unavailable' })
    expect((await run(operations)).isReplayed).to.equal(false)
  })

  const claimOf = (singleProcess: boolean, leaseMs = 3_600_000) =>
    claimBulk(
      app.quire.services.db,
      { caller: 'me', key },
      { fingerprint: key, operations: 1, creates: 1 },
      { leaseMs, singleProcess },
    )
  const refusalOf = (claiming: ReturnType<typeof claimOf>): Promise<string | undefined> =>
    hastened(waitSeconds, claiming).then(
      () => undefined,
      (thrown: unknown) => (thrown as ApiError).code,
    )
  const assignToOtherProcess = async (documentId: string | undefined): Promise<void> => {
    const { matchedCount } = await app.quire.services.db
      .collection('_idempotency')
      .updateOne({ documentIds: documentId }, { $set: { owner: `another of ${key}` } })
    expect(matchedCount).to.equal(1)
  }

  it('keeps its key while its process runs, even after the lease has expired', async () => {
    const first = await claimOf(false, 0)
    expect(await refusalOf(claimOf(false, 0))).to.equal('idempotency-underway')
    await first.release(new Map([[0, { status: 201 }]]))
    expect((await claimOf(false)).replayed).to.equal(true)
  })

  it('measures its lease by the database clock, not by process clocks', async () => {
    const ahead = () => mock.timers.enable({ apis: ['Date'], now: Date.now() + 7_200_000 })
    try {
      ahead()
      const [documentId] = (await claimOf(false, 0)).documentIds
      await assignToOtherProcess(documentId)
      mock.timers.reset()
      // The lease must count as expired, although the clock of the process that set it is two hours ahead.
      expect((await claimOf(false)).replayed).to.equal(true)
      await assignToOtherProcess(documentId)
      ahead()
      // The lease is valid for another hour, although the local clock, two hours ahead, says that it has expired.
      expect(await refusalOf(claimOf(false))).to.equal('idempotency-underway')
    } finally {
      mock.timers.reset()
    }
  })

  it('takes over an interrupted request at once if its process uses the database exclusively', async () => {
    const records = app.quire.services.db.collection('_idempotency')
    const first = await claimOf(true)
    expect(await refusalOf(claimOf(true))).to.equal('idempotency-underway')
    await assignToOtherProcess(first.documentIds[0])
    expect(await refusalOf(claimOf(false))).to.equal('idempotency-underway')
    const second = await claimOf(true)
    expect([second.replayed, second.documentIds]).to.deep.equal([true, first.documentIds])
    // The second claim has taken the key over, so releasing the first one changes nothing.
    await first.release(new Map())
    expect(
      await records.countDocuments({ documentIds: first.documentIds[0], done: false }),
    ).to.equal(1)
    await second.release(new Map([[0, { status: 201 }]]))
    expect((await claimOf(false)).known).to.deep.equal(new Map([[0, { status: 201 }]]))
  })

  it('continues an interrupted request after its lease has expired', async () => {
    const { documents, db } = app.quire.services
    const operations = [create('one'), create('two')]
    // As if the process ended before it could record its results.
    const { items: first } = await run(operations, {
      claimBulk: async (...args) => ({
        ...(await documents.claimBulk(...args)),
        release: () => Promise.resolve(),
      }),
    })
    const [, two] = idsOf(first)
    for (const name of ['articles', 'articles.draft'])
      await db.collection(name).deleteMany({ documentId: two })
    await assignToOtherProcess(String(two))
    const keys = db.collection('_idempotency')
    const over = { $set: { until: new Date(0) } }
    expect((await keys.updateOne({ documentIds: two }, over)).modifiedCount).to.equal(1)
    const again = await run(operations)
    expect([statuses(again.items), again.isReplayed]).to.deep.equal([[201, 201], true])
    expect(idsOf(again.items)).to.deep.equal(idsOf(first))
  })
})
