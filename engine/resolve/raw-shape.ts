import type {
  RawFilter,
  RawPagination,
  RawPopulate,
  RawPopulateOptions,
  RawQuery,
  RawValue,
} from '../parse/raw-query.js'
import { kindsOf } from './comparison.js'
import type { Sent } from './query.js'

/** A parsed query, taken apart. */
export type RawShape = Readonly<{
  /** The same for queries that resolve alike, whatever they send for it. */
  key: string
  sent: Sent
}>

type Taken = { values: (readonly RawValue[])[]; pages: RawPagination[] }

/**
 * Takes out of a query what its requests may differ in: the values of filters (as far as their kinds are
 * the same), numbers of pages, the locale, the text that is searched for. All else stays in the key,
 * what it does not know of included; the status too, because what may be seen depends on it.
 *
 * `filters[slug][$eq]=a&locale=fr` → `[…["at","slug","$eq t"]…]` and `{ values: [['a']], locale: ['fr'] }`
 */
export function shapeOf(raw: RawQuery): RawShape {
  const { filters, populate, pagination = {}, locale, search = '', status, ...rest } = raw
  const taken: Taken = { values: [], pages: [] }
  const key = JSON.stringify([
    status ?? 'published',
    plain(rest),
    filters === undefined ? 0 : filterKey(filters, taken),
    populate === undefined ? 0 : populateKey(populate, taken),
    search !== '',
    locale !== undefined && locale.length > 1,
  ])
  return { key, sent: { ...taken, pagination, locale, search } }
}

/** A tree that JSON tells apart: a comparison is a text, all else a list. */
type Key = string | number | boolean | readonly Key[]

function filterKey(filter: RawFilter, taken: Taken): Key {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return [filter.kind, ...filter.of.map((member) => filterKey(member, taken))]
    case 'not':
      return ['not', filterKey(filter.of, taken)]
    case 'at':
      return ['at', filter.name, filterKey(filter.of, taken)]
    case 'is':
      taken.values.push(filter.values)
      return `${filter.operator} ${kindsOf(filter)}`
  }
}

function populateKey(populate: RawPopulate, taken: Taken): Key {
  if (populate === '*') return populate
  return populate.map(({ name, form, options }) => [name, form, optionsKey(options, taken)])
}

function optionsKey(options: RawPopulateOptions, taken: Taken): Key {
  const { filters, populate, on, pagination, ...rest } = options
  if (pagination !== undefined) taken.pages.push(pagination)
  return [
    plain(rest),
    filters === undefined ? 0 : filterKey(filters, taken),
    populate === undefined ? 0 : populateKey(populate, taken),
    on === undefined ? 0 : [...on].map(([uid, inner]) => [uid, optionsKey(inner, taken)]),
    pagination !== undefined,
  ]
}

/** Parameters that are in the key as they are, in whatever order they were sent. */
function plain(parameters: Readonly<Record<string, unknown>>): Key {
  const entries = Object.entries(parameters)
  if (entries.length === 0) return 0
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
