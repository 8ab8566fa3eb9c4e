import type { Decoded } from './stored-fields.js'

/** The values of an embedded or reference field, which is one, a list, or nothing. */
export function valuesOf(stored: unknown): readonly Decoded[] {
  if (Array.isArray(stored)) return stored as Decoded[]
  return typeof stored === 'object' && stored !== null ? [stored as Decoded] : []
}

/** What is stored at a path that leads through embedded values; null where there is nothing. */
export function valueAt(value: Decoded, path: string): unknown {
  let here: unknown = value
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return null
    here = (here as Decoded)[name]
  }
  return here ?? null
}
