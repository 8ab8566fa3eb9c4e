/** Digits to print unchanged, because a number would lose some. */
export class Digits {
  constructor(readonly text: string) {}
}

/** Returns the digits of a number, a bigint or a Decimal128. */
export const digitsOf = (value: unknown): string => (value as { toString: () => string }).toString()

/** Prints plain data with `Digits` as JSON. */
export function print(value: unknown): string {
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return JSON.stringify(value)
  }
  const members = Object.entries(value).map(([key, it]) => `${JSON.stringify(key)}:${print(it)}`)
  return `{${members.join(',')}}`
}
