import { expect } from 'chai'
import type { Places } from '../../../../engine/read/answer/join-targets.js'
import { joinTargets, joinTargetCounts } from '../../../../engine/read/answer/join-targets.js'
import { joinMorph } from '../../../../engine/read/answer/join-morph.js'
import type { EdgePlan, Link, MorphPlan } from '../../../../engine/read/plan/read-plan.js'
import { documentKey } from '../../../../engine/read/compile/bound-query.js'
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

/** An entry that refers by `r`; its id tells which of them it is. */
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
  holder: Stored,
  locale: string | null = noLocale,
): readonly number[] => joinTargets(how, targets, new Map())(holder, locale).map(idOf)

describe('A holder that has the references shows its targets', () => {
  const targets = [entry(1, 'a'), entry(2, 'b'), entry(3, 'c')]

  it('in the order of the references, and those alone that were found', () => {
    const holder = entry(9, 'h', [to('c'), to('x'), to('a')])
    expect(shown(edge({}), targets, holder)).to.deep.equal([3, 1])
    expect(shown(edge({}), targets, entry(9, 'h'))).to.deep.equal([])
    expect(shown(edge({}), targets, entry(9, 'h', to('b')))).to.deep.equal([2])
  })

  it('in the order of the batch where that is sorted', () => {
    const sorted = [entry(2, 'b'), entry(3, 'c'), entry(1, 'a')]
    const holder = entry(9, 'h', [to('a'), to('c'), to('b')])
    expect(shown(edge({}, { sort: by }), sorted, holder)).to.deep.equal([2, 3, 1])
  })

  it('of its own locale where targets follow it, and of the one that there is elsewhere', () => {
    const both = [entry(1, 'a', null, 'en'), entry(2, 'a', null, 'fr')]
    const holder = entry(9, 'h', to('a'), 'fr')
    expect(shown(edge({ locale: { kind: 'same' } }), both, holder, 'fr')).to.deep.equal([2])
    expect(shown(edge({ locale: { kind: 'same' } }), both, holder, 'de')).to.deep.equal([])
    const english = edge({ locale: { kind: 'fixed', code: 'en' } })
    expect(shown(english, both.slice(0, 1), holder, 'fr')).to.deep.equal([1])
  })

  it('a page of them: those behind the first ones, and so many', () => {
    const holder = entry(9, 'h', [to('a'), to('b'), to('c')])
    const paged = (start: number, limit: number) => edge({}, { page: { start, limit } })
    expect(shown(paged(1, 1), targets, holder)).to.deep.equal([2])
    expect(shown(paged(1, 5), targets, holder)).to.deep.equal([2, 3])
    expect(shown(paged(0, 0), targets, holder)).to.deep.equal([])
  })

  it('found once for all edges that are read together', () => {
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

describe('A holder to which targets refer shows them', () => {
  const there = (more: Partial<Link> = {}, how: Partial<EdgePlan> = {}): EdgePlan =>
    edge({ stored: 'there', ...more }, how)

  it('by the places that their references carry, and by their ids where these are equal', () => {
    const targets = [
      ...[entry(4, 'd', to('h', 2)), entry(3, 'c', to('h', 1)), entry(2, 'b', to('x', 0))],
      ...[entry(1, 'a', to('h', 2)), entry(5, 'e', [to('x', 9), to('h', 0)])],
    ]
    expect(shown(there(), targets, entry(9, 'h'))).to.deep.equal([5, 3, 1, 4])
    expect(shown(there(), targets, entry(9, 'x'))).to.deep.equal([2, 5])
    expect(shown(there(), targets, entry(9, 'y'))).to.deep.equal([])
  })

  it('in the order of the batch where that is sorted', () => {
    const targets = [entry(2, 'b', to('h', 5)), entry(1, 'a', to('h', 1))]
    expect(shown(there({}, { sort: by }), targets, entry(9, 'h'))).to.deep.equal([2, 1])
  })

  it('of its own locale where targets follow it', () => {
    const targets = [entry(1, 'a', to('h'), 'en'), entry(2, 'a', to('h'), 'fr')]
    const same = there({ locale: { kind: 'same' } })
    expect(shown(same, targets, entry(9, 'h', null, 'fr'), 'fr')).to.deep.equal([2])
    const any = there({ locale: { kind: 'any', among: ['en', 'fr'] } })
    expect(shown(any, targets, entry(9, 'h'), 'fr')).to.deep.equal([1, 2])
  })

  it('where a reference names a type, by those of its own type alone', () => {
    const targets = [
      ...[entry(1, 'a', to('h', 0, 'one')), entry(2, 'b', to('h', 0, 'two'))],
      entry(3, 'c', to('h', 0)),
    ]
    expect(shown(there({ type: 'one' }), targets, entry(9, 'h'))).to.deep.equal([1])
    expect(shown(there(), targets, entry(9, 'h'))).to.deep.equal([1, 2, 3])
  })
})

describe('A document shows its other locales', () => {
  const versions = [entry(3, 'a', null, 'de'), entry(1, 'a', null, 'en'), entry(2, 'a', null, 'fr')]
  const others = (how: Partial<EdgePlan> = {}) =>
    edge({ stored: 'sibling', locale: { kind: 'other', among: ['de', 'en', 'fr'] } }, how)

  it('in the order in which they were made, or as they are sorted', () => {
    const holder = entry(1, 'a', null, 'en')
    expect(shown(others(), versions, holder, 'en')).to.deep.equal([2, 3])
    expect(shown(others({ sort: by }), versions, holder, 'en')).to.deep.equal([3, 2])
    expect(shown(others(), versions, entry(1, 'b', null, 'en'), 'en')).to.deep.equal([])
  })
})

describe('A document that may be used in several places shows who uses it', () => {
  const users = (how: Partial<EdgePlan> = {}) => edge({ stored: 'anywhere' }, how)
  const targets = [
    entry(2, 'b', [to('h'), to('h'), to('x')]),
    entry(1, 'a', [to('x'), to('h')]),
    entry(3, 'c', [to('x')]),
  ]

  it('each once, in the order in which they were made, or as they are sorted', () => {
    expect(shown(users(), targets, entry(9, 'h'))).to.deep.equal([1, 2])
    expect(shown(users({ sort: by }), targets, entry(9, 'h'))).to.deep.equal([2, 1])
    expect(shown(users(), targets, entry(9, 'y'))).to.deep.equal([])
  })

  it('of a polymorphic relation, type by type', () => {
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

describe('A polymorphic relation shows its targets', () => {
  const holder = entry(9, 'h', [
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
    const targets = joinMorph(morph({ one, two }), batches)(holder, locale)
    for (const { edge, target } of targets) {
      expect(edge === two).to.equal(twos.includes(target))
    }
    return targets.map(({ target }) => idOf(target))
  }
  const typed = (how: Partial<EdgePlan> = {}, link: Partial<Link> = {}) => edge(link, how)

  it('in the order of the references, without those that are not there', () => {
    expect(found(typed(), typed())).to.deep.equal([2, 1, 5, 3])
    expect(joinMorph(morph({ one: typed() }), new Map())(holder, null)).to.deep.equal([])
  })

  it('sorted ones in the places that entries of their type have', () => {
    expect(found(typed({ sort: by }), typed())).to.deep.equal([3, 1, 5, 2])
    expect(found(typed(), typed({ sort: by }))).to.deep.equal([2, 1, 5, 3])
  })

  it('of the locale of the entry where targets follow it', () => {
    const one = typed({}, { locale: { kind: 'same' } })
    const english = entry(1, 'a', null, 'en')
    const french = entry(2, 'a', null, 'fr')
    const join = joinMorph(morph({ one }), new Map([[one, [english, french]]]))
    expect(join(holder, 'fr').map(({ target }) => localeOf(target))).to.deep.equal(['fr'])
    expect(join(holder, 'de')).to.deep.equal([])
    const any = typed({}, { locale: { kind: 'fixed', code: 'en' } })
    const fixed = joinMorph(morph({ any, one: any }), new Map([[any, [english]]]))
    expect(fixed(holder, 'fr').map(({ target }) => documentIdOf(target))).to.deep.equal(['a'])
  })
})

describe('A holder of which only the number of targets is asked shows', () => {
  const counts = new Map([
    ['h', 5],
    [documentKey('h', 'fr'), 2],
  ])
  const count = (how: EdgePlan, holder: Stored, locale: string | null = null): number =>
    joinTargetCounts(how, counts)(holder, locale)

  it('how many there are, and 0 where none was counted', () => {
    expect(count(edge({ stored: 'there' }), entry(9, 'h'))).to.equal(5)
    expect(count(edge({ stored: 'there' }), entry(9, 'x'))).to.equal(0)
    const same = edge({ stored: 'there', locale: { kind: 'same' } })
    expect(count(same, entry(9, 'h', null, 'fr'), 'fr')).to.equal(2)
    expect(count(same, entry(9, 'h', null, 'en'), 'en')).to.equal(0)
  })

  it('how many of them are on its page', () => {
    const paged = (start: number, limit: number) =>
      count(edge({ stored: 'there' }, { page: { start, limit } }), entry(9, 'h'))
    expect(paged(0, 3)).to.equal(3)
    expect(paged(3, 3)).to.equal(2)
    expect(paged(7, 3)).to.equal(0)
  })
})
