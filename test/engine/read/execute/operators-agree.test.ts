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

describe('Every operator with every kind of value', () => {
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
    // `npm run test:long` passes nothing over.
    const stride = type === 'string' ? 5 : 1
    it(`finds and sorts ${type} as an array of the same values does`, () =>
      assertTypeAgrees(db, type, stride))
    it(`finds and sorts components by ${type} as well`, () =>
      assertTypeAgreesInComponents(db, type, stride))
  }
})
