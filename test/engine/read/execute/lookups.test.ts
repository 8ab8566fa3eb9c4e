import { expect } from 'chai'
import type { Link, LocaleRule } from '../../../../engine/read/plan/read-plan.js'
import { readGroups } from '../../../../engine/read/compile/compile-groups.js'
import {
  compileEarlier,
  compileListed,
  compileLocale,
  compileLookup,
  compileMarked,
  compileModifiedTargets,
  compileReferred,
  compileType,
  dependsOnParent,
  keepVisibleTargets,
  keepVisibleVersions,
} from '../../../../engine/read/compile/compile-lookup.js'

const among = ['fr', 'en']
const none: LocaleRule = { kind: 'none' }
const fixed: LocaleRule = { kind: 'fixed', code: 'fr' }
const any: LocaleRule = { kind: 'any', among }
const first: LocaleRule = { kind: 'first', among }
const same: LocaleRule = { kind: 'same' }
const other: LocaleRule = { kind: 'other', among }

const link = (more: Partial<Link> = {}): Link => ({
  ...{ collection: 'tags', stored: 'here', path: 'tags', many: true, locale: none },
  ...more,
})
const inSame = { $expr: { $eq: ['$locale', '$$locale'] } }
const inOther = { locale: { $in: among }, $expr: { $ne: ['$locale', '$$locale'] } }
/**
 * Returns stages that keep one version of each document: the one in the first locale of `among` that the document has.
 */
const firstIn = (collection: string) => [
  {
    $lookup: {
      ...{ from: collection, localField: 'documentId', foreignField: 'documentId' },
      ...{ pipeline: [{ $project: { _id: 0, locale: 1 } }], as: '_in' },
    },
  },
  {
    $match: {
      $expr: {
        $eq: [
          '$locale',
          {
            $first: {
              $filter: { input: { $literal: among }, cond: { $in: ['$$this', '$_in.locale'] } },
            },
          },
        ],
      },
    },
  },
]

describe('locale of targets', () => {
  it('becomes a filter if the rule or the locales of the parents determine it', () => {
    const match = (rule: LocaleRule, locales: readonly string[] | null = null) =>
      compileLocale(rule, locales)
    expect(match(none)).to.deep.equal({})
    expect(match(fixed)).to.deep.equal({ locale: 'fr' })
    for (const rule of [any, first, other])
      expect(match(rule)).to.deep.equal({ locale: { $in: among } })
    expect(match(same)).to.deep.equal({})
    expect(match(same, ['en'])).to.deep.equal({ locale: 'en' })
    expect(match(same, ['en', 'fr'])).to.deep.equal({ locale: { $in: ['en', 'fr'] } })
  })

  it('depends on the parent entry if it must be the same or another', () => {
    const deciding = [none, fixed, any, first, same, other].map((locale) =>
      dependsOnParent(link({ locale })),
    )
    expect(deciding).to.deep.equal([false, false, false, false, true, true])
  })

  it('is the first in the list that the document has', () => {
    expect(keepVisibleTargets(link({ locale: first }))).to.deep.equal(firstIn('tags'))
    for (const locale of [none, fixed, any, same, other])
      expect(keepVisibleTargets(link({ locale }))).to.deep.equal([])
    expect(keepVisibleVersions({ collection: 'works', chain: among })).to.deep.equal(
      firstIn('works'),
    )
    expect(keepVisibleVersions({ collection: 'works' })).to.deep.equal([])
  })
})

