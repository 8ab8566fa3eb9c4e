import { isObject } from './is-object.js'
import { textOfNumber } from './number-text.js'

/** Returns what a string in a query can mean in JSON: the string, and the number or boolean that it looks like. */
export function meaningsOf(text: string): readonly (string | number | boolean)[] {
  const number = numberIn(text)
  if (number !== undefined) return [text, number]
  return text === 'true' || text === 'false' ? [text, text === 'true'] : [text]
}

/** Parses a number in decimal notation, unless it is too large for a double. */
export function numberIn(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/**
 * Returns all values at a path in a JSON value, without nulls. Lists are replaced by their elements, except for a list
 * directly inside another list.
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

/** Returns the text that text operators search; undefined for an object or a list. */
export function textOfJson(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'boolean' ? String(value) : textOfNumber(value)
}
