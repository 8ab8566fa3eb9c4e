/**
 * Keys of responses in shared caches. With them, a cache can purge the responses that a change affects
 * (docs/caching.md). The key of a document is its documentId.
 */

/** Key of every cacheable response. */
export const everyAnswer = 'quire'

/** Key of every response that reads entries of a type. */
export const typeKey = (uid: string): string => uid

/** Key of every response that depends on all entries of a type, even on those that it does not show. */
export const listKey = (uid: string): string => `${uid}/list`

/** The separator of keys in each header. Each cache reads its own header. */
const separators: Readonly<Record<string, string>> = {
  'Surrogate-Key': ' ',
  xkey: ' ',
  'Cache-Tag': ',',
}

/** Joins keys for a header. Returns undefined for an unknown header. */
export function keysIn(header: string, keys: readonly string[]): string | undefined {
  const separator = separators[header]
  return separator === undefined ? undefined : keys.join(separator)
}
