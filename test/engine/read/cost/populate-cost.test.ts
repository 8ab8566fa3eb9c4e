import { expect } from 'chai'
import type { CollectionFacts } from '../../../../engine/read/cost/collection-facts.js'
import { costOfPopulate } from '../../../../engine/read/cost/populate-cost.js'
import type {
  Condition,
  EdgePlan,
  Link,
  MemberPlan,
  MorphPlan,
  NodePlan,
} from '../../../../engine/read/plan/read-plan.js'

const field = (bytes: number, values = 1) => ({ bytes, values })
const facts: Readonly<Record<string, CollectionFacts>> = {
  books: {
    ...{ entries: 1000, indexes: [] },
    sample: {
      bytes: 1000,
      fields: new Map([
        ...[['topics', field(100, 4)] as const, ['parts', field(300, 3)] as const],
        ['about', field(80, 2)] as const,
      ]),
      values: new Map([['writer.documentId', { each: 1, usual: 0.01, most: 0.05 }]]),
    },
  },
  writers: {
    ...{ entries: 50, indexes: [] },
    sample: { bytes: 200, fields: new Map([['name', field(20)]]), values: new Map() },
  },
  reviews: { entries: 5, indexes: [] },
}
const none: CollectionFacts = { entries: 0, indexes: [] }
const factsOf = (collection: string): CollectionFacts => facts[collection] ?? none

const nodeOf = (...members: readonly MemberPlan[]): NodePlan => ({
  ...{ members, localized: false, entry: true, component: null },
})
const nameOf = (): NodePlan => nodeOf({ kind: 'field', name: 'name', path: 'name', form: 'text' })
const linkTo = (collection: string, path: string, more: Partial<Link> = {}): Link => ({
  ...{ collection, path, stored: 'here', many: false, locale: { kind: 'none' }, ...more },
})
const edge = (
  link: Link,
  more: Partial<EdgePlan> = {},
  name = 'to',
): Extract<MemberPlan, { kind: 'edge' }> => ({
  ...{ kind: 'edge', name, link, match: null, sort: [], node: nameOf() },
  ...{ count: false, wrapped: false, page: null, ...more },
})
const writer = linkTo('writers', 'writer')
const books = linkTo('books', 'writer', { stored: 'there', many: true })

/** Returns the parts of the cost of populating members for `count` sources, and the populated bytes per source. */
function populate(
  sources: Readonly<{ count: number; of?: string; maxPopulatedEntries?: number }>,
  ...members: readonly MemberPlan[]
): unknown {
  const { count, of = 'books', maxPopulatedEntries = 10_000 } = sources
  const parts: [string, number, number][] = []
  const add = (part: string, once: number, entries: number): void => {
    parts.push([part, rounded(once), rounded(entries)])
  }
  const populated = costOfPopulate(
    nodeOf(...members),
    { count, facts: factsOf(of) },
    { factsOf, maxPopulatedEntries, add, met: new Map() },
  )
  return { parts, bytes: rounded(populated) }
}

const rounded = (value: number): number => Number(value.toFixed(3))

/** Parts of the cost of a populated entry: bytes of its name and key, reading, copying, and sending the command. */
const nameBytes = 4 + 4 + 20
const fetched = 0.2
const shown = fetched + 0.25 + nameBytes * 0.00075
const copied = 0.25
const command = 40

