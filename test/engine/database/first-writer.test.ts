import { expect } from 'chai'
import type { Collection } from 'mongodb'
import { MongoClient } from 'mongodb'
import { asFirstWriter } from '../../../engine/database/as-first-writer.js'
import { isDuplicateKey } from '../../../engine/database/duplicate-key.js'
import { testDatabaseUri } from '../../support/database.js'

describe('asFirstWriter', () => {
  let client: MongoClient
  let things: Collection<{ _id: string; made: string }>
  before(async () => {
    client = await new MongoClient(await testDatabaseUri()).connect()
    things = client.db().collection('things')
  })
  beforeEach(() => things.deleteMany({}))
  after(() => client.close())

  it('returns what the other writer inserted first', async () => {
    let runs = 0
    const made = await asFirstWriter(async () => {
      runs += 1
      const existing = await things.findOne({ _id: 'a' })
      if (existing !== null) return existing.made
      // The other writer inserts between this writer's read and its insert.
      await things.insertOne({ _id: 'a', made: 'by the other' })
      await things.insertOne({ _id: 'a', made: 'by this one' })
      return 'by this one'
    })
    expect([made, runs]).to.deep.equal(['by the other', 2])
  })

  it('retries once after a duplicate key, and not after other errors', async () => {
    let runs = 0
    const failing = (fail: () => Promise<unknown>) =>
      asFirstWriter(() => {
        runs += 1
        return fail()
      }).catch((error: unknown) => error)
    await things.insertOne({ _id: 'a', made: 'before' })
    const duplicate = await failing(() => things.insertOne({ _id: 'a', made: 'again' }))
    expect([isDuplicateKey(duplicate), runs]).to.deep.equal([true, 2])
    runs = 0
    const other = await failing(() => things.updateOne({ _id: 'a' }, { $set: { _id: 'b' } }))
    expect([isDuplicateKey(other), runs]).to.deep.equal([false, 1])
  })
})
