import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { compileLookup } from '../../../../engine/read/compile/compile-lookup.js'
import type { Link } from '../../../../engine/read/plan/read-plan.js'
import { connectDatabase } from '../../../../server/database/connect.js'
import { testDatabaseUri } from '../../../support/database.js'

describe('lookup through a relation without an index', () => {
  let db: Db
  let close: () => Promise<void>
  before(async () => {
    const client = await connectDatabase(await testDatabaseUri(), { appName: 'test' })
    db = client.db()
    close = () => client.close()
    const sources = ['a', 'b', 'c'].map((documentId) => ({ documentId, locale: 'en' }))
    await db.collection<{ documentId: string }>('holders').insertMany(sources)
    await db.collection<Document>('targets').insertMany([
      { documentId: 'one', locale: 'en', rel: { documentId: 'a' }, _refs: ['rel:a'] },
      { documentId: 'two', locale: 'fr', rel: { documentId: 'a' }, _refs: ['rel:a'] },
      {
        ...{ documentId: 'list', locale: 'en', _refs: ['rel:b', 'rel:a'] },
        rel: [{ documentId: 'b' }, { documentId: 'a' }],
      },
      { documentId: 'stale', locale: 'en', rel: null, _refs: ['rel:a'] },
      { documentId: 'other', locale: 'en', that: { documentId: 'a' }, _refs: ['that:a'] },
      { documentId: 'none', locale: 'en' },
    ])
  })
  after(() => close())

  const found = async (locale: Link['locale']) => {
    const link: Link = {
      ...{ collection: 'targets', stored: 'there', path: 'rel', many: true },
      ...{ locale, listed: true },
    }
    const stages = compileLookup(link, [{ $sort: { documentId: 1 } }], 'found')
    const rows = await db
      .collection('holders')
      .aggregate([...stages, { $sort: { documentId: 1 } }])
      .toArray()
    return rows.map((row) =>
      (row['found'] as { documentId: string }[]).map(({ documentId }) => documentId),
    )
  }

  it('finds entries by their _refs list and checks the relation itself', async () => {
    expect(await found({ kind: 'none' })).to.deep.equal([['list', 'one', 'two'], ['list'], []])
  })

  it('finds only entries in the locale that the locale rule selects', async () => {
    expect(await found({ kind: 'same' })).to.deep.equal([['list', 'one'], ['list'], []])
    expect(await found({ kind: 'fixed', code: 'fr' })).to.deep.equal([['two'], [], []])
  })
})