describe('lookup of targets', () => {
  const limit = { $limit: 1 }
  const lookedUp = (more: Partial<Link>, within?: string) =>
    compileLookup(link(more), [limit], '_t', within)
  const lookup = (localField: string, foreignField: string, pipeline: readonly object[] = []) => ({
    ...{ from: 'tags', localField, foreignField, pipeline: [...pipeline, limit], as: '_t' },
  })

  it('joins by the references that the entry stores', () => {
    expect(lookedUp({})).to.deep.equal([{ $lookup: lookup('tags.documentId', 'documentId') }])
    expect(lookedUp({}, 'frame.')).to.deep.equal([
      { $lookup: lookup('frame.tags.documentId', 'documentId') },
    ])
  })

  it('joins inverse sides by references to the entry, and localizations by documentId', () => {
    expect(lookedUp({ stored: 'there' })).to.deep.equal([
      { $lookup: lookup('documentId', 'tags.documentId') },
    ])
    expect(lookedUp({ stored: 'sibling' })).to.deep.equal([
      { $lookup: lookup('documentId', 'documentId') },
    ])
  })

  it('filters the targets by the locale rule', () => {
    const references = ['tags.documentId', 'documentId'] as const
    const matched = (...stages: readonly object[]) => lookup(...references, stages)
    const of = (locale: LocaleRule) => lookedUp({ locale })
    expect(of(fixed)).to.deep.equal([{ $lookup: matched({ $match: { locale: 'fr' } }) }])
    const inAny = { $match: { locale: { $in: among } } }
    expect(of(any)).to.deep.equal([{ $lookup: matched(inAny) }])
    expect(of(first)).to.deep.equal([{ $lookup: matched(inAny, ...firstIn('tags')) }])
    const withLocale = { let: { locale: '$locale' } }
    expect(of(same)).to.deep.equal([{ $lookup: { ...matched({ $match: inSame }), ...withLocale } }])
    expect(of(other)).to.deep.equal([
      { $lookup: { ...matched({ $match: inOther }), ...withLocale } },
    ])
  })

  it('filters the inverse side of a polymorphic relation by type', () => {
    const typed = { type: 'api::a.a', path: 'items', stored: 'there' } as const
    const match = { 'items.__type': 'api::a.a' }
    expect(lookedUp(typed)).to.deep.equal([
      { $lookup: lookup('documentId', 'items.documentId', [{ $match: match }]) },
    ])
    expect(compileType(link(typed))).to.deep.equal(match)
    expect(compileType(link({ ...typed, stored: 'here' }))).to.deep.equal({})
    expect(compileType(link({ stored: 'there' }))).to.deep.equal({})
  })

  it('joins by the _refs list if the reference has no index', () => {
    const references = { $ifNull: ['$tags.documentId', []] }
    const all = { $cond: [{ $isArray: [references] }, references, [references]] }
    const listed = lookedUp({ stored: 'there', listed: true, locale: same })
    expect(listed).to.deep.equal([
      { $set: { _t_text: { $concat: [{ $literal: 'tags:' }, '$documentId'] } } },
      {
        $lookup: {
          ...{ from: 'tags', localField: '_t_text', foreignField: '_refs', as: '_t' },
          let: { locale: '$locale', documentId: '$documentId' },
          pipeline: [
            { $match: { $expr: { $in: ['$$documentId', all] } } },
            { $match: inSame },
            limit,
          ],
        },
      },
    ])
    expect(lookedUp({ listed: true })).to.deep.equal(lookedUp({}))
    expect(compileListed(link({ listed: true }), ['k1', 'k2'])).to.deep.equal({
      _refs: { $in: ['tags:k1', 'tags:k2'] },
    })
    expect(compileListed(link(), ['k1'])).to.deep.equal({})
  })

  it('reads the referenced documentIds, of one type in a polymorphic relation', () => {
    expect(compileReferred(link())).to.equal('$tags.documentId')
    const input = { $cond: [{ $isArray: ['$tags'] }, '$tags', [{ $ifNull: ['$tags', {}] }]] }
    const cond = { $eq: ['$$this.__type', { $literal: 'api::a.a' }] }
    expect(compileReferred(link({ type: 'api::a.a' }))).to.deep.equal({
      $map: { input: { $filter: { input, cond } }, in: '$$this.documentId' },
    })
  })
})

