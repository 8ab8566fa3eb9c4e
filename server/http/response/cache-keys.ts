/**
 * Keys of responses in shared caches. After a change, the affected responses are purged by key (docs/caching.md). A
 * document's key is its documentId.
 */

export const everyAnswer = 'quire'

/** Key of every response for which entries of this type were read. */
export const typeKey = (uid: string): string => uid

/** Key of every response that depends on all entries of this type, even on those that it does not contain. */
export const listKey = (uid: string): string => `${uid}/list`

/** Separator of keys, by header. Each cache product reads its own header. */
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
