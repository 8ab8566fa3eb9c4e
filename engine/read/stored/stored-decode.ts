import type { Decoded } from './stored-fields.js'

/** Returns the values of an embedded or reference field: one, several or none. */
export function valuesOf(stored: unknown): readonly Decoded[] {
  if (Array.isArray(stored)) return stored as Decoded[]
  return typeof stored === 'object' && stored !== null ? [stored as Decoded] : []
}

/** Returns the stored value at a path through embedded values; null if there is none. */
export function valueAt(value: Decoded, path: string): unknown {
  let here: unknown = value
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return null
    here = (here as Decoded)[name]
  }
  return here ?? null
}
