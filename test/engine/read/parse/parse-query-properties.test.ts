import { expect } from 'chai'
import fc from 'fast-check'
import { ApiError } from '../../../../engine/errors.js'
import type { ParseLimits } from '../../../../engine/read/parse/parse-limits.js'
import { parseQuery } from '../../../../engine/read/parse/parse-query.js'
import { printQuery } from './print-query.js'
import { runs } from '../../../support/properties.js'

const limits: ParseLimits = {
  maxArrayLength: 1000,
  maxPopulateDepth: 10,
  deepPopulate: { default: 5, max: 10 },
  nestedPagination: true,
  unknownParameters: 'refuse',
}

const word = fc.oneof(
  fc.constantFrom('filters', 'sort', 'fields', 'populate', 'pagination', 'status', 'locale', '_q'),
  fc.constantFrom('pLevel', 'pIgnore', 'deep', 'all', 'deep,3', 'deep,'),
  fc.constantFrom('$eq', '$in', '$or', '$and', '$not', '$between', 'on', 'page', 'withCount', '*'),
  fc.constantFrom('$some', '$none', '$every'),
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

const value = fc.string({ maxLength: 12 }).filter((text) => !text.includes('\0'))
const values = fc.array(fc.option(value), { minLength: 1, maxLength: 3 })
const name = fc.constantFrom('title', 'author', 'seo', 'äö', 'a b')

/** Generates the ends of filter parameters, after `filters`: brackets and a value, such as `[$eq]=Ana`. */
const comparison = fc.oneof(
  fc.option(value).map((text) => bracketed('', [text])),
  fc
    .tuple(fc.constantFrom('$eq', '$ne', '$in', '$notIn', '$containsi', '$null'), values)
    .map(([operator, texts]) => bracketed(`[${operator}]`, texts)),
  fc.tuple(value, value).map((texts) => bracketed('[$between]', texts)),
)
const { filter } = fc.letrec<{ filter: readonly string[] }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(name, comparison).map(([key, tests]) => below(`[${key}]`, tests)),
    fc.tuple(name, tie('filter')).map(([key, inner]) => below(`[${key}]`, inner)),
    fc
      .tuple(name, fc.constantFrom('$some', '$none', '$every'), tie('filter'))
      .map(([key, quantifier, inner]) => below(`[${key}][${quantifier}]`, inner)),
    tie('filter').map((inner) => below('[$not]', inner)),
    fc
      .tuple(
        fc.constantFrom('$and', '$or', '$not'),
        fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
      )
      .map(([logic, members]) =>
        members.flatMap((inner, place) => below(`[${logic}][${place}]`, inner)),
      ),
  ),
}))
const below = (prefix: string, rests: readonly string[]): readonly string[] =>
  rests.map((rest) => prefix + rest)
const bracketed = (operator: string, texts: readonly (string | null)[]): readonly string[] =>
  texts.map((text, place) => {
    const key = texts.length === 1 ? operator : `${operator}[${place}]`
    return text === null ? key : `${key}=${encodeURIComponent(text)}`
  })

const sorted = fc.constantFrom(
  ...['sort=title', 'sort=title:DESC, author.name', 'sort[author][name]=desc&sort[title]=asc'],
  ...['sort[0]=title&sort[1][author]=ASC', 'sort=', 'sort[a.b]=asc'],
)
const fields = fc.constantFrom('fields=title, slug', 'fields[0]=*', 'fields[]=title&fields[]=id')
const pages = fc.constantFrom('[page]=2&pagination[pageSize]=x', '[limit]=-1', '[withCount]=f')
const populate = fc.oneof(
  fc.constantFrom('populate=*', 'populate=', 'populate=author,seo.social.profile, author.tags'),
  fc.constantFrom('pLevel', 'pLevel=3&pIgnore=author, tags', 'populate=deep', 'populate=deep,2'),
  fc.constantFrom('populate=all&pIgnore[]=b&pIgnore[]=a', 'populate[0]=deep', 'populate=deep,a'),
  fc.constantFrom('populate[0]=a&populate[1]=a.b', 'populate[a]=*', 'populate[a]=0&populate[b]=t'),
  fc
    .tuple(filter, sorted, fields, pages, fc.boolean())
    .map(([inner, sort, shown, page, isInZone]) => {
      const prefix = isInZone ? 'populate[zone][on][a.b]' : 'populate[tags]'
      const options = [...below('filters', inner), ...sort.split('&'), ...shown.split('&')]
      return [...options, ...`pagination${page}`.split('&'), 'count=true', 'populate=c,d.e']
        .map((option) => option.replace(/^\w+/, `${prefix}[$&]`))
        .join('&')
    }),
)
const validQuery = fc
  .tuple(
    fc.option(filter.map((inner) => below('filters', inner).join('&'))),
    ...[fc.option(sorted), fc.option(fields), fc.option(populate)],
    fc.option(pages.map((page) => `pagination${page}`)),
    fc.option(value.map((text) => `_q=${encodeURIComponent(text)}`)),
    fc.option(fc.constantFrom('status=draft', 'locale=fr', 'locale=', 'locale[]=*&locale[]=de')),
    fc.option(fc.constantFrom('publicationFilter=modified', 'explain=execution')),
  )
  .map((parts) => parts.filter((part) => part !== null).join('&'))

describe('parseQuery with random query strings', () => {
  it('returns a tree or throws a 400, and never touches a prototype', () => {
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
      { numRuns: runs(2000) },
    )
  })

  it('returns the same tree after it is printed and parsed again', () => {
    fc.assert(
      fc.property(validQuery, (text) => {
        const tree = parseQuery(text, limits)
        expect(parseQuery(printQuery(tree), limits)).to.deep.equal(tree)
      }),
      { numRuns: runs(1000) },
    )
  })
})
