/**
 * Names of responses in shared caches, so that a cache can purge the affected ones (docs/caching.md). The key of a
 * document is its documentId.
 */

/** On every cacheable response. */
export const everyAnswer = 'quire'

/** On every response that reads entries of a type. */
export const typeKey = (uid: string): string => uid

/** On every response that any entry of a type may change, even an entry that it does not show. */
export const listKey = (uid: string): string => `${uid}/list`

/** Separator of keys by header name. Each cache reads its own header. */
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
