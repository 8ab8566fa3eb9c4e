import { startBudget } from '../../../../engine/read/execute/budget.js'
import { expect } from 'chai'
import type { Db, Document, MongoClient } from 'mongodb'
import { BSON, MongoServerError } from 'mongodb'
import { isRetryable } from '../../../../engine/errors/database-errors.js'
import type { Find } from '../../../../engine/read/compile/compile-command.js'
import { findFirst } from '../../../../engine/read/execute/find-first.js'
import { createReader } from '../../../../engine/read/execute/reader.js'
import { createTimeline } from '../../../../engine/timeline.js'
import { connectDatabase } from '../../../../server/database/connect.js'
import { testDatabaseUri } from '../../../support/database.js'
import type { FaultyProxy } from '../../../support/faulty-proxy.js'
import { startFaultyProxy } from '../../../support/faulty-proxy.js'

type Stored = Document & { _id: number }

const byName = (name: string, options: Partial<Find> = {}): { find: Find } => ({
  find: { filter: { name }, ...options, limit: 1, projection: { _id: 1, name: 1 } },
})

describe('read of one document', () => {
  let proxy: FaultyProxy
  let client: MongoClient
  let db: Db
  before(async () => {
    const uri = new URL(await testDatabaseUri())
    proxy = await startFaultyProxy(`http://${uri.host}`)
    uri.host = new URL(proxy.url).host
    // With a replica set the driver would discover the server itself and bypass the proxy.
    uri.searchParams.delete('replicaSet')
    uri.searchParams.set('directConnection', 'true')
    client = await connectDatabase(uri.href, { appName: 'test' })
    db = client.db()
    await db.collection<Stored>('things').insertMany([
      { _id: 1, name: 'one', text: 'left out' },
      { _id: 2, name: 'two' },
      { _id: 3, name: 'two' },
    ])
  })
  after(async () => {
    await client.close()
    proxy.close()
  })

  const read = async (command: { find: Find }): Promise<Document[]> => {
    const found = await createReader(db, startBudget(20_000)).readStored('things', command, 'test')
    return found.map((bytes) => BSON.deserialize(bytes))
  }

  it('returns the document with the projected fields', async () => {
    expect(await read(byName('one'))).to.deep.equal([{ _id: 1, name: 'one' }])
  })

  it('returns nothing if no document matches', async () => {
    expect(await read(byName('three'))).to.deep.equal([])
  })

  it('applies sort and skip', async () => {
    const last = byName('two', { sort: { _id: -1 } })
    expect(await read(last)).to.deep.equal([{ _id: 3, name: 'two' }])
    const next = byName('two', { sort: { _id: -1 }, skip: 1 })
    expect(await read(next)).to.deep.equal([{ _id: 2, name: 'two' }])
  })

  it('sends one command and records it in the timeline', async () => {
    const timeline = createTimeline()
    const reader = createReader(db, startBudget(20_000), { timeline })
    await reader.readStored('things', byName('one'), 'test')
    expect(timeline.commands).to.have.length(1)
    expect(timeline.commands[0]).to.include({ kind: 'find', collection: 'things', failed: false })
  })

  it('reports the document and its bytes to the meter', async () => {
    const added: number[][] = []
    const meter = {
      batchSize: 10,
      add: (documents: number, bytes: number) => void added.push([documents, bytes]),
    }
    const [bytes] = await createReader(db, startBudget(20_000), { meter }).readStored(
      ...(['things', byName('one'), 'test'] as const),
    )
    expect(added).to.deep.equal([[1, bytes?.byteLength]])
  })

  it('fails with the reason of an abort', async () => {
    const signal = AbortSignal.abort(new Error('gone'))
    const reading = createReader(db, startBudget(20_000), { signal }).readStored(
      'things',
      byName('one'),
      'test',
    )
    expect(await reading.catch((error: unknown) => error)).to.include({ message: 'gone' })
  })

  it('is retried after the connection is lost', async () => {
    const { find } = byName('one')
    proxy.fail('cuts the connection')
    expect(await findFirst(db, 'things', find, { ms: 20_000 })).to.equal(undefined)
    proxy.fail(undefined)
    expect(await read(byName('one'))).to.deep.equal([{ _id: 1, name: 'one' }])

    proxy.fail('cuts the connection')
    const reading = read(byName('one'))
    setTimeout(() => proxy.fail(undefined), 200)
    expect(await reading).to.deep.equal([{ _id: 1, name: 'one' }])
  })

  it('is retried only for transient server errors', () => {
    const isPassingCode = (code: number) =>
      isRetryable(new MongoServerError({ message: 'it says', code }))
    // Retried: host or network errors, a starting member, an election. Not: syntax, permission, exceeded time.
    expect([6, 7, 89, 134, 262, 9001, 10107, 189].map(isPassingCode)).to.not.include(false)
    expect([9, 13, 50].map(isPassingCode)).to.not.include(true)
    expect(isRetryable(new TypeError('ours'))).to.equal(false)
  })
})
