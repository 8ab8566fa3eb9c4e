/** Digits that are written as they are, which a number would lose. */
export class Digits {
  constructor(readonly text: string) {}
}

/** The digits of a number, a bigint or a Decimal128, which all print themselves. */
export const digitsOf = (value: unknown): string => (value as { toString: () => string }).toString()

/** JSON text of plain data with `Digits` in it. */
export function print(value: unknown): string {
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return JSON.stringify(value)
  }
  const members = Object.entries(value).map(([key, it]) => `${JSON.stringify(key)}:${print(it)}`)
  return `{${members.join(',')}}`
}
