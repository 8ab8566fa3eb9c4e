import { expect } from 'chai'
import type { Db } from 'mongodb'
import { servesOlder, whenKnown } from '../../../server/content-types/other-instances.js'
import type { TestDatabase } from './test-database.js'
import { startTestDatabase } from './test-database.js'

describe('What other instances say of definitions', () => {
  let database: TestDatabase
  let db: Db
  before(async () => (database = await startTestDatabase()))
  after(() => database.stop())
  beforeEach(() => (db = database.db()))

  const says = (fields: object, secondsAgo = 0) =>
    db
      .collection<{ _id: string }>('_instances')
      .updateOne(
        { _id: 'other' },
        [{ $set: { ...fields, seenAt: { $subtract: ['$$NOW', secondsAgo * 1000] } } }],
        { upsert: true },
      )

  it('is waited for where one has not seen the newest yet', async () => {
    await says({ knows: 1 })
    let isKnown = false
    const waiting = whenKnown(db, 2).then((known) => (isKnown = known))
    await says({ knows: 1, schemaVersion: 1 })
    expect(isKnown).to.equal(false)
    await says({ knows: 2, schemaVersion: 1 })
    expect(await waiting).to.equal(true)
  })

  it('is not waited for where one does not look, or has ended', async () => {
    await says({ schemaVersion: 1 })
    expect(await whenKnown(db, 2)).to.equal(true)
    await says({ knows: 1 }, 6)
    expect(await whenKnown(db, 2)).to.equal(true)
  })

  it('tells whether one serves older definitions: not one that starts, serves the newest or has ended', async () => {
    await says({ schemaVersion: 1 })
    expect(await servesOlder(db, 2)).to.equal(true)
    expect(await servesOlder(db, 1)).to.equal(false)
    await says({ schemaVersion: 1 }, 6)
    expect(await servesOlder(db, 2)).to.equal(false)
    await says({ schemaVersion: 0 })
    expect(await servesOlder(db, 2)).to.equal(false)
  })
})
