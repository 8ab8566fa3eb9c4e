/** A set of UTF-16 code units, which are what a pattern without flags is about: ranges, both ends included. */
export type CodeUnits = readonly (readonly [from: number, to: number])[]

export const digits: CodeUnits = [[0x30, 0x39]]
export const wordCharacters: CodeUnits = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
/** What `.` leaves out. */
export const lineEnds: CodeUnits = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]
/** `\s` of JavaScript, which has more than that of RE2. */
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
/** From a surrogate to a character of the last private plane, which no code unit is. */
const spread = 0x100000

/** All code units that are not in the set. */
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
 * A set in RE2's language, for texts from `spreadSurrogates`.
 * @example writeUnits([[0x30, 0x39]]) // '[\\x{30}-\\x{39}]'
 */
export function writeUnits(units: CodeUnits): string {
  if (units.length === 0) return '[^\\x{0}-\\x{10FFFF}]'
  const members = units.flatMap(apart).map(([from, to]) => `${written(from)}-${written(to)}`)
  return `[${members.join('')}]`
}

const written = (unit: number): string => `\\x{${unit.toString(16)}}`

/** A range as its parts below, among and above the surrogates, the second where they are spread to. */
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
 * A text in which every half of a surrogate pair is a character of its own: RE2 goes through characters,
 * JavaScript through code units, and `^.$` is not found in an emoji.
 */
export function spreadSurrogates(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, (half) =>
    String.fromCodePoint(half.charCodeAt(0) + spread),
  )
}
