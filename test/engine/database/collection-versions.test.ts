import { expect } from 'chai'
import type { Collection, Db, MongoClient } from 'mongodb'
import { MongoNetworkError } from 'mongodb'
import { createClient } from '../../../engine/database/client.js'
import type { CollectionVersions, Watched } from '../../../engine/database/collection-versions.js'
import { createWriteTracker, versionsOf } from '../../../engine/database/collection-versions.js'
import { testDatabaseUri } from '../../support/database.js'
import { isReplicaSet, startDatabaseServer } from '../../support/database-server.js'
import { eventually } from '../../server/database/support.js'

describe('collection versions', () => {
  let client: MongoClient
  let db: Db
  let entries: Collection<{ _id: number; n?: number }>
  let versions: CollectionVersions
  before(async () => {
    client = createClient(await testDatabaseUri(), { appName: 'test' })
    versions = versionsOf(client)
    db = client.db()
  })
  beforeEach(async () => {
    await db.dropDatabase()
    entries = db.collection('entries')
    await entries.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    insertOne: () => entries.insertOne({ _id: 4 }),
    insertMany: () => entries.insertMany([{ _id: 4 }, { _id: 5 }]),
    updateOne: () => entries.updateOne({ _id: 1 }, { $set: { n: 1 } }),
    updateMany: () => entries.updateMany({}, [{ $set: { n: 1 } }]),
    replaceOne: () => entries.replaceOne({ _id: 1 }, { n: 1 }, { upsert: true }),
    deleteOne: () => entries.deleteOne({ _id: 1 }),
    deleteMany: () => entries.deleteMany({}),
    findOneAndUpdate: () => entries.findOneAndUpdate({ _id: 1 }, { $set: { n: 1 } }),
    findOneAndReplace: () => entries.findOneAndReplace({ _id: 1 }, { n: 2 }),
    findOneAndDelete: () => entries.findOneAndDelete({ _id: 1 }),
    bulkWrite: () => entries.bulkWrite([{ deleteOne: { filter: { _id: 1 } } }]),
    drop: () => entries.drop(),
    'a drop of the database': () => db.dropDatabase(),
    'a rename to another name': () => entries.rename('others'),
    'a rename of another collection to its name': async () => {
      await db.collection<{ _id: number }>('others').insertOne({ _id: 9 })
      await db.collection('others').rename('entries', { dropTarget: true })
    },
    'an aggregation that writes': () =>
      db
        .collection('others')
        .aggregate([{ $match: {} }, { $merge: 'entries' }])
        .toArray(),
    'a raw delete command': () => db.command({ delete: 'entries', deletes: [{ q: {}, limit: 0 }] }),
  }
  for (const [name, write] of Object.entries(writes))
    it(`change after ${name}, and are undefined while it runs`, async () => {
      const watched = versions.watch(['entries'])
      const before = watched()
      const running = write()
      const during = await firstOther(watched, before)
      await running
      expect(before).to.be.a('number')
      expect(during).to.equal(undefined)
      expect(watched()).to.be.a('number').and.not.equal(before)
    })

  it('change after a failed write', async () => {
    const watched = versions.watch(['entries'])
    const before = watched()
    const error: unknown = await entries.insertOne({ _id: 1 }).catch((error: unknown) => error)
    expect(error).to.have.property('code', 11_000)
    expect(watched()).to.be.a('number').and.not.equal(before)
  })

  it('stay the same after reads, and after writes to other collections', async () => {
    const watched = versions.watch(['entries', 'elsewhere'])
    const before = watched()
    await entries.find({}, { batchSize: 1 }).toArray()
    await entries.aggregate([{ $group: { _id: null, n: { $sum: 1 } } }]).toArray()
    await entries.countDocuments({})
    await entries.estimatedDocumentCount()
    await entries.distinct('n')
    await entries.createIndex({ n: 1 })
    await entries.listIndexes().toArray()
    await db.listCollections().toArray()
    await db.collection('others').insertOne({})
    expect(watched()).to.equal(before)
  })

  it('change when a write of another process is reported', () => {
    const [one, other] = [versions.watch(['entries']), versions.watch(['others'])]
    const before = [one(), other()]
    versions.raise('entries')
    expect([one() === before[0], other() === before[1]]).to.deep.equal([false, true])
    versions.raise()
    expect(other()).to.be.a('number').and.not.equal(before[1])
  })

  it('change when a transaction commits, but not when it aborts', async function () {
    if (!isReplicaSet()) return this.skip()
    const watched = versions.watch(['entries'])
    const seen: (number | undefined)[] = [watched()]
    await client.withSession(async (session) => {
      session.startTransaction()
      await entries.insertOne({ _id: 4 }, { session })
      seen.push(watched())
      await session.abortTransaction()
      seen.push(watched())
      session.startTransaction()
      await entries.insertOne({ _id: 4 }, { session })
      seen.push(watched())
      const committing = session.commitTransaction()
      expect(await firstOther(watched, seen[0])).to.equal(undefined)
      await committing
    })
    expect(new Set(seen).size).to.equal(1)
    expect(watched()).to.be.a('number').and.not.equal(seen[0])
  })

  it('are undefined while a write whose connection was lost may still arrive', async () => {
    const tracker = createWriteTracker()
    const watched = tracker.watch(['entries'])
    const lost = (): Promise<never> => Promise.reject(new MongoNetworkError('lost'))
    await tracker.trackCommand({ update: 'entries' }, undefined, lost).catch(() => undefined)
    await tracker.trackCommand({ update: 'entries' }, undefined, () => Promise.resolve())
    expect(watched()).to.equal(undefined)
  })

  it('are defined again after a retried commit is acknowledged', async () => {
    const tracker = createWriteTracker()
    const watched = tracker.watch(['entries'])
    const before = watched()
    const session = { inTransaction: () => true }
    const done = (): Promise<unknown> => Promise.resolve()
    const lost = (): Promise<never> => Promise.reject(new MongoNetworkError('lost'))
    await tracker.trackCommand({ insert: 'entries' }, session, done)
    await tracker.trackCommand({ commitTransaction: 1 }, session, lost).catch(() => undefined)
    const between = watched()
    await tracker.trackCommand({ commitTransaction: 1 }, session, done)
    expect(between).to.equal(undefined)
    expect(watched()).to.be.a('number').and.not.equal(before)
  })

  it('are undefined for a while after an election that the old primary may not know of', async function () {
    if (!isReplicaSet()) return this.skip()
    // Use a separate replica set, because other tests would notice the election too.
    const server = await startDatabaseServer()
    const own = createClient(server.uriOf('test'), { appName: 'test' })
    try {
      await own.db().collection('entries').insertOne({})
      const watched = versionsOf(own).watch(['entries'])
      expect(watched()).to.be.a('number')
      const stepDown = { replSetStepDown: 1, secondaryCatchUpPeriodSecs: 0, force: true }
      await own.db('admin').command(stepDown)
      await eventually(() => watched() === undefined)
    } finally {
      await own.close()
      await server.stop()
    }
  })

  it('are defined again when a period of doubt is over', async () => {
    const tracker = createWriteTracker()
    const watched = tracker.watch(['entries'])
    const before = watched()
    tracker.distrustFor(1)
    expect(watched()).to.equal(undefined)
    await eventually(() => watched() !== undefined)
    expect(watched()).not.to.equal(before)
  })

  it('change after an unknown command, even if it names another collection', async () => {
    const tracker = createWriteTracker()
    const watched = tracker.watch(['entries'])
    const before = watched()
    await tracker.trackCommand({ somethingNew: 'others' }, undefined, () => Promise.resolve())
    expect(watched()).to.be.a('number').and.not.equal(before)
  })
})

async function firstOther(watched: Watched, than: number | undefined): Promise<number | undefined> {
  while (watched() === than) await new Promise((resolve) => setImmediate(resolve))
  return watched()
}
