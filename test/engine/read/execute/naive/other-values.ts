import type { FilterNode, Filters, Pagination, Populate, PopulateOptions, Query } from './query.js'

/** Replaces a filter value below an operator or a name. */
type Change = (value: string | null, below: string) => string | null

const asksForNull = (operator: string): boolean => operator === '$null' || operator === '$notNull'

/** Returns a query of the same shape, with other values of the same types. */
export const otherValues = (query: Query): Query =>
  changed(
    query,
    (value, below) => (value === null || asksForNull(below) ? value : otherText(value)),
    (page) => page + 1,
  )

/** Returns the query with values that fit only text, and with null tests inverted. */
export const spoiledValues = (query: Query): Query =>
  changed(
    query,
    (value, below) =>
      asksForNull(below) ? (value === 'true' ? 'false' : 'true') : value === '' ? null : 'no value',
    (page) => page + 0.5,
  )

/** `7` → `6`, `2024-02-29` → `2024-02-01`, `10:30:00` → `00:30:00`, `a` → `ax` */
function otherText(text: string): string {
  if (/^\d{4}-\d\d-\d\d/.test(text)) return text.replace(/^(\d{4}-\d\d)-\d\d/, '$1-01')
  if (/^\d\d:\d\d:/.test(text)) return text.replace(/^\d\d/, '00')
  // Not one more: the largest integers would become too large.
  if (/^ ?-?\d/.test(text)) return text.replace(/\d$/, (digit) => String((Number(digit) + 9) % 10))
  return `${text}x`
}

function changed(query: Query, change: Change, page: (number: number) => number): Query {
  const { filters, populate, pagination, _q } = query
  return {
    ...query,
    ...(filters === undefined ? {} : { filters: ofFilters(filters, change) }),
    ...(populate === undefined ? {} : { populate: ofPopulate(populate, change, page) }),
    ...(pagination === undefined ? {} : { pagination: ofPagination(pagination, page) }),
    ...(_q === undefined ? {} : { _q: `${_q}x` }),
  }
}

function ofFilters(filters: Filters, change: Change): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([key, value]) => {
      const of = (node: FilterNode): FilterNode =>
        typeof node === 'string' || node === null ? change(node, key) : ofFilters(node, change)
      return [key, Array.isArray(value) ? value.map(of) : of(value as FilterNode)]
    }),
  )
}

function ofPopulate(
  populate: Populate,
  change: Change,
  page: (number: number) => number,
): Populate {
  if (typeof populate === 'string' || Array.isArray(populate)) return populate
  return ofMembers(populate as Readonly<Record<string, PopulateOptions | 'true'>>, change, page)
}

function ofMembers(
  members: Readonly<Record<string, PopulateOptions | 'true'>>,
  change: Change,
  page: (number: number) => number,
): Readonly<Record<string, PopulateOptions | 'true'>> {
  const inner = (options: PopulateOptions | 'true'): PopulateOptions | 'true' => {
    if (options === 'true') return options
    const { filters, populate, pagination, on } = options
    return {
      ...options,
      ...(filters === undefined ? {} : { filters: ofFilters(filters, change) }),
      ...(populate === undefined ? {} : { populate: ofPopulate(populate, change, page) }),
      ...(pagination === undefined ? {} : { pagination: ofPagination(pagination, page) }),
      ...(on === undefined ? {} : { on: ofMembers(on, change, page) }),
    }
  }
  return Object.fromEntries(Object.entries(members).map(([name, it]) => [name, inner(it)]))
}

function ofPagination(pagination: Pagination, page: (number: number) => number): Pagination {
  return Object.fromEntries(
    Object.entries(pagination).map(([key, value]) => [
      key,
      typeof value === 'number' ? page(value) : value,
    ]),
  )
}
