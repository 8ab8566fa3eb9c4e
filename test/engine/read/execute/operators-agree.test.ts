import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { testDatabaseUri } from '../../../support/database.js'
import { storeWorld } from './naive/engine-world.js'
import {
  assertTypeAgrees,
  assertTypeAgreesInComponents,
  comparedTypes,
  worldOfValues,
} from './naive/every-operator.js'

describe('filter and sort operators', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = await MongoClient.connect(await testDatabaseUri())
    db = client.db()
    await storeWorld(db, worldOfValues)
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  for (const type of comparedTypes) {
    // Tests every fifth string. Only `npm run test:long` tests every one.
    const stride = type === 'string' ? 5 : 1
    it(`return the same ${type} values as JavaScript arrays`, () =>
      assertTypeAgrees(db, type, stride))
    it(`return the same components by ${type} as JavaScript arrays`, () =>
      assertTypeAgreesInComponents(db, type, stride))
  }
})
