import { expect } from 'chai'
import type { Db, IndexDescriptionInfo } from 'mongodb'
import { Decimal128, Long } from 'mongodb'
import { DuplicateValuesError, ensureIndexes } from '../../../engine/database/ensure-indexes.js'
import type { Index } from '../../../engine/schema/index-list.js'
import type { TestDatabase } from '../../server/content-types/test-database.js'
import { startTestDatabase } from '../../server/content-types/test-database.js'

const slug: Index = {
  name: 'quire_slug+locale:unique:partial',
  fields: ['slug', 'locale'],
  unique: true,
  partial: { field: 'slug', least: '' },
}
const rank: Index = { name: 'quire_rank+_id', fields: ['rank', '_id'], unique: false }
const likes: Index = { name: 'quire_likes+_id', fields: ['likes', '_id'], unique: false }

describe('ensureIndexes', () => {
  let database: TestDatabase
  let db: Db

  before(async () => {
    database = await startTestDatabase()
  })
  after(() => database.stop())
  beforeEach(() => {
    db = database.db()
  })

  const indexes = async () =>
    (await db.collection('x').listIndexes().toArray()) as readonly IndexDescriptionInfo[]
  const names = async () => (await indexes()).map(({ name }) => name)
  /** Creates indexes by hand until the collection has this many. */
  const fill = async (count: number) => {
    const missing = count - (await names()).length
    const keys = Array.from({ length: missing }, (_, at) => ({ key: { [`by_hand_${at}`]: 1 } }))
    await db.collection('x').createIndexes(keys)
  }

  it('creates the indexes of a collection that does not exist yet', async () => {
    await ensureIndexes(db, 'x', [slug, rank])
    expect(await names()).to.deep.equal(['_id_', slug.name, rank.name])
  })

  it('changes nothing if the indexes are up to date', async () => {
    await ensureIndexes(db, 'x', [slug, rank])
    expect(await database.commandsOf(() => ensureIndexes(db, 'x', [slug, rank]))).to.deep.equal([
      'listIndexes',
    ])
  })

  it('drops its own indexes that are no longer wanted, and no others', async () => {
    await ensureIndexes(db, 'x', [slug, rank])
    await db.collection('x').createIndex({ by: 1 }, { name: 'by_hand' })
    await ensureIndexes(db, 'x', [rank])
    expect(await names()).to.deep.equal(['_id_', rank.name, 'by_hand'])
  })

  it('keeps outdated indexes until the collection is full, if only a full one drops them', async () => {
    await ensureIndexes(db, 'x', [slug])
    await ensureIndexes(db, 'x', [rank], { drops: 'if full' })
    expect(await names()).to.deep.equal(['_id_', slug.name, rank.name])
    await fill(64)
    await ensureIndexes(db, 'x', [rank, likes], { drops: 'if full' })
    expect(await names())
      .to.include.members([rank.name, likes.name])
      .and.not.include(slug.name)
  })

  it('drops no outdated indexes if it never may, and creates none without room for all', async () => {
    await ensureIndexes(db, 'x', [slug])
    await fill(63)
    await ensureIndexes(db, 'x', [rank, likes], { drops: 'never' })
    expect(await names())
      .to.include(slug.name)
      .and.not.include(rank.name)
    await ensureIndexes(db, 'x', [rank], { drops: 'never' })
    expect(await names()).to.include.members([slug.name, rank.name])
  })

  it('keeps optional indexes, and drops the last of them if there is no room', async () => {
    await ensureIndexes(db, 'x', [slug, likes])
    await ensureIndexes(db, 'x', [rank], { kept: [slug.name, likes.name] })
    expect(await names()).to.include.members([slug.name, likes.name, rank.name])
    await db.collection('x').dropIndex(rank.name)
    await fill(64)
    await ensureIndexes(db, 'x', [rank], { kept: [slug.name, likes.name] })
    expect(await names())
      .to.include.members([slug.name, rank.name])
      .and.not.include(likes.name)
  })

  it('recreates the index of an attribute whose type has changed', async () => {
    await ensureIndexes(db, 'x', [slug])
    await ensureIndexes(db, 'x', [{ ...slug, partial: { field: 'slug', least: -Infinity } }])
    const [, made] = await indexes()
    expect(made?.['partialFilterExpression']).to.deep.equal({ slug: { $gte: -Infinity } })
  })

  it('reports the duplicate values that prevent a unique index', async () => {
    await db.collection('x').insertMany([
      { slug: 'a', locale: 'en' },
      { slug: 'a', locale: 'en' },
    ])
    const failure = await ensureIndexes(db, 'x', [slug]).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(DuplicateValuesError)
    expect((failure as Error).message).to.equal(
      'slug and locale cannot be unique in "x": more than one entry has {"slug":"a","locale":"en"}. Change them, or remove "unique"',
    )
  })

  it('reports an index that conflicts with one created by hand', async () => {
    await db.collection('x').createIndex({ slug: 1 }, { name: 'by_hand' })
    const wanted = { name: 'quire_slug', fields: ['slug'], unique: false }
    const failure = await ensureIndexes(db, 'x', [wanted]).catch((error: unknown) => error)
    expect((failure as Error).message).to.match(
      /^Indexes of "x" could not be created \(quire_slug\): .*by_hand/,
    )
  })

  for (const [type, least, value] of [
    ['text', '', 'a'],
    ['empty text', '', ''],
    ['numbers', -Infinity, 5],
    ['big integers', -Infinity, Long.fromString('9007199254740993')],
    ['decimals', -Infinity, Decimal128.fromString('-1.5')],
    ['dates', new Date(-8_640_000_000_000_000), new Date(0)],
    ['booleans', false, false],
  ] as const)
    it(`rejects duplicate ${type}, but not duplicate nulls`, async () => {
      await ensureIndexes(db, 'x', [{ ...slug, partial: { field: 'slug', least } }])
      await db.collection('x').insertMany([{ slug: null }, { slug: null }, {}, { slug: value }])
      const again = await db
        .collection('x')
        .insertOne({ slug: value })
        .catch((error: unknown) => error)
      expect(again).to.have.property('code', 11000)
    })
})
