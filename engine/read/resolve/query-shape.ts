import type {
  RawDeepPopulate,
  RawFilter,
  RawPagination,
  RawPopulate,
  RawPopulateOptions,
  RawQuery,
  RawValue,
} from '../parse/raw-query.js'
import { isDeep } from '../parse/raw-query.js'
import { kindsOf } from './comparison.js'
import type { Sent, Filter, Populated, PopulatedValues, QueryShape, Selection } from './query.js'

/** A parsed query, split into its shape and the values of the request. */
export type RawShape = Readonly<{
  /** Equal for queries with the same resolved form, whatever values they send. */
  key: string
  sent: Sent
}>

type Taken = { values: (readonly RawValue[])[]; pages: RawPagination[] }

/**
 * Splits a query into a key, and the values in which requests with the same key may differ. Everything unknown stays in
 * the key, and also the status, because permissions depend on it.
 * `filters[slug][$eq]=a&_q=b&locale=fr` → `9:published _q filters 4:slug $eq t` and `{ values: [['a']], search: 'b',
 * locale: ['fr'], … }`
 */
export function shapeOf(raw: RawQuery): RawShape {
  const { filters, populate, pagination = {}, locale, search = '' } = raw
  const taken: Taken = { values: [], pages: [] }
  let key = nameKey(raw.status ?? 'published') + plainKey(raw)
  if (search !== '') key += ' _q'
  if (locale !== undefined && locale.length > 1) key += ' locales'
  if (filters !== undefined) key += ` filters ${filterKey(filters, taken)}`
  if (populate !== undefined) key += ` populate ${populateKey(populate, taken)}`
  const { values, pages } = taken
  const sent = { values, pages, pagination, locale, search }
  const { fallback, ignored } = raw
  if (fallback === undefined && ignored === undefined) return { key, sent }
  return { key, sent: { ...sent, fallback, ignored } }
}

/** Prefixes a name with its length, because it may contain syntax. */
const nameKey = (name: string): string => `${name.length}:${name}`

function filterKey(filter: RawFilter, taken: Taken): string {
  switch (filter.kind) {
    case 'all':
    case 'any': {
      let key = `${filter.kind}(`
      for (const member of filter.of) key += `${filterKey(member, taken)},`
      return `${key})`
    }
    case 'not':
      return `not ${filterKey(filter.of, taken)}`
    case 'at':
      return `${nameKey(filter.name)} ${filterKey(filter.of, taken)}`
    case 'is':
      taken.values.push(filter.values)
      return `${filter.operator} ${kindsOf(filter)}`
  }
}

function populateKey(populate: RawPopulate | RawDeepPopulate, taken: Taken): string {
  if (populate === '*') return populate
  if (isDeep(populate)) return deepKey(populate)
  let key = '('
  for (const { name, form, options } of populate) {
    key += `${form} ${nameKey(name)}${optionsKey(options, taken)},`
  }
  return `${key})`
}

/** Returns a key for a deep populate tree. Callers with equal permissions get equal trees for equal keys. */
export const deepKey = ({ levels, ignore }: RawDeepPopulate): string =>
  `deep ${levels} ${ignore.map(nameKey).join()}`

function optionsKey(options: RawPopulateOptions, taken: Taken): string {
  const { filters, populate, on, pagination } = options
  let key = plainKey(options)
  if (pagination !== undefined) {
    taken.pages.push(pagination)
    key += ' pagination'
  }
  if (filters !== undefined) key += ` filters ${filterKey(filters, taken)}`
  if (populate !== undefined) key += ` populate ${populateKey(populate, taken)}`
  if (on !== undefined) {
    key += ' on('
    for (const [uid, inner] of on) key += `${nameKey(uid)}${optionsKey(inner, taken)},`
    key += ')'
  }
  return key
}

/** Parameters that are added to the key in part or not at all. */
const apart: ReadonlySet<string> = new Set<keyof RawQuery | keyof RawPopulateOptions>([
  ...([
    'filters',
    'populate',
    'on',
    'pagination',
    'locale',
    'fallback',
    'search',
    'status',
    'ignored',
  ] as const),
])

/** Returns the key of all other parameters, independent of their order. */
function plainKey(parameters: Readonly<Record<string, unknown>>): string {
  const entries: string[] = []
  for (const name in parameters) {
    if (!apart.has(name)) entries.push(` ${name} ${JSON.stringify(parameters[name])}`)
  }
  return entries.length > 1 ? entries.sort().join('') : (entries[0] ?? '')
}

/** Estimated bytes of memory, rather too high than too low. */
const perField = 120
const perNode = 600
const perReference = 16

/** Estimates `QueryShape.size`. Shared parts are counted once. */
export function sizeOfShape({ selection, filter, sort, slots }: Omit<QueryShape, 'size'>): number {
  const nodes = sort.length + slots.length + (filter === null ? 0 : nodesOf(filter))
  return nodes * perNode + sizeOfSelection(selection)
}

/** Estimates the bytes of a selection and everything below it, without the parts in `counted`. */
export function sizeOfSelection(selection: Selection, counted = new Set<object>()): number {
  if (counted.has(selection)) return 0
  counted.add(selection)
  const { leading, fields, trailing, populated } = selection
  const shown = leading.length + fields.length + trailing.length
  return populated.reduce(
    (sum, member) => sum + sizeOfPopulated(member, counted),
    perNode + shown * perField,
  )
}

function sizeOfPopulated(member: Populated, counted: Set<object>): number {
  if (counted.has(member)) return perReference
  counted.add(member)
  return partsOf(member).reduce((sum, part) => sum + sizeOfPart(part, counted), perNode)
}

function partsOf(member: Populated): readonly PopulatedValues[] {
  if (member.kind === 'zone') return [...member.components.values()]
  return member.kind === 'morph' ? [...member.edges.values()] : [member]
}

function sizeOfPart({ selection, filter, sort }: PopulatedValues, counted: Set<object>): number {
  const nodes = sort.length + (filter === null ? 0 : nodesOf(filter))
  return nodes * perNode + sizeOfSelection(selection, counted)
}

function nodesOf(filter: Filter): number {
  switch (filter.kind) {
    case 'all':
    case 'any':
    case 'none':
      return filter.of.reduce((sum, member) => sum + nodesOf(member), 1)
    case 'component':
    case 'edge':
      return 1 + nodesOf(filter.of)
    case 'test':
    case 'version':
    case 'modified':
      return 1
  }
}
