import { expect } from 'chai'
import { createTotalMemory } from '../../../../workers/known-totals.js'
import type { ReadPlan } from '../../../../engine/read/plan/read-plan.js'
import { prepare } from './prepare.js'

describe('The total of a list', () => {
  it('is not asked for, is the metadata of the collection, or is counted', () => {
    const total = (search: string, uid?: string, exactMetadata = true) =>
      prepare(search, { exactMetadata, ...(uid === undefined ? {} : { uid }) }).plan().pagination
        ?.total
    expect(total('pagination[withCount]=false')).to.equal('none')
    expect(total('', 'api::author.author')).to.equal('metadata')
    // A collection holds every locale there ever was, and a filter leaves some out.
    expect(total('')).to.equal('count')
    expect(total('locale=*')).to.equal('count')
    expect(total('filters[name]=a', 'api::author.author')).to.equal('count')
    expect(total('', 'api::author.author', false)).to.equal('count')
  })

  it('is remembered for the same filter of the same collection', () => {
    const totals = createTotalMemory()
    const plan = (search: string): ReadPlan => prepare(search).plan()
    totals.recall(plan('filters[title]=a')).remember(7)
    expect(totals.recall(plan('filters[title]=a&pagination[page]=2&sort=views')).total).to.equal(7)
    expect(totals.recall(plan('filters[title]=b')).total).to.equal(undefined)
    expect(totals.recall(plan('filters[title]=a&status=draft')).total).to.equal(undefined)
  })

  it('is not remembered for a filter of thousands of characters', () => {
    const totals = createTotalMemory()
    const plan = prepare(`filters[title]=${'a'.repeat(4090)}`).plan()
    totals.recall(plan).remember(7)
    expect(totals.recall(plan).total).to.equal(undefined)
  })

  it('is counted again by one of those who ask, while the others take what is remembered', () => {
    let time = 0
    const totals = createTotalMemory(undefined, () => time)
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
    // Whoever was to count it again did not come back.
    time = 1250
    expect([recalled(), recalled()]).to.deep.equal([undefined, 8])
    time = 1700
    expect([recalled(), recalled()]).to.deep.equal([undefined, undefined])
  })

  it('is forgotten when this process writes, also one that was being counted', () => {
    const totals = createTotalMemory()
    const plan = prepare('').plan()
    totals.recall(plan).remember(7)
    const counting = totals.recall(prepare('locale=fr').plan())
    totals.forget()
    counting.remember(8)
    expect(totals.recall(plan).total).to.equal(undefined)
    expect(totals.recall(prepare('locale=fr').plan()).total).to.equal(undefined)
  })
})
