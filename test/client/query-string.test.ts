import { expect } from 'chai'
import fc from 'fast-check'
import { toQueryString } from '../../client/main.js'
import { dateUnits, measures } from '../../engine/read/parse/group-words.js'
import { parseQuery } from '../../engine/read/parse/parse-query.js'
import { parseQueryString } from '../../engine/read/parse/query-string.js'
import { runs } from '../support/properties.js'

const read = (query: object): unknown =>
  JSON.parse(JSON.stringify(parseQueryString(toQueryString(query), 1000)))

describe('toQueryString', () => {
  it('serializes any query so that the service parses the same query', () => {
    fc.assert(
      fc.property(tree(4), (filters) => {
        const query = { _q: filters }
        expect(read(query)).to.deep.equal(asTexts(query))
      }),
      { numRuns: runs(500) },
    )
  })

  it('serializes any aggregation so that the service parses the same aggregation', () => {
    fc.assert(
      fc.property(groups, ({ keys, counted, measured, order, page }) => {
        const texts = keys.map(({ path, unit }) => [path.join('.'), ...unit].join(':'))
        const given = measured.map(([of, paths]) => [of, paths.map((path) => path.join('.'))])
        const query = {
          groupBy: texts.length === 1 ? texts[0] : texts,
          count: counted ? '*' : undefined,
          ...(Object.fromEntries(given) as object),
          sort: order.map(([path, direction]) => `${path.join('.')}:${direction}`),
          pagination: page,
        }
        const read = parseQuery(toQueryString(query), limits, 'groups')
        expect(read.groups).to.deep.equal({
          by: keys.map(({ path, unit }, at) => ({
            ...{ name: texts[at], path },
            ...(unit.length === 0 ? {} : { unit: unit[0] }),
          })),
          count: counted || measured.length === 0,
          measures: measured.flatMap(([of, paths]) => paths.map((path) => ({ of, path }))),
        })
        const sorted = order.map(([path, direction]) => ({ path, order: direction }))
        expect(read.sort ?? []).to.deep.equal(sorted)
        expect(read.pagination).to.include(page)
      }),
      { numRuns: runs(500) },
    )
  })

  it('serializes dates, bigints and null, and omits undefined', () => {
    const at = new Date('2024-05-01T10:00:00Z')
    const filters = { a: at, b: 9_007_199_254_740_993n, c: null, d: undefined, e: false, f: '' }
    expect(read({ filters, locale: undefined })).to.deep.equal({
      filters: {
        ...{ a: '2024-05-01T10:00:00.000Z', b: '9007199254740993' },
        ...{ c: null, e: 'false', f: '' },
      },
    })
  })

  it('keeps lists of as many items as the service accepts', () => {
    const $in = Array.from({ length: 1000 }, (_, number) => number)
    const sent = read({ filters: { id: { $in } } })
    expect(sent).to.deep.equal({ filters: { id: { $in: $in.map(String) } } })
  })

  it('serializes populated relations, and an empty populate', () => {
    const populated = (populate: unknown): unknown =>
      parseQuery(toQueryString({ populate }), limits).populate
    expect(populated([])).to.deep.equal([])
    expect(populated({})).to.deep.equal([])
    const named = { name: 'author', form: 'key', options: {} }
    for (const populate of [{ author: {} }, { author: true }, { author: { sort: [] } }])
      expect(populated(populate)).to.deep.equal([named])
    expect(populated({ author: { populate: {} } })).to.deep.equal([
      { ...named, options: { populate: [] } },
    ])
    expect(populated({ author: false })).to.deep.equal([])
  })

  it('omits empty conditions', () => {
    expect(toQueryString({ filters: { author: {}, title: undefined } })).to.equal('')
  })

  const unsupported: readonly (readonly [what: string, query: object, named: RegExp])[] = [
    ['an empty list of values', { filters: { id: { $in: [] } } }, /filters\[id\]\[\$in\]/],
    ['an empty list of filters', { filters: { $or: [] } }, /filters\[\$or\]/],
    ['an empty filter among others', { filters: { $or: [{}, { id: 1 }] } }, /\$or\]\[0\]/],
    ['an empty $not', { filters: { $not: { a: undefined } } }, /\$not/],
    ['an empty $none', { filters: { tags: { $none: {} } } }, /tags\]\[\$none/],
    ['undefined in a list', { filters: { id: [1, undefined] } }, /filters\[id\]\[1\]/],
    ['an empty list of fields', { fields: [] }, /fields/],
    [
      'an empty list of populated fields',
      { populate: { a: { fields: [] } } },
      /populate\[a\]\[fields/,
    ],
    ['an empty list of sums', { sum: [] }, /sum/],
    ['an empty list of components', { populate: { zone: { on: {} } } }, /populate\[zone\]\[on\]/],
    ['NaN', { filters: { id: NaN } }, /NaN: filters\[id\]/],
    ['an invalid date', { filters: { a: new Date('x') } }, /date: filters\[a\]/],
    ['a function', { filters: { a: () => 1 } }, /function: filters\[a\]/],
    ['a name with an open bracket', { filters: { meta: { 'a[': 1 } } }, /meta\]\[a\[/],
    ['a name that is an array index', { filters: { meta: { 0: 1 } } }, /meta\]\[0\]/],
  ]
  for (const [what, query, named] of unsupported) {
    it(`throws for ${what} and names the key`, () => {
      expect(() => toQueryString(query)).to.throw(TypeError, named)
    })
  }
})

