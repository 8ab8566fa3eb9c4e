import { startBudget } from '../../../../engine/read/execute/budget.js'
import { expect } from 'chai'
import type { Db, MongoClient } from 'mongodb'
import { MongoServerError } from 'mongodb'
import { retryCommand } from '../../../../engine/database/retry-command.js'
import type { Command } from '../../../../engine/read/compile/compile-command.js'
import { createReader, type Meter } from '../../../../engine/read/execute/reader.js'
import { connectDatabase } from '../../../../server/database/connect.js'
import { testDatabaseUri } from '../../../support/database.js'

const planKilled = new MongoServerError({ message: "index 'by_number' dropped", code: 175 })

describe('read whose index is dropped', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = await connectDatabase(await testDatabaseUri(), { appName: 'test' })
    db = client.db()
    const things = Array.from({ length: 500 }, (_, number) => ({ number }))
    await db.collection('things').insertMany(things)
  })
  after(() => client.close())

  const filter = { number: { $gte: 100 } }
  const twice = { $add: ['$number', '$number'] }
  const commands: [string, Command][] = [
    ['find', { find: { filter, projection: {} } }],
    ['group', { aggregate: [{ $match: filter }, { $group: { _id: '$number' } }] }],
    ['pipeline', { aggregate: [{ $match: filter }, { $set: { twice } }] }],
  ]
  for (const [kind, command] of commands)
    it(`succeeds with another plan (${kind})`, async () => {
      await db.collection('things').createIndex({ number: 1 }, { name: 'by_number' })
      let counted = 0
      const meter: Meter = { batchSize: 100, add: (documents) => void (counted += documents) }
      const reader = createReader(db, startBudget(20_000), { meter })
      const reading = reader.read('things', command, '')
      await db.collection('things').dropIndex('by_number')
      expect(await reading).to.have.lengthOf(400)
      expect(counted).to.equal(400)
    })

  it('is sent at most five times, and again only after this error', async () => {
    let sent = 0
    const failing = (times: number, error: Error) => () => {
      sent += 1
      return sent <= times ? Promise.reject(error) : Promise.resolve('read')
    }
    expect(await retryCommand(failing(4, planKilled))).to.equal('read')
    sent = 0
    expect(await retryCommand(failing(5, planKilled)).catch((error: unknown) => error)).to.equal(
      planKilled,
    )
    sent = 0
    const other = new Error('another')
    expect(await retryCommand(failing(1, other)).catch((error: unknown) => error)).to.equal(other)
    expect(sent).to.equal(1)
  })
})
