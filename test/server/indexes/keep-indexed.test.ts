import { expect } from 'chai'
import type { RecordedIndex } from '../../../engine/database/recorded-indexes.js'
import { recordedIndexes } from '../../../engine/database/recorded-indexes.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { prepareCollections } from '../../../engine/database/prepare-collections.js'
import type { Explanation } from '../../../engine/explain.js'
import type { Indexing } from './start-indexing.js'
import { eventually } from '../database/support.js'
import { author, day, definitionsOf, noteAttributes, startIndexing } from './start-indexing.js'

const byKind = { filters: { kind: 'guide' }, sort: 'publishedOn:desc' }
const hour = day / 24
const byKindIndex = 'quire_locale+kind+publishedOn+_id'

const without = (...names: readonly string[]) =>
  Object.fromEntries(Object.entries(noteAttributes).filter(([name]) => !names.includes(name)))

describe('automatic indexes', function () {
  this.timeout(60_000)
  let indexing: Indexing
  before(async () => (indexing = await startIndexing()))
  after(() => indexing.stop())
  beforeEach(() => indexing.clear())

  const only = async (): Promise<RecordedIndex> => {
    const [record, ...more] = await indexing.records()
    if (record === undefined || more.length > 0) throw new Error(`${more.length + 1} records`)
    return record
  }
  const indexOf = ({ pipelines }: Explanation, purpose: string): unknown =>
    pipelines.find((it) => it['purpose'] === purpose)?.['indexes']

  it('are created for a frequent query, serve it and do not change its response', async () => {
    const before = await indexing.answer(byKind)
    const { indexer, ask } = await indexing.instance()
    ask(byKind, 500)
    await indexer.check()
    expect(await indexing.made()).to.deep.equal([byKindIndex])
    const explained = await indexing.explain(byKind)
    const fields = [['locale', 'kind', 'publishedOn', '_id']]
    expect(indexOf(explained, 'page')).to.deep.equal(fields)
    expect(indexOf(explained, 'total')).to.deep.equal(fields)
    const page = explained.pipelines.find((it) => it['purpose'] === 'page')
    expect(page?.['stages']).to.include('IXSCAN').and.not.include('SORT')
    expect(page).to.not.have.property('advice')
    expect(await indexing.answer(byKind)).to.equal(before)
    expect([...indexer.made().keys()]).to.deep.equal(['notes'])
    expect(indexer.figures()).to.deep.include({ made: 1 })
    expect(indexing.events()).to.deep.equal(['index-made'])
  })

  it('are created soon after a query becomes frequent, even if regular checks are rare', async () => {
    const { ask } = await indexing.instance({ everyMs: 3_600_000 })
    ask(byKind, 500)
    await eventually(async () => (await indexing.made()).length > 0)
    expect(await indexing.made()).to.deep.equal([byKindIndex])
  })

  it('are recorded with their purpose, benefit and cost', async () => {
    const { indexer, ask, demands } = await indexing.instance()
    ask(byKind, 500)
    for (let count = 0; count < 10; count += 1) demands.wrote('api::note.note')
    await indexer.check()
    const record = await only()
    expect(record).to.deep.include({
      ...{ collection: 'notes', uid: 'api::note.note', name: byKindIndex, state: 'made' },
      ...{ fields: ['locale', 'kind', 'publishedOn', '_id'], choice: null },
      serves: [
        {
          ...{ equal: ['kind', 'locale'], ranges: [], counted: true },
          sort: ['-publishedOn', '-_id'],
        },
      ],
    })
    expect(record.reads).to.be.within(490, 500)
    expect(record.savedMs).to.be.greaterThan(1000)
    expect(record.bytes).to.be.greaterThan(10_000)
  })

  it('are not created for queries that are rare, cheap, on few entries or not indexable', async () => {
    const { indexer, ask, demands } = await indexing.instance()
    ask(byKind, 99)
    ask({ filters: { title: { $contains: 'x' } } }, 500)
    for (let count = 0; count < 500; count += 1) ask({ filters: { likes: 5 } }, 1)
    await indexer.check()
    expect(demands.list().map(({ requests }) => Math.round(requests))).to.deep.equal([99, 500])
    expect(await indexing.records()).to.deep.equal([])
    const patient = await indexing.instance({ bounds: { minSavedMs: 60_000, minEntries: 1000 } })
    patient.ask(byKind, 200)
    await patient.indexer.check()
    const small = await indexing.instance({ bounds: { minSavedMs: 500, minEntries: 5000 } })
    small.ask(byKind, 500)
    await small.indexer.check()
    expect(await indexing.records()).to.deep.equal([])
  })

  it('serve several queries with one index if possible', async () => {
    const { indexer, ask } = await indexing.instance()
    ask({ filters: { kind: 'guide' } }, 300)
    ask({ filters: { kind: 'guide', featured: true }, sort: 'likes' }, 300)
    await indexer.check()
    expect(await indexing.made()).to.deep.equal(['quire_locale+kind+featured+likes+_id'])
    expect((await only()).serves).to.have.length(2)
  })

  it('mix directions if the keys of a sort differ in direction', async () => {
    const { indexer, ask } = await indexing.instance()
    const query = { sort: ['rank:desc', 'likes:asc'] }
    ask(query, 500)
    await indexer.check()
    expect(await indexing.made()).to.deep.equal(['quire_locale+rank+-likes+-_id'])
    const explained = await indexing.explain(query)
    expect(indexOf(explained, 'page')).to.deep.equal([['locale', 'rank', 'likes', '_id']])
    // The next start keeps the index.
    await prepareCollections(indexing.db, indexing.registry())
    expect(await indexing.made()).to.have.length(1)
  })

  it('serve filters through relations and components', async () => {
    const { indexer, ask } = await indexing.instance()
    ask({ filters: { author: { city: 'City 5' } } }, 500)
    ask({ filters: { seo: { score: 5 } } }, 500)
    await indexer.check()
    expect(await indexing.made('authors')).to.deep.equal(['quire_city+_id'])
    expect(await indexing.made()).to.deep.equal(['quire_locale+seo.score+_id'])
    const explained = await indexing.explain({ filters: { author: { city: 'City 5' } } })
    expect(indexOf(explained, 'filter through author')).to.deep.equal([['city', '_id']])
  })

  it('never contain two list fields, which MongoDB would reject', async () => {
    const { indexer, ask } = await indexing.instance()
    const filters = { author: { city: 'City 5' }, tags: { city: 'City 6' } }
    ask({ filters, sort: 'likes' }, 2000)
    await indexer.check()
    for (const { fields } of await indexing.records())
      expect(fields.filter((field) => field.endsWith('.documentId'))).to.have.length.at.most(1)
  })

  it('stay within their limits of number and size, and are only advised beyond them', async () => {
    const few = await indexing.instance({ settings: { 'indexes.perCollection': 1 } })
    few.ask(byKind, 500)
    few.ask({ sort: 'likes' }, 400)
    await few.indexer.check()
    expect(await indexing.made()).to.have.length(1)
    const advised = (await indexing.records()).filter(({ state }) => state === 'advised')
    expect(advised.map(({ failure }) => failure)).to.deep.equal([
      '1 were created for this collection (indexes.perCollection)',
    ])
    const small = await indexing.instance({ settings: { 'indexes.maxBytes': 1000 } })
    small.ask({ sort: 'rank' }, 500)
    await small.indexer.check()
    expect(await indexing.made()).to.have.length(1)
    expect(indexing.events()).to.include.members(['index-made', 'index-advised'])
  })

  it('lose the reason why they were not created once it does not apply any more', async () => {
    const settings = { 'indexes.auto': 'advise', 'indexes.perCollection': 0 } as const
    const none = await indexing.instance({ settings })
    none.ask(byKind, 500)
    await none.indexer.check()
    expect((await only()).failure).to.include('indexes.perCollection')
    indexing.pass(hour)
    const more = await indexing.instance({ settings: { 'indexes.auto': 'advise' } })
    more.ask(byKind, 500)
    await more.indexer.check()
    expect(await only()).to.not.have.property('failure')
  })

  it('leave room for eight indexes of definitions', async () => {
    const { db } = indexing
    const existing = (await db.collection('notes').listIndexes().toArray()).length
    const fillers = Array.from({ length: 56 - existing }, (_, at) => `by_hand_${at}`)
    for (const name of fillers) await db.collection('notes').createIndex({ [name]: 1 }, { name })
    try {
      const { indexer, ask } = await indexing.instance()
      ask(byKind, 500)
      await indexer.check()
      expect((await only()).failure).to.equal('the collection has 56 indexes')
    } finally {
      for (const name of fillers) await db.collection('notes').dropIndex(name)
    }
  })

  it('give way to indexes of definitions', async () => {
    const { indexer, ask } = await indexing.instance()
    ask(byKind, 500)
    await indexer.check()
    const attributes = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`more${at}`, { type: 'integer', index: at < 57 }]),
    )
    await indexing.define([...definitionsOf(attributes)])
    const all = await indexing.db.collection('notes').listIndexes().toArray()
    expect(all).to.have.length(60)
    await indexing.define(definitionsOf({ ...noteAttributes }))
    await indexer.check()
  })

  it('become indexes of the definitions if these declare the same', async () => {
    const { indexer, ask } = await indexing.instance()
    ask({ sort: 'rank' }, 500)
    await indexer.check()
    expect(await indexing.made()).to.deep.equal(['quire_locale+rank+_id'])
    const rank = { type: 'integer', index: true }
    await indexing.define(definitionsOf({ ...noteAttributes, rank }))
    await indexer.check()
    expect(await indexing.records()).to.deep.equal([])
    expect(await indexing.made()).to.deep.equal(['quire_locale+rank+_id'])
  })

  it('are dropped with their attribute or type', async () => {
    const { indexer, ask } = await indexing.instance()
    ask(byKind, 500)
    ask({ filters: { city: 'City 5' } }, 500, author)
    await indexer.check()
    expect(await indexing.records()).to.have.length(2)
    await indexing.define(definitionsOf(without('kind')))
    expect(await indexing.made()).to.deep.equal([])
    await indexer.check()
    expect((await indexing.records()).map(({ collection }) => collection)).to.deep.equal([
      'authors',
    ])
    const singleProcess = without('kind', 'author', 'editor', 'tags')
    await indexing.define(definitionsOf(singleProcess).slice(0, 2))
    await indexer.check()
    expect(await indexing.records()).to.deep.equal([])
    expect(await indexing.made('authors')).to.deep.equal([])
    expect(indexing.events().filter((event) => event === 'index-dropped')).to.have.length(2)
  })

  it('stay if an instance has older definitions', async () => {
    const { indexer, ask } = await indexing.instance()
    ask(byKind, 500)
    await indexer.check()
    const record = await only()
    await recordedIndexes(indexing.db).updateOne({ _id: record._id }, { $set: { version: 9 } })
    const older = createRegistryFrom(definitionsOf(without('kind')), 2)
    const other = await indexing.instance({ registry: () => older })
    await other.indexer.check()
    expect(await indexing.made()).to.deep.equal([byKindIndex])
  })

  it('stay after a restart, and are created again if an older program dropped them', async () => {
    const first = await indexing.instance()
    first.ask(byKind, 500)
    await first.indexer.check()
    await first.indexer.stop()
    await prepareCollections(indexing.db, indexing.registry())
    expect(await indexing.made()).to.deep.equal([byKindIndex])
    const second = await indexing.instance()
    expect(
      second.indexer
        .made()
        .get('notes')
        ?.map(({ name }) => name),
    ).to.deep.equal([byKindIndex])
    await indexing.db.collection('notes').dropIndex(byKindIndex)
    await second.indexer.check()
    expect(await indexing.made()).to.deep.equal([byKindIndex])
  })

  it('are completed by the next process if one stopped while building', async () => {
    const first = await indexing.instance()
    first.ask(byKind, 500)
    await first.indexer.check()
    const { _id } = await only()
    await recordedIndexes(indexing.db).updateOne({ _id }, { $set: { state: 'building' } })
    await indexing.db.collection('notes').dropIndex(byKindIndex)
    await prepareCollections(indexing.db, indexing.registry())
    const second = await indexing.instance()
    await second.indexer.check()
    expect((await only()).state).to.equal('made')
    expect(await indexing.made()).to.deep.equal([byKindIndex])
  })

  it('fail after too many interrupted builds', async () => {
    const first = await indexing.instance()
    first.ask(byKind, 500)
    await first.indexer.check()
    const { _id } = await only()
    const building = { $set: { state: 'building' as const, attempts: 3 } }
    await recordedIndexes(indexing.db).updateOne({ _id }, building)
    const second = await indexing.instance()
    await second.indexer.check()
    expect(await only()).to.include({ state: 'failed', failure: 'It was started too often' })
    indexing.pass(2 * day)
    await second.indexer.check()
    expect(await indexing.records()).to.deep.equal([])
  })

  it('are tried again after a day, and not sooner, if the database rejects them', async () => {
    const { db } = indexing
    await db.collection<{ _id: number }>('notes').insertOne({
      ...{ _id: -1, rank: [1, 2], likes: [1, 2], locale: 'en' },
    })
    try {
      const { indexer, ask } = await indexing.instance()
      const query = { filters: { rank: 5, likes: 7 } }
      ask(query, 500)
      await indexer.check()
      const refused = (await indexing.records()).filter(({ state }) => state === 'failed')
      expect(refused).to.have.length.at.least(1)
      for (const { fields } of refused) expect(fields).to.include.members(['rank', 'likes'])
      const failed = () => indexing.events().filter((event) => event === 'index-failed').length
      const tries = failed()
      indexing.pass(day - hour)
      ask(query, 500)
      await indexer.check()
      expect(failed()).to.equal(tries)
      indexing.pass(hour)
      ask(query, 500)
      await indexer.check()
      expect(failed()).to.equal(2 * tries)
    } finally {
      await db.collection<{ _id: number }>('notes').deleteOne({ _id: -1 })
    }
  })

  it('are dropped after 28 days without use by any process, and not sooner', async () => {
    const first = await indexing.instance()
    first.ask(byKind, 500)
    await first.indexer.check()
    const second = await indexing.instance()
    // Two processes use the index in turn. The first one is restarted each time.
    for (let days = 0; days < 40; days += 1) {
      indexing.pass(day)
      const { indexer, ask } = days % 2 === 0 ? second : await indexing.instance()
      if (days % 5 === 0) ask(byKind, 1)
      await indexer.check()
    }
    expect(await indexing.made()).to.deep.equal([byKindIndex])
    second.ask(byKind, 1)
    await second.indexer.check()
    indexing.pass(hour)
    await second.indexer.check()
    // Other queries do not count as a use of the index.
    for (let days = 0; days < 28; days += 1) {
      expect(await indexing.made()).to.deep.equal([byKindIndex])
      indexing.pass(day)
      second.ask({ filters: { rank: 1 } }, 1)
      await second.indexer.check()
    }
    expect(await indexing.made()).to.deep.equal([])
    expect(await indexing.records()).to.deep.equal([])
  })

  it('stay if no process was running that could use them', async () => {
    const first = await indexing.instance()
    first.ask(byKind, 500)
    await first.indexer.check()
    await first.indexer.stop()
    indexing.pass(300 * day)
    const second = await indexing.instance()
    await second.indexer.check()
    expect(await indexing.made()).to.deep.equal([byKindIndex])
  })

  it('have their use recorded at most once an hour', async () => {
    const { indexer, ask } = await indexing.instance()
    ask(byKind, 500)
    await indexer.check()
    indexing.pass(day)
    ask(byKind, 3)
    await indexer.check()
    const { usedAt } = await only()
    for (let times = 0; times < 5; times += 1) {
      ask(byKind, 100)
      await indexer.check()
    }
    expect((await only()).usedAt).to.deep.equal(usedAt)
    indexing.pass(hour)
    ask(byKind, 1)
    await indexer.check()
    expect((await only()).usedAt).to.be.greaterThan(usedAt as Date)
  })

  it('stay if an admin pins them, and are dropped if an admin forbids them', async () => {
    const { indexer, ask } = await indexing.instance()
    ask(byKind, 500)
    await indexer.check()
    const { _id } = await only()
    const choose = (choice: RecordedIndex['choice']) =>
      recordedIndexes(indexing.db).updateOne({ _id }, { $set: { choice } })
    await choose('pinned')
    for (let days = 0; days < 40; days += 1) {
      indexing.pass(day)
      await indexer.check()
    }
    expect(await indexing.made()).to.deep.equal([byKindIndex])
    await choose('forbidden')
    await indexer.check()
    expect(await indexing.made()).to.not.include(byKindIndex)
    ask(byKind, 500)
    await indexer.check()
    expect(await indexing.made()).to.not.include(byKindIndex)
    expect((await indexing.records()).find((it) => it._id === _id)?.choice).to.equal('forbidden')
  })

  it('are only advised in advise mode, and created if an admin pins them', async () => {
    const { indexer, ask } = await indexing.instance({ settings: { 'indexes.auto': 'advise' } })
    ask(byKind, 500)
    await indexer.check()
    expect(await indexing.made()).to.deep.equal([])
    const { _id, state } = await only()
    expect(state).to.equal('advised')
    expect(indexing.events()).to.deep.equal(['index-advised'])
    await recordedIndexes(indexing.db).updateOne({ _id }, { $set: { choice: 'pinned' } })
    await indexer.check()
    expect(await indexing.made()).to.deep.equal([byKindIndex])
  })

  it('are not created in off mode, but existing ones stay', async () => {
    const first = await indexing.instance()
    first.ask(byKind, 500)
    await first.indexer.check()
    const off = await indexing.instance({ settings: { 'indexes.auto': 'off' } })
    off.ask({ sort: 'likes' }, 500)
    await off.indexer.check()
    expect(await indexing.made()).to.deep.equal([byKindIndex])
    expect(off.indexer.made().get('notes')).to.have.length(1)
  })

  it('are not created while writes are rejected', async () => {
    let refusal: object | undefined = {}
    const { indexer, ask } = await indexing.instance({ refusal: () => refusal })
    ask(byKind, 500)
    await indexer.check()
    expect(await indexing.made()).to.deep.equal([])
    refusal = undefined
    ask(byKind, 1)
    await indexer.check()
    expect(await indexing.made()).to.deep.equal([byKindIndex])
  })

  it('are created once by several processes', async () => {
    const both = [await indexing.instance(), await indexing.instance()]
    for (const { ask } of both) {
      ask(byKind, 500)
      ask({ sort: 'likes' }, 500)
    }
    await Promise.all(both.map(({ indexer }) => indexer.check()))
    expect(await indexing.made()).to.have.length(2)
    expect(indexing.events().filter((event) => event === 'index-made')).to.have.length(2)
    // The process that did not create the indexes learns of them at its next check.
    indexing.pass(day)
    for (const { indexer } of both) {
      await indexer.check()
      expect(indexer.made().get('notes')).to.have.length(2)
    }
  })
})
