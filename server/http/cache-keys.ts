/**
 * What answers that anybody may keep are called by, so that a cache can be told which of them to forget
 * (docs/caching.md). A document is its documentId.
 */

/** On every answer. */
export const everyAnswer = 'quire'

/** On every answer that reads entries of a type. */
export const typeKey = (uid: string): string => uid

/** On every answer that any entry of a type may change, also one that it does not show. */
export const listKey = (uid: string): string => `${uid}/list`

/** The header in which keys stand, by the cache that reads it, and what stands between two. */
const separators: Readonly<Record<string, string>> = {
  'Surrogate-Key': ' ',
  xkey: ' ',
  'Cache-Tag': ',',
}

/** Keys as they stand in a header; undefined for none that is known. */
export function keysIn(header: string, keys: readonly string[]): string | undefined {
  const separator = separators[header]
  return separator === undefined ? undefined : keys.join(separator)
}