describe('cost of populate', () => {
  it('covers reading each target once and copying it for further sources', () => {
    expect(populate({ count: 10 }, edge(writer))).to.deep.equal({
      parts: [['populate to', command, rounded(10 * shown)]],
      bytes: nameBytes,
    })
    expect(populate({ count: 80 }, edge(writer))).to.deep.equal({
      parts: [['populate to', command, rounded(50 * shown + 30 * copied)]],
      bytes: nameBytes,
    })
    expect(populate({ count: 0 }, edge(writer))).to.deep.equal({
      parts: [['populate to', command, 0]],
      bytes: 0,
    })
  })

  it('assumes the usual length of a list, or five without a sample', () => {
    const topics = edge(linkTo('writers', 'topics', { many: true }))
    expect(populate({ count: 10 }, topics)).to.deep.equal({
      parts: [['populate to', command, rounded(40 * shown)]],
      bytes: 4 * nameBytes,
    })
    expect(populate({ count: 8, of: 'reviews' }, topics)).to.deep.equal({
      parts: [['populate to', command, rounded(40 * shown)]],
      bytes: 5 * nameBytes,
    })
  })

  it('assumes the usual number of referring entries, and for one source the highest', () => {
    // 1,000 books are spread over 50 writers. One writer may have a twentieth of them.
    const targets = 2 * 20 + (50 - 20)
    const unknown = fetched + 0.25 + 8 * 0.00075
    expect(populate({ count: 2, of: 'writers' }, edge(books))).to.deep.equal({
      parts: [['populate to', command, rounded(targets * unknown)]],
      bytes: (targets / 2) * 8,
    })
    expect(populate({ count: 0, of: 'writers' }, edge(books))).to.have.property('bytes', 0)
    const guessed = (many: boolean) => edge(linkTo('writers', 'book', { stored: 'there', many }))
    expect(populate({ count: 4 }, guessed(true))).to.have.property('bytes', 5 * nameBytes)
    expect(populate({ count: 4 }, guessed(false))).to.have.property('bytes', nameBytes)
  })

  it('assumes five versions in other locales', () => {
    const locale = { kind: 'other', among: ['de', 'fr'] } as const
    const versions = linkTo('writers', 'documentId', { stored: 'sibling', many: true, locale })
    expect(populate({ count: 3 }, edge(versions))).to.have.property('bytes', 5 * nameBytes)
  })

  it('is limited to a page per source and to the maximum number of populated entries', () => {
    const page = { start: 0, limit: 2 }
    const topics = linkTo('writers', 'topics', { many: true })
    expect(populate({ count: 10 }, edge(topics, { page }))).to.deep.equal({
      parts: [['populate to', command, rounded(40 * shown)]],
      bytes: 2 * nameBytes,
    })
    const few = { count: 10, maxPopulatedEntries: 20 }
    expect(populate(few, edge(topics))).to.deep.equal({
      parts: [['populate to', command, rounded(21 * shown)]],
      bytes: 2 * nameBytes,
    })
  })

  it('covers testing all targets with a filter, and querying its relations once', () => {
    const related: Condition = {
      ...{ kind: 'related', link: linkTo('reviews', 'review'), orNone: false },
      of: { kind: 'all', of: [] },
    }
    const test = { op: 'match', how: 'contains', insensitive: false, negated: false } as const
    const texts: Condition = { kind: 'test', path: 'name', test: { ...test, texts: ['a', 'b'] } }
    const match: Condition = { kind: 'all', of: [related, texts] }
    // The two texts and the relation are one test each.
    const tested = fetched + 3 * 0.02 + 2 * 20 * 0.0002
    const links = 50 + 5 * fetched + 2 * 20
    expect(populate({ count: 10 }, edge(writer, { match }))).to.deep.equal({
      parts: [
        ['populate to', rounded(command + 10 * tested + links), rounded(10 * (shown - fetched))],
      ],
      bytes: nameBytes,
    })
  })

  it('includes one query per relation in the sort', () => {
    const review = { kind: 'link', link: linkTo('reviews', 'review') } as const
    const sort = [
      { through: [review, review], path: 'text', direction: 1 } as const,
      { through: [], path: 'name', direction: 1 } as const,
    ]
    expect(populate({ count: 10 }, edge(writer, { sort }))).to.deep.equal({
      parts: [['populate to', command + 2 * 50, rounded(10 * shown)]],
      bytes: nameBytes,
    })
  })

  it('includes comparing versions if the first of several locales is shown', () => {
    const locale = { kind: 'first', among: ['de', 'en'] } as const
    expect(populate({ count: 10 }, edge({ ...writer, locale }))).to.deep.equal({
      parts: [['populate to', command, rounded(10 * (shown + 3))]],
      bytes: nameBytes,
    })
  })

  it('is reported with the path of a nested relation', () => {
    const below = nodeOf(edge(linkTo('reviews', 'review'), { count: true }, 'review'))
    const reviewKey = 6 + 4
    expect(populate({ count: 10 }, edge(writer, { node: below }))).to.deep.equal({
      parts: [
        ['populate to', command, rounded(10 * (fetched + 0.25 + reviewKey * 0.00075))],
        ['populate to.review', command, 5 * fetched],
      ],
      bytes: reviewKey + 12,
    })
  })

  describe('with several edges to one node', () => {
    const node = nameOf()
    const read = rounded(10 * shown)

    it('covers one command if the edges are read together, and only targets not read yet', () => {
      const [one, other] = [edge(writer, { node }, 'one'), edge(writer, { node }, 'two')]
      expect(populate({ count: 10 }, one, other)).to.deep.equal({
        parts: [
          ['populate one', command, read],
          ['populate two', 0, read],
        ],
        bytes: 2 * nameBytes,
      })
      // 40 of the 50 writers are already read.
      expect(populate({ count: 40 }, one, other)).to.deep.equal({
        parts: [
          ['populate one', command, rounded(40 * shown)],
          ['populate two', 0, rounded(10 * shown + 30 * copied)],
        ],
        bytes: 2 * nameBytes,
      })
    })

    it('covers a command more if one edge is sorted, and no entries without sources', () => {
      const sort = [{ through: [], path: 'name', direction: 1 } as const]
      const [one, other] = [edge(writer, { node }, 'one'), edge(writer, { node, sort }, 'two')]
      expect(populate({ count: 10 }, one, other)).to.deep.equal({
        parts: [
          ['populate one', command, read],
          ['populate two', command, read],
        ],
        bytes: 2 * nameBytes,
      })
      expect(populate({ count: 0 }, one, other)).to.deep.equal({
        parts: [
          ['populate one', command, 0],
          ['populate two', command, 0],
        ],
        bytes: 0,
      })
    })

    it('includes what the node populates again, in proportion to the entries read', () => {
      const deep = nodeOf(edge(linkTo('reviews', 'review'), {}, 'review'))
      const members = [edge(writer, { node: deep }, 'one'), edge(writer, { node: deep }, 'two')]
      const own = 10 * (fetched + 0.25 + 10 * 0.00075)
      const below = rounded(5 * (fetched + 0.25 + 1000 * 0.00075) + 5 * copied)
      expect(populate({ count: 10 }, ...members)).to.deep.equal({
        parts: [
          ['populate one', command, rounded(own)],
          ['populate one.review', command, below],
          ['populate two', 0, rounded(own + below)],
        ],
        bytes: 2 * (10 + 1000),
      })
    })
  })

  describe('in components', () => {
    const inside = edge(writer, {}, 'writer')
    const component = (more: object): MemberPlan => ({
      ...{ kind: 'component', name: 'parts', path: 'parts', repeatable: true },
      ...{ node: nodeOf(inside), filter: null, sort: [], ...more },
    })

    it('assumes the usual number of components in a list, and one if it is not repeatable', () => {
      expect(populate({ count: 10 }, component({}))).to.deep.equal({
        parts: [['populate parts.writer', command, rounded(30 * shown)]],
        bytes: 3 * nameBytes,
      })
      expect(populate({ count: 10 }, component({ repeatable: false }))).to.deep.equal({
        parts: [['populate parts.writer', command, rounded(10 * shown)]],
        bytes: nameBytes,
      })
      expect(populate({ count: 8, of: 'reviews' }, component({}))).to.deep.equal({
        parts: [['populate parts.writer', command, rounded(40 * shown)]],
        bytes: 5 * nameBytes,
      })
    })

    it('includes testing all bytes of each component with a filter, or 200 without a sample', () => {
      const test = { op: 'match', how: 'contains', insensitive: false, negated: false } as const
      const filter: Condition = { kind: 'test', path: 'text', test: { ...test, texts: ['a'] } }
      const each = 0.02 + 100 * 0.0002
      const unknown = 0.02 + 200 * 0.0002
      expect(populate({ count: 10 }, component({ filter }))).to.deep.equal({
        parts: [
          ['populate parts', 20, rounded(30 * each)],
          ['populate parts.writer', command, rounded(30 * shown)],
        ],
        bytes: 3 * nameBytes,
      })
      expect(populate({ count: 8, of: 'reviews' }, component({ filter })))
        .to.have.property('parts')
        .that.deep.includes(['populate parts', 20, rounded(40 * unknown)])
    })

    it('is that of the most expensive component of a dynamic zone', () => {
      const values = (...members: readonly MemberPlan[]) => ({
        ...{ node: nodeOf(...members), filter: null, sort: [] },
      })
      const zone: MemberPlan = {
        ...{ kind: 'zone', name: 'parts', path: 'parts', count: false },
        components: { 'a.one': values(inside), 'a.two': values() },
      }
      expect(populate({ count: 10 }, zone)).to.deep.equal({
        parts: [['populate parts.writer', command, rounded(30 * shown)]],
        bytes: 3 * nameBytes,
      })
    })
  })

  describe('with a polymorphic relation', () => {
    const morph = (
      edges: Readonly<Record<string, EdgePlan>>,
      more: Partial<MorphPlan> = {},
    ): MorphPlan => ({
      ...{ kind: 'morph', name: 'about', path: 'about', many: false, edges },
      ...{ count: false, wrapped: false, ...more },
    })
    const toWriter = edge(linkTo('writers', 'about'), {}, 'about')
    const toReview = edge(linkTo('reviews', 'about'), {}, 'about')
    const toNothing = edge(linkTo('nothing', 'about'), {}, 'about')
    const reviewBytes = 1000
    const review = fetched + 0.25 + reviewBytes * 0.00075

    it('is spread evenly over the types', () => {
      expect(populate({ count: 8 }, morph({ a: toWriter, b: toReview }))).to.deep.equal({
        parts: [
          ['populate about', command, rounded(4 * shown)],
          ['populate about', command, rounded(4 * review)],
        ],
        bytes: reviewBytes,
      })
      expect(
        populate({ count: 8 }, morph({ a: toWriter, b: toReview }, { many: true })),
      ).to.deep.equal({
        parts: [
          ['populate about', command, rounded(8 * shown)],
          ['populate about', command, rounded(5 * review + 3 * copied)],
        ],
        bytes: 2 * reviewBytes,
      })
    })

    it('covers a command of each type, but altogether at most one per reference', () => {
      expect(populate({ count: 1 }, morph({ a: toWriter, b: toReview }))).to.deep.equal({
        parts: [
          ['populate about', command / 2, rounded(shown / 2)],
          ['populate about', command / 2, rounded(review / 2)],
        ],
        bytes: reviewBytes,
      })
      expect(populate({ count: 0 }, morph({ a: toWriter }))).to.deep.equal({ parts: [], bytes: 0 })
    })

    it('covers all entries of all types that refer to the sources from anywhere', () => {
      const place = (name: string, ...segments: readonly string[]) => ({
        ...{ text: name, field: name },
        segments: segments.map((one) => ({ field: one })),
      })
      const places = [place('writer'), place('other'), place('writer', 'parts')]
      const from = (collection: string) =>
        edge(linkTo(collection, 'documentId', { stored: 'anywhere', many: true, places }), {})
      const related = morph({ a: from('books'), b: from('reviews') }, { many: true })
      // Each writer has 20 of 1,000 books, and one may have 50 (a twentieth). Each is also in one component.
      const referring = 2 + 2 * 20 + (50 - 20)
      expect(populate({ count: 2, of: 'writers' }, related)).to.deep.equal({
        parts: [
          ['populate to', command, rounded(referring * (fetched + 0.25 + 8 * 0.00075))],
          ['populate to', command, rounded(2 * review)],
        ],
        bytes: (referring / 2) * 8 + reviewBytes,
      })
    })

    it('covers all types if nothing is known about any of them', () => {
      const members = morph({ a: toNothing, b: toNothing })
      expect(populate({ count: 4 }, members))
        .to.have.property('parts')
        .with.length(2)
    })
  })
})
