import { expect } from 'chai'
import type { Places } from '../../../../engine/read/answer/join-targets.js'
import { joinTargets, joinTargetCounts } from '../../../../engine/read/answer/join-targets.js'
import { joinMorph } from '../../../../engine/read/answer/join-morph.js'
import type { EdgePlan, Link, MorphPlan } from '../../../../engine/read/plan/read-plan.js'
import { documentKey } from '../../../../engine/read/plan/bound-query.js'
import type { Stored } from '../../../../engine/read/stored/stored-document.js'
import { documentIdOf, idOf, localeOf } from '../../../../engine/read/stored/stored-fields.js'
import { store } from './write-stored.js'

const by = [{ through: [], path: 'name', direction: 1 }] as const
const node = { members: [], localized: false, entry: true, component: null } as const

function edge(link: Partial<Link>, more: Partial<EdgePlan> = {}): EdgePlan {
  return {
    ...{ kind: 'edge', name: 'r', match: null, sort: [], node, count: false, wrapped: false },
    link: {
      ...{ collection: 'targets', stored: 'here', path: 'r', many: true },
      ...{ locale: { kind: 'none' }, ...link },
    },
    ...{ page: null, ...more },
  }
}

/** The expectations recognize an entry by its id. */
const entry = (
  _id: number,
  documentId: string,
  r: unknown = null,
  locale: string | null = null,
): Stored =>
  store({ _id, documentId, locale, r }, ['_id', 'documentId', 'locale', '_revision', 'r'])

const to = (documentId: string, order = 0, __type?: string) => ({
  ...{ documentId, order },
  ...(__type === undefined ? {} : { __type }),
})

const noLocale = null
const shown = (
  how: EdgePlan,
  targets: readonly Stored[],
  source: Stored,
  locale: string | null = noLocale,
): readonly number[] => joinTargets(how, targets, new Map())(source, locale).map(idOf)

describe('joinTargets with references in the source', () => {
  const targets = [entry(1, 'a'), entry(2, 'b'), entry(3, 'c')]

  it('returns the targets that were found, in the order of the references', () => {
    const source = entry(9, 'h', [to('c'), to('x'), to('a')])
    expect(shown(edge({}), targets, source)).to.deep.equal([3, 1])
    expect(shown(edge({}), targets, entry(9, 'h'))).to.deep.equal([])
    expect(shown(edge({}), targets, entry(9, 'h', to('b')))).to.deep.equal([2])
  })

  it('keeps the order of the batch if it is sorted', () => {
    const sorted = [entry(2, 'b'), entry(3, 'c'), entry(1, 'a')]
    const source = entry(9, 'h', [to('a'), to('c'), to('b')])
    expect(shown(edge({}, { sort: by }), sorted, source)).to.deep.equal([2, 3, 1])
  })

  it('returns targets in the locale of the source, or in a fixed locale', () => {
    const both = [entry(1, 'a', null, 'en'), entry(2, 'a', null, 'fr')]
    const source = entry(9, 'h', to('a'), 'fr')
    expect(shown(edge({ locale: { kind: 'same' } }), both, source, 'fr')).to.deep.equal([2])
    expect(shown(edge({ locale: { kind: 'same' } }), both, source, 'de')).to.deep.equal([])
    const english = edge({ locale: { kind: 'fixed', code: 'en' } })
    expect(shown(english, both.slice(0, 1), source, 'fr')).to.deep.equal([1])
  })

  it('returns the requested page', () => {
    const source = entry(9, 'h', [to('a'), to('b'), to('c')])
    const paged = (start: number, limit: number) => edge({}, { page: { start, limit } })
    expect(shown(paged(1, 1), targets, source)).to.deep.equal([2])
    expect(shown(paged(1, 5), targets, source)).to.deep.equal([2, 3])
    expect(shown(paged(0, 0), targets, source)).to.deep.equal([])
  })

  it('indexes the targets once for edges that share a batch', () => {
    const known = new Map<readonly Stored[], Places>()
    const join = joinTargets(edge({}), targets, known)
    expect([...known.keys()]).to.deep.equal([targets])
    const places = known.get(targets)
    const other = joinTargets(edge({ path: 'other' }), targets, known)
    expect(known.get(targets)).to.equal(places)
    expect(join(entry(9, 'h', to('a')), null).map(idOf)).to.deep.equal([1])
    expect(other(entry(9, 'h', to('a')), null)).to.deep.equal([])
  })
})

