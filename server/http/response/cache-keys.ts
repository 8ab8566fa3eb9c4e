/**
 * Keys of responses in shared caches. After a change, the affected responses are purged by key (docs/caching.md). A
 * document's key is its documentId.
 */

export const everyAnswer = 'quire'

/** Key of every response for which entries of this type were read. */
export const typeKey = (uid: string): string => uid

/**
 * Key of every response that may change when an entry of this type is created, changed or deleted, even if the response
 * does not contain that entry.
 */
export const listKey = (uid: string): string => `${uid}/list`

/** Separators of keys in a header. Each cache product reads a header of its own. */
const separators: Readonly<Record<string, string>> = {
  'Surrogate-Key': ' ',
  xkey: ' ',
  'Cache-Tag': ',',
}

/** Joins keys with the separator of a header. Returns undefined for an unknown header. */
export function keysIn(header: string, keys: readonly string[]): string | undefined {
  const separator = separators[header]
  return separator === undefined ? undefined : keys.join(separator)
}
