import { expect } from 'chai'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { typeOf } from '../../../../engine/schema/registry.js'
import { textOfNumber } from '../../../../engine/values/number-text.js'
import { inlineExecutor } from '../../../../workers/executor.js'
import { testDatabaseUri } from '../../../support/database.js'
import { component, contentType, define } from '../../schema/define.js'
import { planFor, readText, storeWorld } from '../execute/naive/engine-world.js'
import { matches } from '../execute/naive/filter.js'
import type { Filters, Query } from '../execute/naive/query.js'
import { runs } from '../../../support/properties.js'

const registry = define(
  contentType({
    meta: { type: 'json' },
    secret: { type: 'json', private: true },
    parts: { type: 'component', component: 'all.part', repeatable: true },
  }),
  component('all.part', { meta: { type: 'json' } }),
)
const thing = typeOf(registry, 'api::thing.thing')

/** Names that have a special meaning in MongoDB, JavaScript or query strings. */
const keys = ['a', 'b', 'a.b', '$ref', '.', 'c$', '$$a', 'é', 'a b', 'toString', 'length']
const words = [
  '',
  'a',
  'A',
  'b',
  'É',
  'é',
  '10',
  '9',
  '5',
  '5.0',
  '1e-7',
  'true',
  '$a',
  '.*',
  '2024-02-29',
]
const numbers = [0, 5, 9, 10, -1, 1.5, 0.1 + 0.2, 1e-7, 1e21, 2147483648]
const scalar = fc.oneof(
  fc.constantFrom<unknown>(...words, ...numbers, true, false, null),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
)
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('json'), { maxKeys: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('json'), { maxKeys: 2 }),
  ),
}))

type PathFilter = Readonly<{ path: readonly string[]; test: Filters }>

const path = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a', 'b') }, fc.constantFrom(...keys)),
  { minLength: 1, maxLength: 3 },
)
const word = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...numbers).map(String))
const ofOne = fc.constantFrom(
  ...['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$eqi', '$nei', '$contains', '$notContains'],
  ...['$containsi', '$notContainsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi'],
)
const comparison: fc.Arbitrary<Filters> = fc.oneof(
  fc.tuple(ofOne, word).map(([operator, text]) => ({ [operator]: text })),
  fc.tuple(ofOne, fc.tuple(word, word)).map(([operator, texts]) => ({ [operator]: texts })),
  fc
    .tuple(
      fc.constantFrom('$in', '$notIn'),
      fc.array(fc.option(word), { minLength: 1, maxLength: 3 }),
    )
    .map(([operator, texts]) => ({ [operator]: texts })),
  fc.tuple(word, word).map((texts) => ({ $between: texts })),
  fc
    .tuple(fc.constantFrom('$null', '$notNull'), fc.constantFrom('true', 'false'))
    .map(([operator, text]) => ({ [operator]: text })),
)
const test: fc.Arbitrary<Filters> = fc.oneof(
  { weight: 4, arbitrary: comparison },
  comparison.map((inner) => ({ $not: inner })),
  fc.tuple(comparison, comparison).map((both) => ({ $or: both })),
  fc.tuple(comparison, comparison).map((both) => ({ $not: { $and: both } })),
)
const pathFilter: fc.Arbitrary<PathFilter> = fc.record({ path, test })

/** Evaluates filters as a client would expect: in plain JavaScript, on plain values. */
function satisfies(value: unknown, [key, ...rest]: readonly string[], test: Filters): boolean {
  const found: unknown[] = []
  collect(value, key === undefined ? [] : [key, ...rest], found)
  return logic(found, test)
}

function collect(value: unknown, names: readonly string[], found: unknown[]): void {
  for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
    const [name, ...rest] = names
    if (name === undefined) {
      if (one !== null && one !== undefined) found.push(one)
    } else if (typeof one === 'object' && one !== null && !Array.isArray(one)) {
      const inner = new Map(Object.entries(one)).get(name) as unknown
      if (inner !== undefined) collect(inner, rest, found)
    }
  }
}

function logic(found: readonly unknown[], test: Filters, no = false): boolean {
  const [[operator, value] = ['', null]] = Object.entries(test)
  const members = value as readonly Filters[]
  if (operator === '$not') return logic(found, value as Filters, !no)
  if (operator === '$or' || operator === '$and') {
    const each = members.map((member) => logic(found, member, no))
    return (operator === '$or') !== no ? each.some(Boolean) : each.every(Boolean)
  }
  return compare(found, operator, [value].flat() as (string | null)[], no)
}

const opposites: Readonly<Record<string, string>> = {
  ...{ $ne: '$eq', $notIn: '$in', $nei: '$eqi' },
  ...{ $notContains: '$contains', $notContainsi: '$containsi' },
}

function compare(
  found: readonly unknown[],
  operator: string,
  texts: readonly (string | null)[],
  no: boolean,
): boolean {
  if (operator === '$null' || operator === '$notNull') {
    return (((found.length === 0) === (texts[0] === 'true')) === (operator === '$null')) !== no
  }
  const opposite = opposites[operator]
  const negated = (opposite !== undefined) !== no
  const plain = opposite ?? operator
  if (texts.includes(null) && found.length === 0) return !negated
  if (found.length === 0) return false
  const given = texts.filter((text) => text !== null)
  // `$notContains` with several texts matches if at least one of them is not contained.
  const every = opposite !== undefined && !['$ne', '$notIn'].includes(operator)
  const holds = found.some((value) => {
    if (plain === '$between') {
      return order(value, given[0], (by) => by >= 0) && order(value, given[1], (by) => by <= 0)
    }
    const each = given.map((text) => one(value, plain, text))
    return every ? each.every(Boolean) : each.some(Boolean)
  })
  return holds !== negated
}