describe('joinTargets with references in the targets', () => {
  const inverse = (more: Partial<Link> = {}, how: Partial<EdgePlan> = {}): EdgePlan =>
    edge({ stored: 'there', ...more }, how)

  it('orders targets by the position in their references, then by id', () => {
    const targets = [
      ...[entry(4, 'd', to('h', 2)), entry(3, 'c', to('h', 1)), entry(2, 'b', to('x', 0))],
      ...[entry(1, 'a', to('h', 2)), entry(5, 'e', [to('x', 9), to('h', 0)])],
    ]
    expect(shown(inverse(), targets, entry(9, 'h'))).to.deep.equal([5, 3, 1, 4])
    expect(shown(inverse(), targets, entry(9, 'x'))).to.deep.equal([2, 5])
    expect(shown(inverse(), targets, entry(9, 'y'))).to.deep.equal([])
  })

  it('keeps the order of the batch if it is sorted', () => {
    const targets = [entry(2, 'b', to('h', 5)), entry(1, 'a', to('h', 1))]
    expect(shown(inverse({}, { sort: by }), targets, entry(9, 'h'))).to.deep.equal([2, 1])
  })

  it('returns targets in the locale of the source, or in any locale', () => {
    const targets = [entry(1, 'a', to('h'), 'en'), entry(2, 'a', to('h'), 'fr')]
    const same = inverse({ locale: { kind: 'same' } })
    expect(shown(same, targets, entry(9, 'h', null, 'fr'), 'fr')).to.deep.equal([2])
    const any = inverse({ locale: { kind: 'any', among: ['en', 'fr'] } })
    expect(shown(any, targets, entry(9, 'h'), 'fr')).to.deep.equal([1, 2])
  })

  it('ignores references to another type if the edge has a type', () => {
    const targets = [
      ...[entry(1, 'a', to('h', 0, 'one')), entry(2, 'b', to('h', 0, 'two'))],
      entry(3, 'c', to('h', 0)),
    ]
    expect(shown(inverse({ type: 'one' }), targets, entry(9, 'h'))).to.deep.equal([1])
    expect(shown(inverse(), targets, entry(9, 'h'))).to.deep.equal([1, 2, 3])
  })
})

describe('joinTargets for localizations', () => {
  const versions = [entry(3, 'a', null, 'de'), entry(1, 'a', null, 'en'), entry(2, 'a', null, 'fr')]
  const others = (how: Partial<EdgePlan> = {}) =>
    edge({ stored: 'sibling', locale: { kind: 'other', among: ['de', 'en', 'fr'] } }, how)

  it('orders localizations by id, or as they are sorted', () => {
    const source = entry(1, 'a', null, 'en')
    expect(shown(others(), versions, source, 'en')).to.deep.equal([2, 3])
    expect(shown(others({ sort: by }), versions, source, 'en')).to.deep.equal([3, 2])
    expect(shown(others(), versions, entry(1, 'b', null, 'en'), 'en')).to.deep.equal([])
  })
})

describe('joinTargets with references from anywhere', () => {
  const users = (how: Partial<EdgePlan> = {}) => edge({ stored: 'anywhere' }, how)
  const targets = [
    entry(2, 'b', [to('h'), to('h'), to('x')]),
    entry(1, 'a', [to('x'), to('h')]),
    entry(3, 'c', [to('x')]),
  ]

  it('returns each referring entry once, by id or as they are sorted', () => {
    expect(shown(users(), targets, entry(9, 'h'))).to.deep.equal([1, 2])
    expect(shown(users({ sort: by }), targets, entry(9, 'h'))).to.deep.equal([2, 1])
    expect(shown(users(), targets, entry(9, 'y'))).to.deep.equal([])
  })

  it('returns the referring entries of a polymorphic relation type by type', () => {
    const [one, two] = [users(), users()]
    const plan = morph({ one, two })
    const batches = new Map([
      [one, targets],
      [two, [entry(7, 'z', to('h'))]],
    ])
    const found = joinMorph(plan, batches)(entry(9, 'h'), null)
    expect(found.map(({ edge, target }) => [edge === one ? 'one' : 'two', idOf(target)]))
      .to.deep //
      .equal([
        ['one', 1],
        ['one', 2],
        ['two', 7],
      ])
    expect(joinMorph(plan, new Map([[two, []]]))(entry(9, 'h'), null)).to.deep.equal([])
  })
})

