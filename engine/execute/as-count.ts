import type { Document } from 'mongodb'

/**
 * The filter of a pipeline that only matches and counts, which the engine's `count` command answers in two
 * thirds of the time; undefined for any other, and for one that matches everything: of that, `count` tells
 * the collection's metadata, which is not exact everywhere (docs/storage.md, "Totals").
 */
export function asCount(pipeline: readonly Document[]): Document | undefined {
  const [match, count, ...more] = pipeline
  if (more.length > 0 || count?.['$count'] === undefined) return undefined
  const filter = match?.['$match'] as Document | undefined
  return filter === undefined || Object.keys(filter).length === 0 ? undefined : filter
}
