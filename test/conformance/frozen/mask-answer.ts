import { isTimestamp } from '../normalise.js'
import type { Names } from '../placeholders.js'
import type { JsonValue } from '../records.js'

type Mask = Readonly<{
  text: (text: string) => string
  body: (value: JsonValue) => JsonValue
}>

/** Masks what varies between runs. documentIds become names (`@tag.red`) or numbers per answer (`<docId 1>`). */
export function maskFor(names: Names): Mask {
  const known = new Map(Object.entries(names.documents).map(([name, id]) => [id, `@${name}`]))
  const others = new Map<string, string>()
  const nameOf = (id: string): string => {
    const name = known.get(id) ?? others.get(id) ?? `<docId ${others.size + 1}>`
    if (!known.has(id)) others.set(id, name)
    return name
  }
  const text = (value: string): string =>
    value
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
      .replace(/(?<![a-z0-9])[a-z][a-z0-9]{23}(?![a-z0-9])/g, nameOf)
      // The hash in an uploaded file's name: `big_626e46dcbb.png`.
      .replace(/_[0-9a-f]{10}(?=\.|$)/g, '_<hash>')
  const walk = (value: JsonValue, key: string): JsonValue => {
    if (typeof value === 'string') return isTimestamp(key, value) ? '<ts>' : text(value)
    if (typeof value !== 'object' || value === null) return value
    if (isArray(value)) return value.map((member) => walk(member, key))
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, walk(v, k)]))
  }
  return { text, body: (value) => walk(value, '') }
}

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)
