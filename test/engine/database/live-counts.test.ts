import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb'
import { versionsOf } from '../../../engine/database/collection-versions.js'
import { ownDatabase } from '../../../engine/database/own-database.js'
import { openLiveCounts } from '../../../engine/database/open-live-counts.js'
import type { LiveCounts } from '../../../engine/database/live-counts.js'
import { connectDatabase } from '../../../server/database/connect.js'
import { eventually } from '../../server/database/support.js'
import { isReplicaSet } from '../../support/database-server.js'
import { testDatabaseUri } from '../../support/database.js'
import { runs } from '../../support/properties.js'

/** Longer than a count in these tests takes. */
const waitMs = 30_000
const locales = ['en', 'fr', 'de']
const all = [null, ['en'], ['fr'], ['en', 'de']] as const

type Write = Readonly<{
  by: 'own' | 'other'
  what: 'insert' | 'insertMany' | 'delete' | 'deleteIn' | 'update' | 'upsert' | 'twice' | 'together'
  id: number
  locale: string
}>

const writes: fc.Arbitrary<readonly Write[]> = fc.array(
  fc.record({
    by: fc.constantFrom('own', 'own', 'other'),
    what: fc.constantFrom(
      ...(['insert', 'insert', 'insertMany', 'delete', 'deleteIn'] as const),
      ...(['update', 'upsert', 'twice', 'together'] as const),
    ),
    id: fc.nat(6),
    locale: fc.constantFrom(...locales),
  }),
  { minLength: 1, maxLength: 12 },
)

type Doc = { _id: string; documentId: string; locale: string }

