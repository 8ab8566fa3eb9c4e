import type { ScalarType } from './scalar-type.js'

/** Whether `"default": "now"` means the moment of the write. */
export function isMoment(type: ScalarType): boolean {
  return type in forms
}

/** Returns the moment `now` in UTC, in the form of a value in a body. */
export function momentOf(type: ScalarType, now = new Date()): string | undefined {
  return forms[type]?.(now.toISOString())
}

const forms: Readonly<Partial<Record<ScalarType, (iso: string) => string>>> = {
  date: (iso) => iso.slice(0, 10),
  time: (iso) => iso.slice(11, -1),
  datetime: (iso) => iso,
  timestamp: (iso) => iso,
}
