import type { Index } from '../schema/index-list.js'
import { plainIndex } from '../schema/index-list.js'
import type { Demand } from './demand.js'

/** Beyond that an index narrows no further, and costs. */
const mostFields = 8

/**
 * The indexes that may serve a demand: what is equal comes first, then the order, then ranges, and once more with a
 * range before the order, which a total needs. Of what is equal comes first what another demand asks for too, so
 * that one index serves both.
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
  const asked = others.filter((other) => other.collection === collection)
  const orders = [[], ...asked.map((other) => other.equal)].map((first) => [
    ...useful.filter((path) => path === 'locale'),
    ...useful.filter((path) => path !== 'locale' && first.includes(path)),
    ...useful.filter((path) => path !== 'locale' && !first.includes(path)),
  ])
  return orders.flatMap(withOneReference)
}

/** An index has one of them (`isIndexable`). */
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
  // Backwards it is the same.
  const descending = keys
    .filter(({ direction }) => direction !== first?.direction)
    .map(({ path }) => path)
  const isNarrow = equal.some((path) => path !== 'locale')
  // Entry after entry would be fetched until enough are found that satisfy what no index knows.
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
