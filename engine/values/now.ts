import type { ScalarType } from './scalar-type.js'

/** Whether the default `"now"` means the time of the write. For other types, it is an ordinary string. */
export function isMoment(type: ScalarType): boolean {
  return type in forms
}

/** Formats a time in UTC as in a request body. Returns undefined for types that are not dates or times. */
export function momentOf(type: ScalarType, now = new Date()): string | undefined {
  return forms[type]?.(now.toISOString())
}

const forms: Readonly<Partial<Record<ScalarType, (iso: string) => string>>> = {
  date: (iso) => iso.slice(0, 10),
  time: (iso) => iso.slice(11, -1),
  datetime: (iso) => iso,
  timestamp: (iso) => iso,
}