const limits = {
  maxArrayLength: 1000,
  maxPopulateDepth: 10,
  deepPopulate: { default: 5, max: 10 },
  nestedPagination: false,
  unknownParameters: 'refuse',
} as const

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
)

const name = fc
  .oneof(
    fc.constantFrom('$eq', 'title', 'a.b', 'a[b]', 'a&b=c', 'a+b', '%41', 'é', '日本', 'a b', '#'),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 5 })
      .filter((text) => !/[[\]]/.test(text)),
  )
  .filter((text) => !/^\d+$|^(__proto__|constructor|prototype)$|\0/.test(text))

/** Draws non-empty objects and lists. Empty values are tested separately. */
function tree(depth: number): fc.Arbitrary<object> {
  const below = depth === 0 ? scalar : fc.oneof(scalar, fc.constant(undefined), tree(depth - 1))
  const nonEmpty = below.filter((value) => value !== undefined && hasContent(value))
  return fc.oneof(
    { weight: 3, arbitrary: fc.dictionary(name, below, { maxKeys: 4, noNullPrototype: true }) },
    ...(depth === 4
      ? []
      : [{ weight: 1, arbitrary: fc.array(nonEmpty, { minLength: 1, maxLength: 120 }) }]),
  )
}

const attribute = fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,8}$/)
const path = fc.array(attribute, { minLength: 1, maxLength: 4 })
const byText = (names: readonly string[]): string => names.join('.')

/** Draws the parts of an aggregation, with measures in the order in which they are parsed. */
const groups = fc.record({
  keys: fc.uniqueArray(fc.record({ path, unit: fc.subarray([...dateUnits], { maxLength: 1 }) }), {
    maxLength: 8,
    selector: (key) => `${byText(key.path)}:${key.unit.join('')}`,
  }),
  counted: fc.boolean(),
  measured: fc
    .subarray([...measures])
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((of) =>
          fc.tuple(
            fc.constant(of),
            fc.uniqueArray(path, { minLength: 1, maxLength: 4, selector: byText }),
          ),
        ),
      ),
    ),
  order: fc.array(fc.tuple(path, fc.constantFrom('asc' as const, 'desc' as const)), {
    maxLength: 4,
  }),
  page: fc.record({ page: fc.integer({ min: 1 }), pageSize: fc.integer({ min: 1, max: 100 }) }),
})

function hasContent(value: unknown): boolean {
  if (value === undefined) return false
  if (typeof value !== 'object' || value === null || value instanceof Date) return true
  return Object.values(value).some(hasContent)
}

function asTexts(value: unknown): unknown {
  if (value === null) return null
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(asTexts)
  if (['number', 'boolean', 'bigint'].includes(typeof value)) return `${value as number}`
  if (typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, member]) => hasContent(member))
  return Object.fromEntries(members.map(([key, member]) => [key, asTexts(member)]))
}
