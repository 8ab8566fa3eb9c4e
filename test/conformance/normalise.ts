import type { JsonValue } from './records.js'
import type { Names } from './placeholders.js'

/** Masks what varies between equivalent services. documentIds become seed names (`@tag.red`) or `<docId>`. */
export type Normaliser = Readonly<{
  body: (value: JsonValue) => JsonValue
  text: (text: string) => string
}>

export function normaliserFor(names: Names): Normaliser {
  const nameOf = new Map(Object.entries(names.documents).map(([name, id]) => [id, `@${name}`]))

  const text = (value: string): string => {
    let result = value
    for (const [id, name] of nameOf)
      if (id.length > 5 && result.includes(id)) result = result.split(id).join(name)
    return maskText(result)
  }

  const scalar = (value: string, key: string | undefined): string => {
    if (key === 'documentId')
      return nameOf.get(value) ?? (wholeDocumentId.test(value) ? '<docId>' : value)
    if (key !== undefined && isTimestamp(key, value)) return '<ts>'
    if (key === 'url' && /_[0-9a-f]{10}\./.test(value)) return '<url>'
    if (key === 'hash') return value.replace(/_[0-9a-f]{10}$/, '_<hash>')
    if (key === 'refreshToken') return '<jwt>'
    return text(value)
  }

  const walk = (value: JsonValue, key: string | undefined, path: readonly string[]): JsonValue => {
    if (isArray(value)) {
      if (isUnordered(value, key, path))
        return value.map((member) => walk(member, undefined, path)).sort(byJson)
      return value.map((member) => walk(member, key === 'ids' ? 'id' : undefined, path))
    }
    if (typeof value === 'number') return key === 'id' ? '<id>' : value
    if (typeof value === 'string') return scalar(value, key)
    if (value === null || typeof value === 'boolean') return value
    return Object.fromEntries(
      Object.entries(value).map(([k, v]) => [
        k,
        isFormatSize(k, v, path) ? '<n>' : walk(v, k, [...path, k]),
      ]),
    )
  }

  return { body: (value) => walk(value, undefined, []), text }
}

/** Orders JSON values by their text. */
export const byJson = (a: JsonValue, b: JsonValue): number =>
  JSON.stringify(a) < JSON.stringify(b) ? -1 : 1

/** Whether a string is the time of a write, which varies between runs. */
export const isTimestamp = (key: string, value: string): boolean =>
  timestampKeys.has(key) && isoTime.test(value)

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const wholeDocumentId = /^[a-z][a-z0-9]{23}$/
const timestampKeys = new Set([
  'createdAt',
  'updatedAt',
  'publishedAt',
  'lastUsedAt',
  'expiresAt',
  'firstPublishedAt',
])

const maskText = (text: string): string =>
  text
    .replace(/eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g, '<jwt>')
    .replace(/(?<![a-z0-9])[a-z][a-z0-9]{23}(?![a-z0-9])/g, '<docId>')
    // With Strapi-Encode-Source-Maps, strings contain invisible characters that encode the documentId.
    .replace(/[\u200b-\u200d\ufeff\u2060]{8,}/g, '<stega>')
    // Record ids in messages, and in the `{ id: n }` that relation errors repeat.
    .replace(/\b(with id|relation with id) \d+/g, '$1 <id>')
    .replace(/"(before|after)":\d+/g, '"$1":<id>')
    // Strapi lists component uids in the order in which it read their files.
    .replace(
      /(must be one of the following values: )([\w.-]+\.[\w.-]+(?:, [\w.-]+\.[\w.-]+)+)/,
      (_, start: string, uids: string) => start + uids.split(', ').sort().join(', '),
    )

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** A file's polymorphic `related` and an entry's `localizations` have no defined order. */
function isUnordered(
  value: readonly JsonValue[],
  key: string | undefined,
  path: readonly string[],
): boolean {
  if (key === 'localizations') return true
  if (key === 'data') return path.at(-2) === 'localizations'
  const first = value[0]
  return (
    key === 'related' &&
    typeof first === 'object' &&
    first !== null &&
    Boolean((first as { __type?: JsonValue }).__type)
  )
}

/** The sizes of image formats depend on the encoder. */
const isFormatSize = (key: string, value: JsonValue, path: readonly string[]): boolean =>
  path.includes('formats') && (key === 'size' || key === 'sizeInBytes') && typeof value === 'number'
