import { expect } from 'chai'
import type {
  EdgePlan,
  Link,
  MemberPlan,
  NodePlan,
} from '../../../../engine/read/plan/read-plan.js'
import { always, isReadTogether } from '../../../../engine/read/plan/read-plan.js'
import { compileBatches } from '../../../../engine/read/compile/compile-batches.js'

const node = (...members: readonly MemberPlan[]): NodePlan => ({
  ...{ members, localized: false, entry: true, component: null },
})
const leaf = node()
const link: Link = {
  ...{ collection: 'tags', stored: 'here', path: 'tags', many: true, locale: { kind: 'none' } },
}
const edge = (more: Partial<EdgePlan> = {}, linked: Partial<Link> = {}): EdgePlan => ({
  ...{ kind: 'edge', name: 'tags', link: { ...link, ...linked }, match: null, sort: [] },
  ...{ node: leaf, count: false, wrapped: false, page: null },
  ...more,
})

describe('isReadTogether', () => {
  const together = (one: EdgePlan, other: EdgePlan): boolean => {
    expect(isReadTogether(other, one)).to.equal(isReadTogether(one, other))
    return isReadTogether(one, other)
  }
  const inverse = { stored: 'there', path: 'articles' } as const
  const fixed = (code: string) => ({ locale: { kind: 'fixed', code } }) as const

  it('returns true for edges with the same targets and the same node', () => {
    expect(together(edge(), edge({ name: 'other' }, { path: 'other', many: false }))).to.equal(true)
    expect(together(edge({}, inverse), edge({}, inverse))).to.equal(true)
    expect(together(edge({}, fixed('en')), edge({}, fixed('en')))).to.equal(true)
    expect(together(edge({ match: always }), edge({ match: always }))).to.equal(true)
  })

  it('returns true for the same edge, even with a page and a count', () => {
    const paged = edge({ page: { start: 0, limit: 1 }, count: true })
    expect(together(paged, paged)).to.equal(true)
  })

  it('returns false if one edge has a sort, a page or a count', () => {
    const options: readonly Partial<EdgePlan>[] = [
      { sort: [{ through: [], path: 'name', direction: 1 }] },
      { page: { start: 0, limit: 1 } },
      { count: true },
    ]
    for (const more of options) {
      expect(together(edge(more), edge())).to.equal(false)
      expect(together(edge(more), edge(more))).to.equal(false)
    }
  })

  it('returns false if the nodes, filters or collections differ', () => {
    expect(together(edge({ node: node() }), edge())).to.equal(false)
    expect(together(edge({ match: always }), edge())).to.equal(false)
    expect(together(edge({}, { collection: 'tags.draft' }), edge())).to.equal(false)
  })

  it('returns false if the targets are found by another path, type or locale', () => {
    expect(together(edge({}, inverse), edge())).to.equal(false)
    expect(together(edge({}, inverse), edge({}, { ...inverse, path: 'others' }))).to.equal(false)
    const typed = { ...inverse, type: 'api::photo.photo' }
    expect(together(edge({}, typed), edge({}, inverse))).to.equal(false)
    expect(together(edge({}, typed), edge({}, typed))).to.equal(true)
    expect(together(edge({}, fixed('en')), edge({}, fixed('fr')))).to.equal(false)
    expect(together(edge({}, { locale: { kind: 'same' } }), edge())).to.equal(false)
  })
})

describe('compileBatches', () => {
  const named = (name: string, to: NodePlan) => edge({ name, node: to }, { path: name })
  const field: MemberPlan = { kind: 'field', name: 'name', path: 'name', form: 'text' }
  const values = (of: NodePlan) => ({ node: of, filter: null, sort: [] })

  it('puts edges that reach the same node in the same way into one batch', () => {
    const [a, b] = [named('a', leaf), named('b', leaf)]
    const other = edge({ name: 'c', node: leaf }, { stored: 'there', path: 'c' })
    const { of, leadingTo } = compileBatches(node(field, a, b, other))
    expect(of.get(a)).to.deep.equal({ edges: 2 })
    expect(of.get(b)).to.equal(of.get(a))
    expect(of.get(other)).to.deep.equal({ edges: 1 })
    expect([...leadingTo]).to.deep.equal([[leaf, 2]])
  })

  it('counts a shared edge once for each node that contains it', () => {
    const shared = named('shared', leaf)
    const [one, two] = [node(shared), node(field, shared)]
    const [a, b] = [named('a', one), named('b', two)]
    const { of, leadingTo } = compileBatches(node(a, b))
    expect([a, b, shared].map((each) => of.get(each)?.edges)).to.deep.equal([1, 1, 2])
    expect(of.size).to.equal(3)
    expect([one, two, leaf].map((each) => leadingTo.get(each))).to.deep.equal([1, 1, 1])
  })

  it('includes edges of components, dynamic zones and polymorphic relations', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => named(name, node())) as [
      ...[EdgePlan, EdgePlan, EdgePlan, EdgePlan],
    ]
    const { of } = compileBatches(
      node(
        {
          ...{ kind: 'component', name: 'seo', path: 'seo', repeatable: false },
          ...values(node(field, a)),
        },
        {
          ...{ kind: 'zone', name: 'zone', path: 'zone', count: false },
          components: { 'part.one': values(node(b)), 'part.two': values(node(field)) },
        },
        {
          ...{ kind: 'morph', name: 'any', path: 'any', many: true, count: false, wrapped: false },
          edges: { 'api::c.c': c, 'api::d.d': d },
        },
      ),
    )
    expect([...of.keys()]).to.deep.equal([a, b, c, d])
  })

  it('returns no batches for a node without edges', () => {
    const { of, leadingTo } = compileBatches(node(field))
    expect([of.size, leadingTo.size]).to.deep.equal([0, 0])
  })
})