describe('live count of a collection', () => {
  let uri: string
  const clients: MongoClient[] = []
  let own: Db
  let other: Db
  let counts: LiveCounts
  before(async () => {
    uri = await testDatabaseUri()
    own = await open()
    other = await open()
    const opened = await openLiveCounts(own, { singleProcess: !isReplicaSet() })
    if (opened === undefined) throw new Error('There are no counts')
    counts = opened
  })
  after(async () => {
    await counts.stop()
    await own.dropDatabase()
    for (const client of clients) await client.close()
  })

  const open = async (): Promise<Db> => {
    const client = await connectDatabase(`${uri}&monitorCommands=true`, { appName: 'test' })
    clients.push(client)
    return ownDatabase(client)
  }
  /** Returns how many commands count documents during `run`. */
  const commandsOf = async (run: () => Promise<void>): Promise<number> => {
    let counted = 0
    const note = ({ command }: CommandStartedEvent): void => {
      if (JSON.stringify(command['pipeline'] ?? []).includes('"$count"')) counted += 1
    }
    own.client.on('commandStarted', note)
    try {
      await run()
      return counted
    } finally {
      own.client.off('commandStarted', note)
    }
  }
  const doc = (id: number, locale: string): Doc => ({
    _id: `${id} ${locale}`,
    documentId: `${id}`,
    locale,
  })
  /** Asks again while the count is unknown, for example because the change stream is late. */
  const knownCount = async (
    collection: string,
    wanted: readonly string[] | null,
  ): Promise<number | 'late' | undefined> => {
    let count: number | 'late' | undefined
    await eventually(async () => {
      count = await counts.countOf(collection, wanted, waitMs)
      return count !== undefined
    })
    return count
  }
  const ignoring = (write: Promise<unknown>): Promise<unknown> => write.catch(() => undefined)
  const take = async (db: Db, { what, id, locale }: Write): Promise<unknown> => {
    const entries = db.collection<Doc>('entries')
    const documentId = `${id}`
    switch (what) {
      case 'insert':
        return ignoring(entries.insertOne(doc(id, locale)))
      case 'insertMany':
        return ignoring(
          entries.insertMany(
            locales.map((one) => doc(id, one)),
            { ordered: false },
          ),
        )
      case 'delete':
        return entries.deleteMany({ documentId })
      case 'deleteIn':
        return entries.deleteMany({ documentId, locale })
      case 'update':
        return entries.updateMany({ documentId }, { $set: { at: id } })
      case 'upsert': {
        const { _id, ...set } = doc(id, locale)
        return entries.updateOne({ _id }, { $set: set }, { upsert: true })
      }
      case 'twice':
        return Promise.all([
          ignoring(entries.insertOne(doc(id, locale))),
          entries.deleteMany({ documentId: `${id + 1}` }),
        ])
      case 'together':
        return isReplicaSet() ? inTransaction(db, id, locale) : entries.deleteMany({ locale })
    }
  }
  const inTransaction = (db: Db, id: number, locale: string): Promise<unknown> =>
    db.client.withSession(async (session) => {
      const entries = db.collection<Doc>('entries')
      session.startTransaction()
      try {
        await entries.deleteMany({ locale }, { session })
        await entries.insertOne(doc(id, locale), { session })
        await db.collection<Document>('others').insertOne({ id }, { session })
        if (id === 3) await session.abortTransaction()
        else await session.commitTransaction()
      } catch {
        if (session.inTransaction()) await session.abortTransaction()
      }
    })
  const actual = (wanted: readonly string[] | null): Promise<number> =>
    other
      .collection('entries')
      .countDocuments(wanted === null ? {} : { locale: { $in: [...wanted] } })

  it('is right after any writes, and at once after writes of this process', async () => {
    let known = 0
    const property = fc.asyncProperty(writes, async (drawn) => {
      for (const write of drawn) {
        const isOwn = write.by === 'own' || !isReplicaSet()
        await take(isOwn ? own : other, write)
        for (const wanted of all) {
          const expected = await actual(wanted)
          const isRight = async (): Promise<boolean> => {
            const count = await counts.countOf('entries', wanted, waitMs)
            if (count !== undefined) known += 1
            // `undefined` is right too: then the caller counts the documents.
            return count === undefined || count === expected
          }
          if (isOwn)
            expect(await isRight(), JSON.stringify([write, wanted, expected])).to.equal(true)
          else await eventually(isRight)
        }
      }
    })
    await fc.assert(property, { seed: 21, numRuns: runs(25) })
    // The count is known most of the time.
    expect(known).to.be.greaterThan(runs(300))
  })

  it('becomes right after writes that ran while it was counted', async () => {
    const entries = own.collection<Doc>('many')
    const load = async (db: Db, from: number): Promise<void> => {
      for (let id = from; id < from + 60; id += 1) {
        await db.collection<Doc>('many').insertOne(doc(id, locales[id % 3] ?? ''))
        if (id % 4 === 0) await db.collection<Doc>('many').deleteMany({ documentId: `${id - 2}` })
      }
    }
    await entries.insertMany(Array.from({ length: 5_000 }, (_, id) => doc(id + 10_000, 'en')))
    const writing = Promise.all([load(own, 0), load(isReplicaSet() ? other : own, 1_000)])
    let isOver = false
    void writing.then(() => (isOver = true))
    while (!isOver) {
      await counts.countOf('many', null, waitMs)
      await setImmediate()
    }
    const expected = await entries.countDocuments()
    await eventually(async () => (await counts.countOf('many', null, waitMs)) === expected)
    expect(await counts.countOf('many', ['en', 'fr', 'de'], waitMs)).to.equal(expected)
  })

  it('counts the documents once for concurrent requests, and then follows inserts and deletes', async () => {
    const entries = own.collection<Doc>('once')
    await entries.insertMany([doc(1, 'en'), doc(2, 'en'), doc(3, 'fr')])
    // On a replica set, the first count opens the change stream.
    await eventually(async () => (await counts.countOf('opened', null, waitMs)) === 0)
    const countOf = (wanted: readonly string[] | null) => knownCount('once', wanted)
    const counted = await commandsOf(async () => {
      const all = await Promise.all(Array.from({ length: 10 }, () => countOf(null)))
      expect(new Set(all)).to.deep.equal(new Set([3]))
      const each = await Promise.all([['en'], ['fr'], ['en', 'fr']].map(countOf))
      expect(each).to.deep.equal([2, 1, 3])
    })
    // One command for all documents, and one for each locale.
    expect(counted).to.equal(3)
    const countedAgain = await commandsOf(async () => {
      await entries.insertMany([doc(4, 'en'), doc(4, 'fr')])
      expect([await countOf(null), await countOf(['en']), await countOf(['fr'])]).to.deep.equal([
        ...[5, 3, 2],
      ])
      await entries.deleteMany({ documentId: '1', locale: 'en' })
      expect(await countOf(null)).to.equal(4)
    })
    expect(countedAgain).to.equal(0)
  })

  it('follows deletes in each locale', async () => {
    const entries = own.collection<Doc>('each')
    await entries.insertMany([doc(1, 'en'), doc(2, 'en'), doc(2, 'fr')])
    const countOf = (locale: string) => knownCount('each', [locale])
    await eventually(async () => (await countOf('en')) === 2 && (await countOf('fr')) === 1)
    const counted = await commandsOf(async () => {
      await entries.deleteMany({ documentId: '1', locale: 'en' })
      expect([await countOf('en'), await countOf('fr')]).to.deep.equal([1, 1])
      // This command does not contain the locales of the deleted documents.
      await entries.deleteMany({ documentId: '2' })
      expect([await countOf('en'), await countOf('fr')]).to.deep.equal([0, 0])
    })
    // Events of a replica set never contain the locale of a deleted document, so both locales are counted after each of
    // the two deletes.
    expect(counted).to.equal(isReplicaSet() ? 4 : 2)
  })

  it('is counted again when another process may have written', async function () {
    // A replica set reports the writes of other processes.
    if (isReplicaSet()) return this.skip()
    await own.collection<Doc>('raised').insertOne(doc(1, 'en'))
    expect(await knownCount('raised', null)).to.equal(1)
    await other.collection<Doc>('raised').insertOne(doc(2, 'en'))
    expect(await knownCount('raised', null)).to.equal(1)
    versionsOf(own.client).raise()
    expect(await knownCount('raised', null)).to.equal(2)
  })

  it('is 0 after the collection was dropped', async () => {
    await own.collection<Doc>('gone').insertMany([doc(1, 'en'), doc(2, 'en')])
    await eventually(async () => (await counts.countOf('gone', null, waitMs)) === 2)
    await own.collection('gone').drop()
    await eventually(async () => (await counts.countOf('gone', null, waitMs)) === 0)
  })
})
