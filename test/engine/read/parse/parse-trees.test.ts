import { expect } from 'chai'
import type { ParseLimits } from '../../../../engine/read/parse/parse-limits.js'
import { parseQuery } from '../../../../engine/read/parse/parse-query.js'
import { comparisonOperators, publicationFilters } from '../../../../engine/read/parse/raw-query.js'

const limits: ParseLimits = {
  maxArrayLength: 10,
  maxPopulateDepth: 5,
  deepPopulate: { default: 5, max: 10 },
  nestedPagination: true,
  unknownParameters: 'refuse',
}
const parses = (search: string, tree: unknown) =>
  it(`parses ${search.slice(0, 70) || 'an empty query string'}`, () =>
    expect(parseQuery(search, limits)).to.deep.equal(tree))

describe('parameters of a query string', () => {
  describe('fields', () => {
    parses('', {})
    parses('fields=a', { fields: ['a'] })
    parses('fields=%20a%20,,b,', { fields: ['a', 'b'] })
    parses('fields[]=a&fields[]=b,c', { fields: ['a', 'b', 'c'] })
    parses('fields=a,*', { fields: ['a', '*'] })
    parses('fields[]=*&fields[]=b', { fields: ['*', 'b'] })
    parses('fields=a*', { fields: ['a*'] })
  })

  describe('sort', () => {
    const asc = (...path: string[]) => ({ path, order: 'asc' })
    const desc = (...path: string[]) => ({ path, order: 'desc' })
    parses('sort', { sort: [] })
    parses('sort=', { sort: [] })
    parses('sort=,a,', { sort: [asc('a')] })
    parses('sort=%20a.b:Desc%20', { sort: [desc('a', 'b')] })
    parses('sort=a..b.', { sort: [asc('a', 'b')] })
    parses('sort=a:asc:desc', { sort: [asc('a')] })
    parses('sort=:desc', { sort: [] })
    parses('sort[]=a&sort[]=b:desc,c', { sort: [asc('a'), desc('b'), asc('c')] })
    parses('sort[0]&sort[1]=a', { sort: [asc('a')] })
    parses('sort[a]=&sort[b]&sort[c]=DESC', { sort: [desc('c')] })
    parses('sort[a][b]=asc&sort[a][c]=desc', { sort: [asc('a', 'b'), desc('a', 'c')] })
    parses('sort[a.b]=desc', { sort: [desc('a', 'b')] })
    parses('sort[0][a]=desc&sort[1]=b', { sort: [desc('a'), asc('b')] })
  })

  describe('pagination', () => {
    const page = (search: string, pagination: unknown) => parses(search, { pagination })
    page('pagination[page]=2&pagination[pageSize]=10', { page: 2, pageSize: 10 })
    page('pagination[start]=&pagination[limit]=-1', { start: 0, limit: -1 })
    page('pagination[page]=x', { page: NaN })
    page('pagination[page][]=1', { page: NaN })
    page('pagination[page]', { page: NaN })
    page('pagination[withCount]=false', { withCount: 'false' })
    page('pagination[withCount]', { withCount: '' })
    page('pagination[withCount][]=true', { withCount: '' })
  })

  describe('status, locale, search, publication and explain', () => {
    parses('status=draft', { status: 'draft' })
    parses('status=', { status: '' })
    for (const locale of ['en', 'de-CH', 'zh_Hans_CN', '*', 'xx-y-z', 'abcdefgh', 'en-12345678']) {
      parses(`locale=${locale}`, { locale: [locale] })
    }
    parses('locale', { locale: [] })
    parses('locale=', { locale: [] })
    parses('locale[]=en&locale[]=&locale[]=fr', { locale: ['en', 'fr'] })
    parses('_q=a b', { search: 'a b' })
    parses('_q=', { search: '' })
    parses('_q', { search: '' })
    parses(`_q=${'x'.repeat(4096)}`, { search: 'x'.repeat(4096) })
    for (const word of publicationFilters) {
      parses(`publicationFilter=${word}`, { publication: [word] })
    }
    parses('hasPublishedVersion=true', { publication: ['has-published-version-document'] })
    parses('hasPublishedVersion=false', { publication: ['never-published-document'] })
    parses('publicationFilter=modified&hasPublishedVersion=false', {
      publication: ['modified', 'never-published-document'],
    })
    parses('hasPublishedVersion=false&publicationFilter=modified', {
      publication: ['never-published-document', 'modified'],
    })
    parses('explain=true', { explain: 'plan' })
    parses('explain=execution', { explain: 'execution' })
  })
})