function one(value: unknown, operator: string, text: string): boolean {
  switch (operator) {
    case '$eq':
    case '$in':
      if (typeof value === 'string') return value === text
      return isNumber(text) && typeof value === 'number'
        ? value === Number(text)
        : typeof value === 'boolean' && String(value) === text
    case '$lt':
      return order(value, text, (by) => by < 0)
    case '$lte':
      return order(value, text, (by) => by <= 0)
    case '$gt':
      return order(value, text, (by) => by > 0)
    case '$gte':
      return order(value, text, (by) => by >= 0)
    default:
      if (typeof value === 'string') return matches(value, operator, text)
      if (typeof value !== 'number' && typeof value !== 'boolean') return false
      return matches(shown(value), operator, text)
  }
}

/**
 * Returns the text that text operators search. Numbers with an exponent have up to 15 digits, as in number attributes.
 */
const shown = (value: number | boolean): string =>
  (typeof value === 'number' && textOfNumber(value)) || String(value)

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

function order(value: unknown, text = '', accepts: (by: number) => boolean): boolean {
  if (typeof value === 'string')
    return accepts(Buffer.compare(Buffer.from(value), Buffer.from(text)))
  return typeof value === 'number' && isNumber(text) && accepts(value - Number(text))
}

const filterOf = ({ path, test }: PathFilter): Filters =>
  path.reduceRight<Filters>((inner, key) => ({ [key]: inner }), test)

describe('filter on a JSON path', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = await MongoClient.connect(await testDatabaseUri())
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  /**
   * Stores one entry per value. The components of the first entry have all values; those of every other entry have the
   * value of the entry before it.
   */
  async function store(values: readonly unknown[]): Promise<void> {
    const parts = values.map((meta, id) => ({ id, meta }))
    const documents = values.map((meta, at) => ({
      ...{ _id: at + 1, documentId: `d${at}`, locale: null, meta },
      parts: at === 0 ? parts : [...parts.slice(at - 1, at), { id: 999 }],
    }))
    const collections = new Map([[thing.collectionName, documents]])
    await storeWorld(db, { registry, collections, locales: ['en'], defaultLocale: 'en' })
  }

  async function entriesOf(query: Query): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const whole = { ...query, pagination: { limit: 100, withCount: 'false' } }
    const text = await readText(registry, inlineExecutor(db), thing, { sort: ['id:asc'], ...whole })
    return (JSON.parse(text ?? '') as { data: Readonly<Record<string, unknown>>[] }).data
  }

  it('matches the same entries, components and populated components as plain JavaScript', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(json, { minLength: 20, maxLength: 40 }),
        fc.array(pathFilter, { minLength: 20, maxLength: 20 }),
        async (values, queries) => {
          await store(values)
          for (const query of queries) {
            const filters = { meta: filterOf(query) }
            const label = JSON.stringify(filters)
            const holds = values.map((value) => satisfies(value, query.path, query.test))
            const ids = holds.flatMap((held, at) => (held ? [at + 1] : []))
            const own = await entriesOf({ fields: ['id'], filters })
            expect(
              own.map(({ id }) => id),
              label,
            ).to.deep.equal(ids)

            const isNone = satisfies(undefined, query.path, query.test)
            const containing = values.flatMap((_, at) => {
              const inside = at === 0 ? holds.some(Boolean) : holds[at - 1] === true || isNone
              return inside ? [at + 1] : []
            })
            const listed = await entriesOf({ fields: ['id'], filters: { parts: filters } })
            expect(
              listed.map(({ id }) => id),
              label,
            ).to.deep.equal(containing)

            const first = { fields: ['id'], filters: { id: '1' } }
            const [shown] = await entriesOf({ ...first, populate: { parts: { filters } } })
            const partIds = (shown?.['parts'] as { id: number }[]).map(({ id }) => id)
            expect(partIds, label).to.deep.equal(ids.map((id) => id - 1))
          }
        },
      ),
      { numRuns: runs(10) },
    )
  })

  it('is rejected for an attribute that the caller may not read', () => {
    const plan = (name: string) => () =>
      planFor(registry, thing, { filters: { [name]: { a: '1' } } }, { of: 'list' })
    expect(plan('meta')).not.to.throw()
    expect(plan('secret')).to.throw('Invalid key secret')
  })

  it('accepts a path as deep as the brackets of a query allow', async () => {
    const path = Array.from({ length: 17 }, () => 'a')
    const deep = path.reduceRight<unknown>((inner, key) => ({ [key]: [inner] }), 'end')
    await store([deep, { a: { a: 'end' } }])
    const filters = { meta: filterOf({ path, test: { $contains: 'n' } }) }
    expect(await entriesOf({ fields: ['id'], filters })).to.have.length(1)
    expect(await entriesOf({ fields: ['id'], filters: { parts: filters } })).to.have.length(2)
  })
})