describe('modified draft', () => {
  const versions = { from: 'tags', localField: 'documentId', foreignField: 'documentId' }
  const later = { $gt: ['$updatedAt', '$$this.updatedAt'] }
  const earlier = (...seen: readonly object[]) => ({
    lookup: { $lookup: { ...versions, as: '_v' } },
    isEarlier: {
      $anyElementTrue: [{ $map: { input: '$_v', in: { $and: [...seen, later] } } }],
    },
  })

  it('is newer than the published version that the locale rule selects', () => {
    const of = (locale: LocaleRule) => compileEarlier(link({ locale }), '_v')
    const code = '$$this.locale'
    const isAmong = { $in: [code, { $literal: among }] }
    expect(of(none)).to.deep.equal(earlier())
    expect(of(fixed)).to.deep.equal(earlier({ $eq: [code, { $literal: 'fr' }] }))
    expect(of(any)).to.deep.equal(earlier(isAmong))
    expect(of(first)).to.deep.equal(earlier(isAmong))
    expect(of(same)).to.deep.equal(earlier({ $eq: [code, '$locale'] }))
    expect(of(other)).to.deep.equal(earlier(isAmong, { $ne: [code, '$locale'] }))
  })

  it('is found by its _modified mark', () => {
    const marked = (locale: LocaleRule, match: object, version: object) => {
      const { lookup, isEarlier } = compileEarlier(link({ locale }), '_shown')
      expect(compileMarked(link({ locale }), 10)).to.deep.equal([
        { $match: { _modified: true, ...match } },
        { $project: { _id: 0, ...version, updatedAt: 1 } },
        lookup,
        ...[{ $match: { $expr: isEarlier } }, { $limit: 10 }, { $project: version }],
      ])
    }
    marked(none, {}, { documentId: 1 })
    marked(fixed, { locale: 'fr' }, { documentId: 1 })
    marked(same, {}, { documentId: 1, locale: 1 })
  })

  it('is looked up from the published version, in the same locale if the type has locales', () => {
    const lookUp = (locale: LocaleRule, ...isSeen: readonly object[]) => {
      const isLater = { $and: [...isSeen, { $gt: ['$updatedAt', '$$updatedAt'] }] }
      expect(compileModifiedTargets('tags.draft', link({ locale }))).to.deep.equal([
        {
          $lookup: {
            ...{ from: 'tags.draft', localField: 'documentId', foreignField: 'documentId' },
            let: { locale: '$locale', updatedAt: '$updatedAt' },
            pipeline: [{ $match: { $expr: isLater } }, { $limit: 1 }, { $project: { _id: 1 } }],
            as: '_draft',
          },
        },
        { $match: { _draft: { $ne: [] } } },
      ])
    }
    lookUp(same, { $eq: ['$locale', '$$locale'] })
    lookUp(none)
  })
})

describe('readGroups', () => {
  const key = { name: 'kind', through: [], path: 'kind', form: 'text' } as const
  const measure = (of: 'sum' | 'avg') =>
    ({ of, name: 'views', path: 'views', form: 'number' }) as const
  const groups = {
    ...{ keys: [key], count: true, sort: [] },
    ...{ measures: [measure('sum'), measure('avg')], withTotal: true },
  }
  const page = { skip: 0, limit: 25 }
  const rows = [
    { _id: { k0: 'a' }, _count: 2n, _m0: 7, _m1: 3.5 },
    { _id: { k0: null }, _count: 1, _m0: null, _m1: null },
  ]
  const read = [
    { keys: ['a'], count: 2, measures: [7, 3.5] },
    { keys: [null], count: 1, measures: [0, null] },
  ]

  it('returns the total if it is requested', () => {
    expect(readGroups(page, groups, [{ page: rows, total: [{ total: 5n }] }])).to.deep.equal({
      ...{ groups: read, total: 5 },
    })
    expect(readGroups(page, groups, [{ page: [], total: [] }])).to.deep.equal({
      ...{ groups: [], total: 0 },
    })
    expect(readGroups(page, { ...groups, withTotal: false }, rows)).to.deep.equal({
      ...{ groups: read, total: null },
    })
  })

  it('returns a single group if there are no keys, even without entries', () => {
    const all = { ...groups, keys: [] }
    const one = { keys: [], count: 2, measures: [7, 3.5] }
    expect(readGroups(page, all, rows)).to.deep.equal({ groups: [one], total: 1 })
    expect(readGroups(page, all, [])).to.deep.equal({
      ...{ groups: [{ keys: [], count: 0, measures: [0, null] }], total: 1 },
    })
    expect(readGroups({ skip: 1, limit: 25 }, all, rows)).to.deep.equal({ groups: [], total: 1 })
    expect(readGroups(page, { ...all, withTotal: false }, rows).total).to.equal(null)
  })
})
