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
const byKindIndex = 'quire_locale+kind+publishedOn+_id'

const without = (...names: readonly string[]) =>
  Object.fromEntries(Object.entries(noteAttributes).filter(([name]) => !names.includes(name)))

describe('Indexes that nobody asked for', function () {
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

  it('are made for what is asked often, are used, and change no answer', async () => {
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

  it('are made soon after something became frequent, however rare the regular looks are', async () => {
    const { ask } = await indexing.instance({ everyMs: 3_600_000 })
    ask(byKind, 500)
    await eventually(async () => (await indexing.made()).length > 0)
    expect(await indexing.made()).to.deep.equal([byKindIndex])
  })

  it('are recorded with what they are for, bring and cost', async () => {
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

  it('are not made for what is asked seldom, or only for a moment, or costs little', async () => {
    const { indexer, ask, demands } = await indexing.instance()
    ask(byKind, 99)
    // No index answers it.
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

  it('serve several shapes where one can', async () => {
    const { indexer, ask } = await indexing.instance()
    ask({ filters: { kind: 'guide' } }, 300)
    ask({ filters: { kind: 'guide', featured: true }, sort: 'likes' }, 300)
    await indexer.check()
    expect(await indexing.made()).to.deep.equal(['quire_locale+kind+featured+likes+_id'])
    expect((await only()).serves).to.have.length(2)
  })

  it('have a direction of their own where two keys of a sort differ', async () => {
    const { indexer, ask } = await indexing.instance()
    const query = { sort: ['rank:desc', 'likes:asc'] }
    ask(query, 500)
    await indexer.check()
    expect(await indexing.made()).to.deep.equal(['quire_locale+rank+-likes+-_id'])
    const explained = await indexing.explain(query)
    expect(indexOf(explained, 'page')).to.deep.equal([['locale', 'rank', 'likes', '_id']])
    // They are what is wanted at the next start, too.
    await prepareCollections(indexing.db, indexing.registry())
    expect(await indexing.made()).to.have.length(1)
  })

  it('serve what filters ask of relations, and of components', async () => {
    const { indexer, ask } = await indexing.instance()
    ask({ filters: { author: { city: 'City 5' } } }, 500)
    ask({ filters: { seo: { score: 5 } } }, 500)
    await indexer.check()
    expect(await indexing.made('authors')).to.deep.equal(['quire_city+_id'])
    expect(await indexing.made()).to.deep.equal(['quire_locale+seo.score+_id'])
    const explained = await indexing.explain({ filters: { author: { city: 'City 5' } } })
    expect(indexOf(explained, 'filter through author')).to.deep.equal([['city', '_id']])
  })

  it('never hold two lists, which MongoDB would refuse to write', async () => {
    const { indexer, ask } = await indexing.instance()
    const filters = { author: { city: 'City 5' }, tags: { city: 'City 6' } }
    ask({ filters, sort: 'likes' }, 2000)
    await indexer.check()
    for (const { fields } of await indexing.records())
      expect(fields.filter((field) => field.endsWith('.documentId'))).to.have.length.at.most(1)
  })

  it('keep within their number and size, and what has no room is told', async () => {
    const few = await indexing.instance({ budget: { perCollection: 1, bytes: 100_000_000 } })
    few.ask(byKind, 500)
    few.ask({ sort: 'likes' }, 400)
    await few.indexer.check()
    expect(await indexing.made()).to.have.length(1)
    const advised = (await indexing.records()).filter(({ state }) => state === 'advised')
    expect(advised.map(({ failure }) => failure)).to.deep.equal([
      '1 were created for this collection (indexes.perCollection)',
    ])
    const small = await indexing.instance({ budget: { perCollection: 8, bytes: 1000 } })
    small.ask({ sort: 'rank' }, 500)
    await small.indexer.check()
    expect(await indexing.made()).to.have.length(1)
    expect(indexing.events()).to.include.members(['index-made', 'index-advised'])
  })

  it('leave eight of those that MongoDB has to definitions', async () => {
    const { db } = indexing
    const there = (await db.collection('notes').listIndexes().toArray()).length
    const fillers = Array.from({ length: 56 - there }, (_, at) => `by_hand_${at}`)
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

  it('give way to those of definitions', async () => {
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

  it('are those of the definitions where these ask for the same', async () => {
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

  it('go with the attribute or the type that they are about', async () => {
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
    const alone = without('kind', 'author', 'editor', 'tags')
    await indexing.define(definitionsOf(alone).slice(0, 2))
    await indexer.check()
    expect(await indexing.records()).to.deep.equal([])
    expect(await indexing.made('authors')).to.deep.equal([])
    expect(indexing.events().filter((event) => event === 'index-dropped')).to.have.length(2)
  })

  it('stay where definitions are older than those they were made with', async () => {
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

  it('stay over a restart, and are made again where a program of before took them away', async () => {
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

  it('are finished by the next process where one ended in the middle', async () => {
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

  it('are not begun for ever where each process ends in the middle', async () => {
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

  it('are not made anew for a day where the database refuses them', async () => {
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
      const events = indexing.events().length
      ask(query, 500)
      await indexer.check()
      expect(indexing.events()).to.have.length(events)
    } finally {
      await db.collection<{ _id: number }>('notes').deleteOne({ _id: -1 })
    }
  })

  it('go when they were not used for weeks, by whichever process', async () => {
    const first = await indexing.instance()
    first.ask(byKind, 500)
    await first.indexer.check()
    const second = await indexing.instance()
    // Used, in turns by one process and the other, each of which was started anew.
    for (let days = 0; days < 40; days += 1) {
      indexing.pass(day)
      const { indexer, ask } = days % 2 === 0 ? second : await indexing.instance()
      if (days % 5 === 0) ask(byKind, 1)
      await indexer.check()
    }
    expect(await indexing.made()).to.deep.equal([byKindIndex])
    // What is asked otherwise does not count as its use.
    for (let days = 0; days < 35; days += 1) {
      indexing.pass(day)
      second.ask({ filters: { rank: 1 } }, 1)
      await second.indexer.check()
    }
    expect(await indexing.made()).to.deep.equal([])
    expect(await indexing.records()).to.deep.equal([])
  })

  it('stay where nobody was there to use them', async () => {
    const first = await indexing.instance()
    first.ask(byKind, 500)
    await first.indexer.check()
    await first.indexer.stop()
    indexing.pass(300 * day)
    const second = await indexing.instance()
    await second.indexer.check()
    expect(await indexing.made()).to.deep.equal([byKindIndex])
  })

  it('are recorded as used by one write an hour, however often they are', async () => {
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
  })

  it('stay where an admin pins them, and go where one forbids them', async () => {
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

  it('are only advised where that is set, and made where an admin pins them', async () => {
    const { indexer, ask } = await indexing.instance({ mode: 'advise' })
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

  it('are not thought of where that is off; those that were made stay', async () => {
    const first = await indexing.instance()
    first.ask(byKind, 500)
    await first.indexer.check()
    const off = await indexing.instance({ mode: 'off' })
    off.ask({ sort: 'likes' }, 500)
    await off.indexer.check()
    expect(await indexing.made()).to.deep.equal([byKindIndex])
    expect(off.indexer.made().get('notes')).to.have.length(1)
  })

  it('are not made while writes are refused', async () => {
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

  it('are made once, by one of several processes', async () => {
    const both = [await indexing.instance(), await indexing.instance()]
    for (const { ask } of both) {
      ask(byKind, 500)
      ask({ sort: 'likes' }, 500)
    }
    await Promise.all(both.map(({ indexer }) => indexer.check()))
    expect(await indexing.made()).to.have.length(2)
    expect(indexing.events().filter((event) => event === 'index-made')).to.have.length(2)
    // The other hears of them when it looks again.
    indexing.pass(day)
    for (const { indexer } of both) {
      await indexer.check()
      expect(indexer.made().get('notes')).to.have.length(2)
    }
  })
})
