import { expect } from 'chai'
import fc from 'fast-check'
import qs from 'qs'
import { ApiError } from '../../engine/errors.js'
import type { ParseLimits } from '../../engine/parse/parse-limits.js'
import { parseQuery } from '../../engine/parse/parse-query.js'

const limits: ParseLimits = {
  maxArrayLength: 1000,
  nestedPagination: true,
  unknownParameters: 'refuse',
}

const word = fc.oneof(
  fc.constantFrom('filters', 'sort', 'fields', 'populate', 'pagination', 'status', 'locale', '_q'),
  fc.constantFrom('$eq', '$in', '$or', '$and', '$not', '$between', 'on', 'page', 'withCount', '*'),
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', ''),
  fc.constantFrom('0', '1', '1000', 'title', 'author.name:desc', 'a,b', 'true'),
  fc.string(),
)
const key = fc
  .tuple(word, fc.array(word, { maxLength: 6 }))
  .map(([head, rest]) => head + rest.map((part) => `[${part}]`).join(''))
const search = fc
  .array(fc.tuple(key, fc.option(word)), { maxLength: 8 })
  .map((pairs) => pairs.map(([k, v]) => (v === null ? k : `${k}=${v}`)).join('&'))

describe('Whatever a query string holds', () => {
  it('it is understood or refused with a 400, and no prototype is reached', () => {
    fc.assert(
      fc.property(fc.oneof(search, fc.string()), (text) => {
        try {
          parseQuery(text, limits)
        } catch (error) {
          expect(error).to.be.instanceOf(ApiError)
          expect((error as ApiError).status).to.equal(400)
        }
        expect({}).to.not.have.property('x')
        expect(Object.keys(Object.prototype)).to.deep.equal([])
      }),
      { numRuns: 2000 },
    )
  })

  it('filters that are printed and parsed again give the same tree', () => {
    const name = fc.constantFrom('title', 'views', 'author', 'seo')
    const value = fc.string({ maxLength: 12 }).filter((text) => !text.includes('\0'))
    const comparison = fc.oneof(
      fc.record({ $eq: value }),
      fc.record({ $in: fc.array(value, { minLength: 1, maxLength: 4 }) }),
      fc.record({ $between: fc.tuple(value, value) }),
    )
    const { filter } = fc.letrec<{ filter: object }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 3 },
        fc.tuple(name, comparison).map(([key, test]) => ({ [key]: test })),
        fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((of) => ({ $or: of })),
        tie('filter').map((of) => ({ $not: of })),
        fc.tuple(name, tie('filter')).map(([key, of]) => ({ [key]: of })),
      ),
    }))
    fc.assert(
      fc.property(filter, (filters) => {
        const bracketed = parseQuery(qs.stringify({ filters }), limits)
        const plain = parseQuery(qs.stringify({ filters }, { encode: true }), limits)
        expect(bracketed).to.deep.equal(plain)
        expect(printFilter(bracketed.filters)).to.deep.equal(filters)
      }),
    )
  })
})

type Tree = ReturnType<typeof parseQuery>['filters']

/** The object that a tree was parsed from, for trees without lists of one attribute. */
function printFilter(tree: Tree): unknown {
  if (tree === undefined) return {}
  switch (tree.kind) {
    case 'at':
      return { [tree.name]: printFilter(tree.of) }
    case 'is': {
      const [only] = tree.values
      return { [tree.operator]: tree.operator === '$eq' ? only : tree.values }
    }
    case 'not':
      return { $not: printFilter(tree.of) }
    case 'any':
      return { $or: tree.of.map(printFilter) }
    case 'all':
      return Object.assign({}, ...tree.of.map(printFilter)) as unknown
  }
}
