import type { Index } from '../schema/index-list.js'
import { plainIndex } from '../schema/index-list.js'
import type { Demand } from './demand.js'

/** Maximum number of fields in an index. More fields would not make it more selective, but cost time for each write. */
const mostFields = 8

/**
 * Returns indexes that may serve a demand. Their fields are, in this order, those that are compared for equality, the
 * sort keys, and ranges. For counting the total, one range directly follows the equality fields. Equality fields that
 * other demands share come first, so that one index may serve several demands.
 */
export function candidatesFor(demand: Demand, others: readonly Demand[]): readonly Index[] {
  const orders = equalOrders(demand, others)
  const found = orders.flatMap((equal) => formsOf(demand, equal))
  return [...new Map(found.map((index) => [index.name, index])).values()]
}

function equalOrders(
  { equal, collection }: Demand,
  others: readonly Demand[],
): readonly (readonly string[])[] {
  const useful = equal.filter((path) => path !== 'documentId' && path !== '_id')
  const ofCollection = others.filter((other) => other.collection === collection)
  const orders = [[], ...ofCollection.map((other) => other.equal)].map((first) => [
    ...useful.filter((path) => path === 'locale'),
    ...useful.filter((path) => path !== 'locale' && first.includes(path)),
    ...useful.filter((path) => path !== 'locale' && !first.includes(path)),
  ])
  return orders.flatMap(withOneReference)
}

/**
 * Returns variants of a list of paths, each with only one of its references, because an index may contain only one
 * (`isIndexable`).
 */
function withOneReference(paths: readonly string[]): readonly (readonly string[])[] {
  const references = paths.filter(isReference)
  if (references.length < 2) return [paths]
  return references.map((kept) => paths.filter((path) => path === kept || !isReference(path)))
}

const isReference = (path: string): boolean => path.endsWith('.documentId')

function formsOf(demand: Demand, equal: readonly string[]): readonly Index[] {
  const { ranges, isTested, sort } = demand
  const keys = (sort ?? []).filter(({ path }) => !demand.equal.includes(path))
  const [first] = keys
  const order = keys.map(({ path }) => path)
  // An index can also be scanned backwards, so a direction only matters if it differs from that of the first key.
  const descending = keys
    .filter(({ direction }) => direction !== first?.direction)
    .map(({ path }) => path)
  const isNarrow = equal.some((path) => path !== 'locale')
  // With an index in sort order, MongoDB would fetch entries one by one until enough of them match, unless another
  // field of the index narrows the scan.
  const isSorted = sort !== null && (!isTested || isNarrow)
  const withRange = ranges.map((range) => [...equal, range, '_id'])
  const forms: readonly (readonly string[])[] = [
    ...(isSorted ? [[...equal, ...order]] : []),
    ...(isSorted ? [[...equal, ...order, ...ranges.filter((path) => !order.includes(path))]] : []),
    ...withRange,
    ...(ranges.length === 0 && isNarrow ? [[...equal, '_id']] : []),
  ]
  return forms
    .filter((fields) => fields.length > 0 && fields.length <= mostFields)
    .map((fields) => [...new Set(fields)])
    .map((fields) => plainIndex(fields, inForm(fields, descending)))
}

const inForm = (fields: readonly string[], descending: readonly string[]): readonly string[] =>
  descending.filter((path) => fields.includes(path))
