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

type Walking = Pick<ReadPlan, 'match' | 'chain' | 'sort' | 'skip' | 'limit'>

function walk(plan: Partial<Walking> = {}, targets = 500, facts = books): number | null {
  return costOfIndexScan(
    {
      ...{ collection: 'books', match: always, sort: [by(linkTo('writer'))], skip: 0, limit: 25 },
      ...plan,
    },
    (collection) => (collection === 'books' ? facts : { entries: targets, indexes: [] }),
  )
}

describe('A walk in the order of targets', () => {
  const command = 40
  /** Putting one in order, and asking for its entries. */
  const target = 1.2
  /** Of a target all entries are read: by the sample ten, or as many as there are for each. */
  const last = 20

  it('costs all targets, and the entries up to the end of the page', () => {
    expect(walk()).to.equal(command + 500 * target + 25 + last)
    expect(walk({ skip: 100, limit: 10 })).to.equal(command + 500 * target + 110 + last)
    expect(walk({ sort: [by(linkTo('writer')), title] })).to.equal(walk())
    expect(walk({}, 10_000)).to.equal(command + 10_000 * target + 25 + 10)
    const unknown = { ...books, sample: books.sample && { ...books.sample, values: new Map() } }
    expect(walk({}, 500, unknown)).to.equal(command + 500 * target + 25)
  })

  it('passes entries of other locales on its way', () => {
    const match = isIn('locale', text('fr'))
    expect(walk({ match })).to.equal(command + 500 * target + 25 / 0.25 + last)
  })

  it('follows a locale that is the same for all, and none that each entry decides', () => {
    const at = (locale: Link['locale']) => walk({ sort: [by(linkTo('writer', { locale }))] })
    expect(at({ kind: 'fixed', code: 'en' })).to.equal(walk())
    expect(at({ kind: 'same' })).to.equal(null)
    expect(at({ kind: 'first', among: ['en'] })).to.equal(null)
  })

  it('is not possible where no index has the entries of each target, or one has several', () => {
    for (const more of [{ stored: 'there' }, { many: true }, { listed: true }] as const)
      expect(walk({ sort: [by(linkTo('writer', more))] })).to.equal(null)
    expect(walk({ sort: [by(linkTo('editor'))] })).to.equal(null)
    expect(walk({ sort: [title, by(linkTo('writer'))] })).to.equal(null)
    expect(walk({ sort: [by(linkTo('writer')), by(linkTo('editor'))] })).to.equal(null)
    expect(walk({ sort: [] })).to.equal(null)
    const list: SortKey = { ...title, through: [{ kind: 'list', path: 'writer' }] }
    expect(walk({ sort: [list] })).to.equal(null)
    expect(walk({ chain: ['en'] })).to.equal(null)
  })

  it('is not weighed where too much is unknown, or there are too many targets', () => {
    expect(walk({}, 0)).to.equal(null)
    expect(walk({}, 10_001)).to.equal(null)
    expect(walk({}, 500, { ...books, sample: undefined })).to.equal(null)
    expect(walk({ match: isIn('locale', text('de')) })).to.equal(null)
  })
})

describe('The share of a collection that is in the locales of a condition', () => {
  const share = (match: Condition): number => shareOf(match, books)

  it('is the sum of those that it names, and all where it names none', () => {
    expect(share(isIn('locale', text('en')))).to.equal(0.5)
    expect(share(isIn('locale', text('en'), text('fr'), text('de')))).to.equal(0.75)
    expect(share(isIn('title', text('en')))).to.equal(1)
    expect(share({ kind: 'test', path: 'locale', test: { op: 'null' } })).to.equal(1)
    expect(share({ kind: 'none', of: [isIn('locale', text('en'))] })).to.equal(1)
    expect(
      share({ kind: 'all', of: [isIn('title', text('a')), isIn('locale', text('fr'))] }),
    ).to.equal(0.25)
  })

  it('is nothing where nobody knows', () => {
    expect(shareOf(always, { ...books, sample: undefined })).to.equal(0)
    const sample = books.sample && { ...books.sample, locales: undefined }
    expect(shareOf(isIn('locale', text('en')), { ...books, sample } as CollectionFacts)).to.equal(0)
  })
})