describe('filters of a query string', () => {
  const filter = (search: string, filters: unknown) => parses(search, { filters })
  const is = (operator: string, ...values: unknown[]) => ({ kind: 'is', operator, values })
  const at = (name: string, of: unknown) => ({ kind: 'at', name, of })

  const words = [
    ...['$eq', '$eqi', '$ne', '$nei', '$in', '$notIn', '$lt', '$lte', '$gt', '$gte', '$contains'],
    ...['$notContains', '$containsi', '$notContainsi', '$startsWith', '$startsWithi', '$endsWith'],
    ...['$endsWithi', '$null', '$notNull'],
  ]
  it('accept these operators and no others', () =>
    expect(comparisonOperators).to.have.members([...words, '$between']))
  for (const operator of words) filter(`filters[a][${operator}]=1`, at('a', is(operator, '1')))
  filter('filters[a][$between][]=1&filters[a][$between][]=2', at('a', is('$between', '1', '2')))
  filter('filters[a][$in][]=1&filters[a][$in][]', at('a', is('$in', '1', null)))
  filter('filters[a][$eq][]=1&filters[a][$eq][]=', at('a', is('$eq', '1', '')))
  filter(`filters[a]=${'x'.repeat(4096)}`, at('a', is('$eq', 'x'.repeat(4096))))
  filter('filters[a]=1&filters[b]=2', {
    kind: 'all',
    of: [at('a', is('$eq', '1')), at('b', is('$eq', '2'))],
  })
  filter(
    'filters[a][$gt]=1&filters[a][$lt]=2',
    at('a', {
      kind: 'all',
      of: [is('$gt', '1'), is('$lt', '2')],
    }),
  )
  filter('filters[$and][0][a]=1&filters[$and][1][b]=2', {
    kind: 'all',
    of: [at('a', is('$eq', '1')), at('b', is('$eq', '2'))],
  })
  filter('filters[$not][a]=1', { kind: 'not', of: at('a', is('$eq', '1')) })
  filter('filters[$not][0][a]=1&filters[$not][1][b]=2', {
    kind: 'not',
    of: { kind: 'all', of: [at('a', is('$eq', '1')), at('b', is('$eq', '2'))] },
  })
  filter('filters[a][$not]=1', at('a', { kind: 'not', of: is('$eq', '1') }))
  filter('filters[a][$not]', at('a', { kind: 'not', of: is('$eq', null) }))
  filter(
    'filters[a][$not][]=1&filters[a][$not][]=2',
    at('a', { kind: 'not', of: is('$in', '1', '2') }),
  )
  filter(
    'filters[a][$and][]=1&filters[a][$and][]=2',
    at('a', {
      kind: 'all',
      of: [is('$eq', '1'), is('$eq', '2')],
    }),
  )
  filter('filters[a][b][c]', at('a', at('b', at('c', is('$eq', null)))))
})

describe('populate in a query string', () => {
  const populates = (search: string, populate: unknown) => parses(search, { populate })
  const path = (name: string, options: unknown = {}) => ({ name, form: 'path', options })
  const key = (name: string, options: unknown = {}) => ({ name, form: 'key', options })

  populates('populate', [])
  populates('populate=', [])
  populates('populate=*', '*')
  populates('populate=a,%20b%20,', [path('a'), path('b')])
  populates('populate=a.b,a.c.d,a', [
    path('a', { populate: [path('b'), path('c', { populate: [path('d')] })] }),
  ])
  populates('populate[]=a.b&populate[]=a.c', [path('a', { populate: [path('b'), path('c')] })])
  populates('populate=a..b', [path('a', { populate: [path('b')] })])
  for (const yes of ['true', '1', 't']) populates(`populate[a]=${yes}`, [key('a')])
  for (const no of ['false', '0', 'f']) {
    populates(`populate[a]=${no}&populate[b1]=true`, [key('b1')])
  }
  populates('populate[a]=*', [key('a', { star: true })])
  populates('populate[a][fields]=b', [key('a', { fields: ['b'] })])
  populates('populate[a][sort]=b', [key('a', { sort: [{ path: ['b'], order: 'asc' }] })])
  populates('populate[a][filters][b]=1', [
    key('a', {
      filters: { kind: 'at', name: 'b', of: { kind: 'is', operator: '$eq', values: ['1'] } },
    }),
  ])
  populates('populate[a][populate]=*', [key('a', { populate: '*' })])
  populates('populate[a][populate][b][fields]=*', [
    key('a', { populate: [key('b', { fields: '*' })] }),
  ])
  for (const yes of ['true', '1', 't'])
    populates(`populate[a][count]=${yes}`, [key('a', { count: true })])
  for (const no of ['false', '0', 'f'])
    populates(`populate[a][count]=${no}`, [key('a', { count: false })])
  populates('populate[a][pagination][limit]=3', [key('a', { pagination: { limit: 3 } })])
  populates('populate[a][on][b.c]=true&populate[a][on][b.d]=false&populate[a][on][b.e][fields]=x', [
    key('a', {
      on: new Map<string, unknown>([
        ['b.c', {}],
        ['b.e', { fields: ['x'] }],
      ]),
    }),
  ])
})
