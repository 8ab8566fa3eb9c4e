import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { MongoClient, MongoNetworkError } from 'mongodb'
import { isReplicaSet } from '../../support/database-server.js'
import { findTogether } from '../../../engine/write/load/find-at-once.js'
import type { Writing } from './start-writing.js'
import { startWriting } from './start-writing.js'

/** Document `n` of collection `c` has the `_id` `100 * c + n`. */
const collections = Array.from({ length: 12 }, (_, n) => `c${n}`)

describe('findTogether', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting([])
    for (const [at, name] of collections.entries())
      await writing.db.collection<Document & { _id: number }>(name).insertMany(
        Array.from({ length: 10 }, (_, n) => ({
          ...{ _id: 100 * at + n, documentId: `d${n}`, locale: null, long: 'x'.repeat(1_000_000) },
        })),
      )
  })
  after(() => writing.stop())

  const part = (collection: string, ...documentIds: readonly string[]) => ({
    collection,
    filter: { documentId: { $in: documentIds } },
    projection: { documentId: 1 },
  })
  const idsIn = (found: readonly (readonly Document[])[]) =>
    found.map((documents) => documents.map(({ _id }) => _id as number).toSorted((a, b) => a - b))
  const sentWhile = async (run: (db: Db) => Promise<unknown>): Promise<readonly string[]> => {
    const client = new MongoClient(writing.uri, { monitorCommands: true })
    const sent: string[] = []
    client.on('commandStarted', ({ commandName }) => sent.push(commandName))
    await run(client.db(writing.db.databaseName))
    await client.close()
    return sent.filter((name) => name !== 'endSessions')
  }

  it('finds the documents of each part with one command, even if collections share documentIds', async () => {
    const parts = [
      part('c1', 'd1', 'd2'),
      part('c2', 'd1'),
      part('c3', 'nobody'),
      part('none', 'd1'),
    ]
    const sent = await sentWhile(async (db) => {
      const found = await findTogether(db, parts, {})
      expect(idsIn(found)).to.deep.equal([[101, 102], [201], [], []])
      expect(found[1]).to.deep.equal([{ _id: 201, documentId: 'd1', _part: 1 }])
    })
    expect(sent).to.deep.equal(['aggregate'])
  })

  it('finds documents if the first collection does not exist', async () => {
    const found = await findTogether(writing.db, [part('none', 'd1'), part('c2', 'd1')], {})
    expect(idsIn(found)).to.deep.equal([[], [201]])
  })

  it('sends a find for one collection, and an aggregate per ten collections', async () => {
    expect(await sentWhile((db) => findTogether(db, [part('c1', 'd1')], {}))).to.deep.equal([
      'find',
    ])
    const sent = await sentWhile(async (db) => {
      const parts = collections.map((name, at) => part(name, `d${at % 10}`))
      const expected = collections.map((_, at) => [100 * at + (at % 10)])
      expect(idsIn(await findTogether(db, parts, {}))).to.deep.equal(expected)
    })
    expect(sent).to.deep.equal(['aggregate', 'aggregate'])
  })

  it('returns all documents even if they exceed one response of the database', async () => {
    const all = Array.from({ length: 10 }, (_, n) => `d${n}`)
    const parts = ['c1', 'c2'].map((name) => ({
      ...part(name, ...all),
      projection: { documentId: 1, long: 1 },
    }))
    const sent = await sentWhile(async (db) => {
      const found = await findTogether(db, parts, {})
      expect(found.map(({ length }) => length)).to.deep.equal([10, 10])
    })
    // The first response is incomplete, so its cursor is closed.
    expect(sent.slice(0, 2)).to.deep.equal(['aggregate', 'killCursors'])
  })

  it('sends the command again after a network error', async () => {
    const lost = Object.create(writing.db, {
      command: { value: () => Promise.reject(new MongoNetworkError('connection closed')) },
    }) as Db
    const found = await findTogether(lost, [part('c1', 'd1'), part('c2', 'd2')], {})
    expect(idsIn(found)).to.deep.equal([[101], [202]])
  })

  it('sends one command per collection in a transaction', async function () {
    if (!isReplicaSet()) return this.skip()
    const sent = await sentWhile((db) =>
      db.client.withSession((session) =>
        session.withTransaction(async () => {
          const found = await findTogether(db, [part('c1', 'd1'), part('c2', 'd1')], { session })
          expect(idsIn(found)).to.deep.equal([[101], [201]])
        }),
      ),
    )
    expect(sent).to.deep.equal(['find', 'find', 'commitTransaction'])
  })
})
