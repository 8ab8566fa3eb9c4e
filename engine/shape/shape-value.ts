import type { FieldForm } from '../plan/read-plan.js'

/** A stored scalar as JSON text. What is not stored, or is no value of its form, is null. */
export function shapeValue(form: FieldForm, stored: unknown): string {
  if (stored === null || stored === undefined) return 'null'
  switch (form) {
    case 'text':
      return typeof stored === 'string' ? JSON.stringify(stored) : 'null'
    case 'boolean':
      return stored === true ? 'true' : 'false'
    case 'number':
      return Number.isFinite(Number(stored)) ? textOf(stored) : 'null'
    case 'date':
      return stored instanceof Date ? JSON.stringify(stored) : 'null'
    // A string, because clients would lose the digits of a number beyond 2^53 (D21).
    case 'long':
      return `"${textOf(stored)}"`
    case 'decimal':
      return shapeDecimal(textOf(stored))
    case 'json':
      return JSON.stringify(stored, plain)
  }
}

/** The digits of a number, a bigint or a Decimal128, which all print themselves. */
function textOf(stored: unknown): string {
  return (stored as { toString: () => string }).toString()
}

/** `1E+3`, which Decimal128 prints, is a number of JSON too; `Infinity` and `NaN` are not. */
function shapeDecimal(text: string): string {
  return /^-?\d/.test(text) ? text : 'null'
}

/** Whole numbers beyond 32 bits that other programs stored in a `json` come back as bigint. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
