import { expect } from 'chai'
import { createWriteTracker } from '../../../../engine/database/collection-versions.js'
import { createTotalMemory } from '../../../../workers/known-totals.js'
import type { ReadPlan } from '../../../../engine/read/plan/read-plan.js'
import { prepare } from './prepare.js'

describe('total of a list', () => {
  it('is skipped, taken from the collection metadata, or counted', () => {
    const total = (search: string, uid?: string, exactMetadata = true) =>
      prepare(search, { exactMetadata, ...(uid === undefined ? {} : { uid }) }).plan().pagination
        ?.total
    expect(total('pagination[withCount]=false')).to.equal('none')
    expect(total('', 'api::author.author')).to.equal('metadata')
    // The size of the collection is not the total: it may contain entries of removed locales, and a filter excludes
    // some entries.
    expect(total('')).to.equal('count')
    expect(total('locale=*')).to.equal('count')
    expect(total('filters[name]=a', 'api::author.author')).to.equal('count')
    expect(total('', 'api::author.author', false)).to.equal('count')
  })

  it('is cached for the same filter on the same collection', () => {
    const totals = createTotalMemory(createWriteTracker())
    const plan = (search: string): ReadPlan => prepare(search).plan()
    totals.recall(plan('filters[title]=a')).remember(7)
    expect(totals.recall(plan('filters[title]=a&pagination[page]=2&sort=views')).total).to.equal(7)
    expect(totals.recall(plan('filters[title]=b')).total).to.equal(undefined)
    expect(totals.recall(plan('filters[title]=a&status=draft')).total).to.equal(undefined)
  })

  it('is not cached for a filter of thousands of characters', () => {
    const totals = createTotalMemory(createWriteTracker())
    const plan = prepare(`filters[title]=${'a'.repeat(4090)}`).plan()
    totals.recall(plan).remember(7)
    expect(totals.recall(plan).total).to.equal(undefined)
  })

  it('is counted again by one request while others use the cached total', () => {
    let time = 0
    const totals = createTotalMemory(createWriteTracker(), () => time)
    const plan = prepare('').plan()
    const recalled = () => totals.recall(plan).total
    totals.recall(plan).remember(7)
    time = 499
    expect([recalled(), recalled()]).to.deep.equal([7, 7])
    time = 500
    const counting = totals.recall(plan)
    expect([counting.total, recalled(), recalled()]).to.deep.equal([undefined, 7, 7])
    time = 700
    counting.remember(8)
    expect(recalled()).to.equal(8)
    // At 1250, one request is told to count again, but never reports a total. At 1700, the cached total has expired.
    time = 1250
    expect([recalled(), recalled()]).to.deep.equal([undefined, 8])
    time = 1700
    expect([recalled(), recalled()]).to.deep.equal([undefined, undefined])
  })

  it('is no longer cached after a write to its collection, even if it was being counted', () => {
    const versions = createWriteTracker()
    const totals = createTotalMemory(versions)
    const plan = prepare('').plan()
    totals.recall(plan).remember(7)
    const counting = totals.recall(prepare('locale=fr').plan())
    versions.raise(plan.collection)
    counting.remember(8)
    expect(totals.recall(plan).total).to.equal(undefined)
    expect(totals.recall(prepare('locale=fr').plan()).total).to.equal(undefined)
  })
})