function morph(edges: Readonly<Record<string, EdgePlan>>): MorphPlan {
  return {
    ...{ kind: 'morph', name: 'r', path: 'r', many: true, edges },
    ...{ count: false, wrapped: false },
  }
}

describe('joinMorph', () => {
  const source = entry(9, 'h', [
    ...[to('b', 0, 'one'), to('x', 0, 'two'), to('a', 0, 'gone'), to('a', 0, 'one')],
    ...[to('a', 0, 'two'), to('c', 0, 'one')],
  ])
  const ones = [entry(3, 'c'), entry(1, 'a'), entry(2, 'b')]
  const twos = [entry(5, 'a')]
  const found = (one: EdgePlan, two: EdgePlan, locale: string | null = null): readonly number[] => {
    const batches = new Map([
      [one, ones],
      [two, twos],
    ])
    const targets = joinMorph(morph({ one, two }), batches)(source, locale)
    for (const { edge, target } of targets) {
      expect(edge === two).to.equal(twos.includes(target))
    }
    return targets.map(({ target }) => idOf(target))
  }
  const typed = (how: Partial<EdgePlan> = {}, link: Partial<Link> = {}) => edge(link, how)

  it('returns targets in the order of the references, without missing ones', () => {
    expect(found(typed(), typed())).to.deep.equal([2, 1, 5, 3])
    expect(joinMorph(morph({ one: typed() }), new Map())(source, null)).to.deep.equal([])
  })

  it('puts sorted targets at the positions of their type', () => {
    expect(found(typed({ sort: by }), typed())).to.deep.equal([3, 1, 5, 2])
    expect(found(typed(), typed({ sort: by }))).to.deep.equal([2, 1, 5, 3])
  })

  it('returns targets in the locale of the source, or in a fixed locale', () => {
    const one = typed({}, { locale: { kind: 'same' } })
    const english = entry(1, 'a', null, 'en')
    const french = entry(2, 'a', null, 'fr')
    const join = joinMorph(morph({ one }), new Map([[one, [english, french]]]))
    expect(join(source, 'fr').map(({ target }) => localeOf(target))).to.deep.equal(['fr'])
    expect(join(source, 'de')).to.deep.equal([])
    const any = typed({}, { locale: { kind: 'fixed', code: 'en' } })
    const fixed = joinMorph(morph({ any, one: any }), new Map([[any, [english]]]))
    expect(fixed(source, 'fr').map(({ target }) => documentIdOf(target))).to.deep.equal(['a'])
  })
})

describe('joinTargetCounts', () => {
  const counts = new Map([
    ['h', 5],
    [documentKey('h', 'fr'), 2],
  ])
  const count = (how: EdgePlan, source: Stored, locale: string | null = null): number =>
    joinTargetCounts(how, counts)(source, locale)

  it('returns the number of targets, or 0 if none was counted', () => {
    expect(count(edge({ stored: 'there' }), entry(9, 'h'))).to.equal(5)
    expect(count(edge({ stored: 'there' }), entry(9, 'x'))).to.equal(0)
    const same = edge({ stored: 'there', locale: { kind: 'same' } })
    expect(count(same, entry(9, 'h', null, 'fr'), 'fr')).to.equal(2)
    expect(count(same, entry(9, 'h', null, 'en'), 'en')).to.equal(0)
  })

  it('returns the number of targets on the page', () => {
    const paged = (start: number, limit: number) =>
      count(edge({ stored: 'there' }, { page: { start, limit } }), entry(9, 'h'))
    expect(paged(0, 3)).to.equal(3)
    expect(paged(3, 3)).to.equal(2)
    expect(paged(7, 3)).to.equal(0)
  })
})
