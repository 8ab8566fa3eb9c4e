import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { assertAgreement, randomSchema } from '../engine/read/execute/naive/agree.js'
import { storeWorld } from '../engine/read/execute/naive/engine-world.js'
import {
  assertTypeAgrees,
  assertTypeAgreesInComponents,
  worldOfValues,
} from '../engine/read/execute/naive/every-operator.js'
import { library } from '../engine/read/execute/naive/library.js'
import { testDatabaseUri } from '../support/database.js'
import { seed as first } from '../support/properties.js'

const seeds = Array.from({ length: 20 }, (_, index) => first + index)

describe('long test of reads', () => {
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

  for (const seed of seeds) {
    it(`return what arrays of the same documents return (SEED=${seed})`, () =>
      assertAgreement(db, library, { seed, numRuns: 500 }))
    it(`return the same for a random content model (SEED=${seed})`, () =>
      assertAgreement(db, randomSchema(seed), { seed, numRuns: 200 }))
  }

  it('filter and sort every string with every operator', async () => {
    await storeWorld(db, worldOfValues)
    await assertTypeAgrees(db, 'string')
    await assertTypeAgreesInComponents(db, 'string')
  })
})
