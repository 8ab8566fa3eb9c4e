import { expect } from 'chai'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { takeIds } from '../../../engine/database/take-ids.js'
import { testDatabaseUri } from '../../support/database.js'
import { later } from '../../support/later.js'

/** Lifetime of a block of ids, in seconds. */
const second = 1

describe('record ids', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = await MongoClient.connect(await testDatabaseUri())
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  it('rise without gaps in one process, also after a pause', async () => {
    const taken = [...(await takeIds(db, 'a', 1)), ...(await takeIds(db, 'a', 1))]
    await later(second, async () => {
      taken.push(...(await takeIds(db, 'a', 1)), ...(await takeIds(db, 'a', 3)))
    })
    expect(taken).to.deep.equal([1, 2, 3, 4, 5, 6])
  })

  it('are unique among concurrent callers', async () => {
    // The second handle stands for another process, which does not know the reserved block of ids.
    const other = client.db()
    const takes = Array.from({ length: 60 }, (_, n) =>
      takeIds(n % 2 === 0 ? db : other, 'b', 1 + (n % 4)),
    )
    const ids = (await Promise.all(takes)).flat()
    await later(second, async () => {
      ids.push(...(await takeIds(db, 'b', 5)), ...(await takeIds(other, 'b', 5)))
    })
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('are not given again after the stored sequence is deleted', async () => {
    const before = await takeIds(db, 'd', 3)
    await db.collection('_sequences').deleteOne({ _id: 'd' as never })
    const after = await later(second, () => takeIds(db, 'd', 2))
    expect(before.concat(after)).to.deep.equal([1, 2, 3, 4, 5])
  })

  it('are reserved with one command for all waiting callers', async () => {
    const watched = new MongoClient(await testDatabaseUri(), { monitorCommands: true })
    let commands = 0
    watched.on('commandStarted', ({ commandName }) => {
      if (commandName === 'findAndModify') commands += 1
    })
    try {
      const own = watched.db(db.databaseName)
      const ids = await Promise.all(Array.from({ length: 200 }, () => takeIds(own, 'c', 1)))
      expect(ids.flat()).to.deep.equal(Array.from({ length: 200 }, (_, at) => at + 1))
      expect(commands).to.equal(1)
    } finally {
      await watched.close()
    }
  })
})
