import { expect } from 'chai'
import type { CollectionFacts } from '../../../../engine/read/cost/collection-facts.js'
import { costOfIndexScan, shareOf } from '../../../../engine/read/cost/index-scan-cost.js'
import type { Condition, Link, ReadPlan, SortKey } from '../../../../engine/read/plan/read-plan.js'
import { always } from '../../../../engine/read/plan/read-plan.js'
import type { Value } from '../../../../engine/values/value-test.js'

const books: CollectionFacts = {
  entries: 10_000,
  indexes: [
    { fields: ['writer.documentId', 'writer.order'], isWhole: true },
    { fields: ['title', 'editor.documentId'], isWhole: true },
  ],
  sample: {
    ...{ bytes: 100, fields: new Map() },
    values: new Map([['writer.documentId', { each: 1, usual: 0.001, most: 0.01 }]]),
    locales: new Map([
      ['en', 0.5],
      ['fr', 0.25],
    ]),
  },
}
const linkTo = (path: string, more: Partial<Link> = {}): Link => ({
  ...{ collection: 'writers', path, stored: 'here', many: false, locale: { kind: 'none' } },
  ...more,
})
const by = (link: Link): SortKey => ({
  ...{ through: [{ kind: 'link', link }], path: 'name', direction: 1 },
})
const title: SortKey = { through: [], path: 'title', direction: 1 }
const isIn = (path: string, ...values: readonly Value[]): Condition => ({
  ...{ kind: 'test', path, test: { op: 'in', values } },
})
const text = (value: string): Value => ({ as: 'text', value })

type ScanPlan = Pick<ReadPlan, 'match' | 'chain' | 'sort' | 'skip' | 'limit'>

function scan(plan: Partial<ScanPlan> = {}, targets = 500, facts = books): number | null {
  return costOfIndexScan(
    {
      ...{ collection: 'books', match: always, sort: [by(linkTo('writer'))], skip: 0, limit: 25 },
      ...plan,
    },
    (collection) => (collection === 'books' ? facts : { entries: targets, indexes: [] }),
  )
}

describe('costOfIndexScan', () => {
  const command = 40
  /** Cost to sort one target and to query its entries. */
  const target = 1.2
  /**
   * Entries that are read of the last target: on average, 10,000 entries / 500 targets. In the sample, a target has
   * ten, which counts if the average is lower.
   */
  const last = 20

  it('covers all targets, and the entries up to the end of the page', () => {
    expect(scan()).to.equal(command + 500 * target + 25 + last)
    expect(scan({ skip: 100, limit: 10 })).to.equal(command + 500 * target + 110 + last)
    expect(scan({ sort: [by(linkTo('writer')), title] })).to.equal(scan())
    expect(scan({}, 10_000)).to.equal(command + 10_000 * target + 25 + 10)
    const unknown = { ...books, sample: books.sample && { ...books.sample, values: new Map() } }
    expect(scan({}, 500, unknown)).to.equal(command + 500 * target + 25)
  })

  it('covers the entries of other locales that it skips', () => {
    const match = isIn('locale', text('fr'))
    expect(scan({ match })).to.equal(command + 500 * target + 25 / 0.25 + last)
  })

  it('returns null if the locale of the targets depends on each entry', () => {
    const at = (locale: Link['locale']) => scan({ sort: [by(linkTo('writer', { locale }))] })
    expect(at({ kind: 'fixed', code: 'en' })).to.equal(scan())
    expect(at({ kind: 'same' })).to.equal(null)
    expect(at({ kind: 'first', among: ['en'] })).to.equal(null)
  })

  it('returns null if no index groups the entries by target, or an entry may have several targets', () => {
    for (const more of [{ stored: 'there' }, { many: true }, { listed: true }] as const)
      expect(scan({ sort: [by(linkTo('writer', more))] })).to.equal(null)
    expect(scan({ sort: [by(linkTo('editor'))] })).to.equal(null)
    expect(scan({ sort: [title, by(linkTo('writer'))] })).to.equal(null)
    expect(scan({ sort: [by(linkTo('writer')), by(linkTo('editor'))] })).to.equal(null)
    expect(scan({ sort: [] })).to.equal(null)
    const list: SortKey = { ...title, through: [{ kind: 'list', path: 'writer' }] }
    expect(scan({ sort: [list] })).to.equal(null)
    expect(scan({ chain: ['en'] })).to.equal(null)
  })

  it('returns null if too little is known, or if there are too many targets', () => {
    expect(scan({}, 0)).to.equal(null)
    expect(scan({}, 10_001)).to.equal(null)
    expect(scan({}, 500, { ...books, sample: undefined })).to.equal(null)
    expect(scan({ match: isIn('locale', text('de')) })).to.equal(null)
  })
})

describe('shareOf', () => {
  const share = (match: Condition): number => shareOf(match, books)

  it('returns the sum of the named locales, or 1 if none is named', () => {
    expect(share(isIn('locale', text('en')))).to.equal(0.5)
    expect(share(isIn('locale', text('en'), text('fr'), text('de')))).to.equal(0.75)
    expect(share(isIn('title', text('en')))).to.equal(1)
    expect(share({ kind: 'test', path: 'locale', test: { op: 'null' } })).to.equal(1)
    expect(share({ kind: 'none', of: [isIn('locale', text('en'))] })).to.equal(1)
    expect(
      share({ kind: 'all', of: [isIn('title', text('a')), isIn('locale', text('fr'))] }),
    ).to.equal(0.25)
  })

  it('returns 0 if the locales were not sampled', () => {
    expect(shareOf(always, { ...books, sample: undefined })).to.equal(0)
    const sample = books.sample && { ...books.sample, locales: undefined }
    expect(shareOf(isIn('locale', text('en')), { ...books, sample } as CollectionFacts)).to.equal(0)
  })
})
