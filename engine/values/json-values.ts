import { isObject } from './is-object.js'
import { textOfNumber } from './text-of-number.js'

/** What a text of a query may stand for in JSON: itself, a number, true or false. */
export function meaningsOf(text: string): readonly (string | number | boolean)[] {
  const number = numberIn(text)
  if (number !== undefined) return [text, number]
  return text === 'true' || text === 'false' ? [text, text === 'true'] : [text]
}

/** The number that a text means in decimal notation. */
export function numberIn(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/**
 * What stands at a path, nulls left out. A list stands for its elements, on the way and at the end of it, a list in
 * a list for itself.
 */
export function valuesAt(stored: unknown, keys: readonly string[]): readonly unknown[] {
  const found = keys.reduce<readonly unknown[]>(
    (values, key) =>
      values.flatMap((value) =>
        isObject(value) && Object.hasOwn(value, key) ? elementsOf(value[key]) : [],
      ),
    elementsOf(stored),
  )
  return found.filter((value) => value !== null && value !== undefined)
}

const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** What text operators see of a value in JSON; undefined for an object or a list, which has no text. */
export function textOfJson(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'boolean' ? String(value) : textOfNumber(value)
}
