import type { JsonValue } from './records.js'

/** Reads `data.documentId`, `data.tags[*].name` or `data.length`. A list may be wrapped (`{ data: [...] }`). */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  const keys: readonly string[] = path.match(/[^.[\]]+/g) ?? []
  let found = [value]
  for (const key of keys)
    found =
      key === '*' ? found.flatMap((one) => listOf(one) ?? []) : found.map((one) => at(one, key))
  return keys.includes('*') ? found.map((one) => one ?? null) : found[0]
}

function at(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (key === 'length') return listOf(value)?.length
  if (/^\d+$/.test(key)) return listOf(value)?.[Number(key)]
  return memberOf(value, key)
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] | undefined =>
  [value, memberOf(value, 'data')].find(isList)

const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  (value as Readonly<Record<string, JsonValue>> | null | undefined)?.[key]

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)
