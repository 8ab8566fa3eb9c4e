import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { MongoClient, MongoNetworkError } from 'mongodb'
import { findAtOnce } from '../../../engine/write/load/find-at-once.js'
import type { Writing } from './start-writing.js'
import { startWriting } from './start-writing.js'

describe('findAtOnce', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting([])
    await writing.db.collection<{ _id: number }>('large').insertMany(
      Array.from({ length: 3 }, (_, n) => ({
        ...{ _id: n, documentId: 'a', text: 'x'.repeat(7_000_000) },
      })),
    )
  })
  after(() => writing.stop())
  const filter = { documentId: 'a' }
  const idsIn = (found: readonly Document[]) => found.map(({ _id }) => _id as unknown)

  it('returns all documents even if they exceed one response of the database', async () => {
    const client = new MongoClient(writing.uri, { monitorCommands: true })
    const sent: string[] = []
    client.on('commandStarted', ({ commandName }) => sent.push(commandName))
    const found = await findAtOnce(client.db(), { collection: 'large', filter }, {})
    await client.close()
    expect(idsIn(found)).to.have.members([0, 1, 2])
    // The documents exceed the first response, so its cursor is closed, and a second `find` reads them in batches.
    expect(sent.slice(0, 4)).to.deep.equal(['find', 'killCursors', 'find', 'getMore'])
    expect(found.map(({ text }) => (text as string).length)).to.deep.equal([7e6, 7e6, 7e6])
  })

  it('sends the command again after a network error', async () => {
    const lost = Object.create(writing.db, {
      command: { value: () => Promise.reject(new MongoNetworkError('connection closed')) },
    }) as Db
    const projection = { _id: 1 }
    const found = await findAtOnce(lost, { collection: 'large', filter, projection }, {})
    expect(idsIn(found)).to.have.members([0, 1, 2])
  })

  it('returns integers as Long if exact, to write them back unchanged', async () => {
    const counts = writing.db.collection<Document & { _id: number }>('counts')
    await counts.insertOne({ _id: 1, count: 2n ** 60n, small: 7n })
    const query = { collection: 'counts', filter: { _id: 1 }, isOne: true }
    const [exact] = await findAtOnce(writing.db, { ...query, exact: true }, {})
    expect(String(exact?.['small'])).to.equal('7')
    expect(exact?.['small']).to.have.property('_bsontype', 'Long')
    const [plain] = await findAtOnce(writing.db, query, {})
    expect(plain?.['small']).to.equal(7)
  })
})
