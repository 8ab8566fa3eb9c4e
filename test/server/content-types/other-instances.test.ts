import { expect } from 'chai'
import type { Db } from 'mongodb'
import { servesOlder, whenKnown } from '../../../server/content-types/other-instances.js'
import type { TestDatabase } from './test-database.js'
import { startTestDatabase } from './test-database.js'

describe('whenKnown and servesOlder', () => {
  let database: TestDatabase
  let db: Db
  before(async () => (database = await startTestDatabase()))
  after(() => database.stop())
  beforeEach(() => (db = database.db()))

  const report = (fields: object, secondsAgo = 0) =>
    db
      .collection<{ _id: string }>('_instances')
      .updateOne(
        { _id: 'other' },
        [{ $set: { ...fields, seenAt: { $subtract: ['$$NOW', secondsAgo * 1000] } } }],
        { upsert: true },
      )

  it('wait while an instance has not seen the newest version', async () => {
    await report({ knows: 1 })
    let isKnown = false
    const waiting = whenKnown(db, 2).then((known) => (isKnown = known))
    await report({ knows: 1, schemaVersion: 1 })
    expect(isKnown).to.equal(false)
    await report({ knows: 2, schemaVersion: 1 })
    expect(await waiting).to.equal(true)
  })

  it('do not wait for an instance that does not poll or has ended', async () => {
    await report({ schemaVersion: 1 })
    expect(await whenKnown(db, 2)).to.equal(true)
    await report({ knows: 1 }, 6)
    expect(await whenKnown(db, 2)).to.equal(true)
  })

  it('report an instance that serves older definitions, unless it is starting or has ended', async () => {
    await report({ schemaVersion: 1 })
    expect(await servesOlder(db, 2)).to.equal(true)
    expect(await servesOlder(db, 1)).to.equal(false)
    await report({ schemaVersion: 1 }, 6)
    expect(await servesOlder(db, 2)).to.equal(false)
    await report({ schemaVersion: 0 })
    expect(await servesOlder(db, 2)).to.equal(false)
  })
})
