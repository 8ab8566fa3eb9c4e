import type { Index } from '../schema/index-list.js'
import { plainIndex, uniqueByName } from '../schema/index-list.js'
import type { Demand } from './demand.js'

/** Maximum number of fields in an index. More fields would not make it more selective, but cost time for each write. */
const mostFields = 8

/**
 * Returns indexes that may serve a demand. Their fields are, in this order, those that are compared for equality, the
 * sort keys, and ranges. For counting the total, one range directly follows the equality fields. Equality fields that
 * other demands share come first, so that one index may serve several demands.
 * @param others demands on the same collection
 */
export function candidatesFor(demand: Demand, others: readonly Demand[]): readonly Index[] {
  const useful = demand.equal.filter((path) => path !== 'documentId' && path !== '_id')
  const orders = [[], ...others.map(({ equal }) => equal)].map((shared) => {
    const place = (path: string) => (path === 'locale' ? 0 : shared.includes(path) ? 1 : 2)
    return useful.toSorted((a, b) => place(a) - place(b))
  })
  const found = orders.flatMap(withOneReference).flatMap((equal) => formsOf(demand, equal))
  return uniqueByName(found)
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
  const order = keys.map(({ path }) => path)
  // An index can also be scanned backwards, so a direction only matters if it differs from that of the first key.
  const reversed = keys.filter(({ direction }) => direction !== keys[0]?.direction)
  const isNarrow = equal.some((path) => path !== 'locale')
  // With an index in sort order, MongoDB would fetch entries one by one until enough of them match, unless another
  // field of the index narrows the scan.
  const isSorted = sort !== null && (!isTested || isNarrow)
  const forms: readonly (readonly string[])[] = [
    ...(isSorted ? [order, [...order, ...ranges.filter((path) => !order.includes(path))]] : []),
    ...ranges.map((range) => [range, '_id']),
    ...(ranges.length === 0 && isNarrow ? [['_id']] : []),
  ]
  return forms
    .map((form) => [...equal, ...form])
    .filter(({ length }) => length > 0 && length <= mostFields)
    .map((all) => {
      const fields = [...new Set(all)]
      const descending = reversed.map(({ path }) => path).filter((path) => fields.includes(path))
      return plainIndex(fields, descending)
    })
}
