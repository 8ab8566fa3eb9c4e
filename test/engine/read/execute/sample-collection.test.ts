import { expect } from 'chai'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { sampleCollection } from '../../../../engine/read/execute/sample-collection.js'
import { testDatabaseUri } from '../../../support/database.js'

describe('sampleCollection', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = new MongoClient(await testDatabaseUri())
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  it('returns the share of each locale and the indexed paths', async () => {
    const entry = (_id: number, locale: string) => ({ _id, documentId: `d${_id}`, locale })
    const entries = [entry(1, 'en'), entry(2, 'en'), entry(3, 'fr'), entry(4, 'en')]
    await db.collection<{ _id: number }>('localized').insertMany(entries)
    await db.collection('localized').createIndex({ locale: 1, 'box.title': -1 })
    const sample = await sampleCollection(db, 'localized', [])
    expect(Object.fromEntries(sample?.locales ?? [])).to.deep.equal({ en: 0.75, fr: 0.25 })
    expect([...(sample?.indexed ?? [])]).to.have.members(['_id', 'locale', 'box.title'])
  })

  it('returns null for an empty or missing collection', async () => {
    await db.createCollection('empty')
    expect(await sampleCollection(db, 'empty', [])).to.equal(null)
    expect(await sampleCollection(db, 'nowhere', [])).to.equal(null)
  })
})
