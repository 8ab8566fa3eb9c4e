/**
 * A set of UTF-16 code units, as ranges that include both ends. Regular expressions match code units if they have no
 * flags.
 */
export type CodeUnits = readonly (readonly [from: number, to: number])[]

export const digits: CodeUnits = [[0x30, 0x39]]
export const wordCharacters: CodeUnits = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
export const lineEnds: CodeUnits = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]
/** Code units that `\s` matches in JavaScript. In RE2, it matches fewer. */
export const spaces: CodeUnits = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

const last = 0xffff
const surrogates = [0xd800, 0xdfff] as const
/** Distance from a surrogate to the character that replaces it, which is in the last private-use plane. */
const spread = 0x100000

/** Returns all code units that are not in the set. */
export function allBut(units: CodeUnits): CodeUnits {
  const left: [number, number][] = []
  let next = 0
  for (const [from, to] of [...units].sort(([a], [b]) => a - b)) {
    if (from > next) left.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= last) left.push([next, last])
  return left
}

/**
 * Writes a set as a character class of RE2, such as `[\x{30}-\x{39}]`. It matches strings that `spreadSurrogates` has
 * converted.
 */
export function writeUnits(units: CodeUnits): string {
  if (units.length === 0) return '[^\\x{0}-\\x{10FFFF}]'
  const members = units.flatMap(apart).map(([from, to]) => `${written(from)}-${written(to)}`)
  return `[${members.join('')}]`
}

const written = (unit: number): string => `\\x{${unit.toString(16)}}`

/**
 * Splits a range into the parts below, among and above the surrogates. Shifts the part among the surrogates to the
 * characters that replace them.
 */
function apart([from, to]: CodeUnits[number]): CodeUnits {
  const [low, high] = surrogates
  const parts: CodeUnits = [
    [from, Math.min(to, low - 1)],
    [Math.max(from, low) + spread, Math.min(to, high) + spread],
    [Math.max(from, high + 1), to],
  ]
  return parts.filter(([first, last]) => first <= last)
}

/**
 * Replaces each surrogate by a character of its own, because RE2 matches characters, but JavaScript matches code units.
 * For example, `^.$` does not match an emoji in JavaScript.
 */
export function spreadSurrogates(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, (half) =>
    String.fromCodePoint(half.charCodeAt(0) + spread),
  )
}
