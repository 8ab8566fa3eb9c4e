import { isObject, type PlainObject } from '../../engine/values/is-object.js'

/** A setting of `settingsTable`: what its value may be, and what docs/settings.md says of it. */
export type Setting<T = unknown> = Readonly<{
  default: T
  meaning: string
  unit?: string | undefined
  /** What a value must be, as the end of a sentence. */
  expected: string
  accepts: (value: unknown) => boolean
  /** Reads a value as an environment variable writes it. A text that is none stays a text. */
  read: (text: string) => unknown
  /** Whether the default shows what a value must be. */
  isPlain?: boolean
  /** Whether it is an object in the file, whose keys are names of any form. */
  holdsNames?: true
  /** Messages do not repeat its value. */
  secret?: true
}>

/** What a text, or each member of a list, must be. */
type Check = readonly [expected: string, accepts: RegExp | ((text: string) => boolean)]

const asIs = (text: string): string => text

/** A whole number from `min` to `max`, both included, in `unit`. */
export const integer = (
  fallback: number,
  min: number,
  meaning: string,
  unit?: string,
  max = longestTimer,
): Setting<number> => ({
  default: fallback,
  meaning,
  unit,
  expected: max < longestTimer ? `an integer from ${min} to ${max}` : `an integer, at least ${min}`,
  accepts: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  read: (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
  isPlain: min <= 1 && max === longestTimer,
})

/** Of Node, in ms. */
const longestTimer = 2_147_483_647

/** `true` or `false`. */
export const flag = (fallback: boolean, meaning: string): Setting<boolean> => ({
  default: fallback,
  meaning,
  expected: '`true` or `false`',
  accepts: (value) => typeof value === 'boolean',
  read: (text) => booleans.get(text.toLowerCase()) ?? text,
  isPlain: true,
})

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const passes =
  (accepts: Check[1]) =>
  (value: unknown): boolean =>
    typeof value === 'string' &&
    (typeof accepts === 'function' ? accepts(value) : accepts.test(value))

/** A text that passes a check. */
export const line = (
  fallback: string,
  meaning: string,
  ...[expected, accepts]: Check
): Setting<string> => ({
  default: fallback,
  meaning,
  expected,
  accepts: passes(accepts),
  read: asIs,
})

/** One of a few words. */
export const choice = <const T extends string>(
  choices: readonly T[],
  fallback: NoInfer<T>,
  meaning: string,
): Setting<T> => ({
  default: fallback,
  meaning,
  expected: oneOf(choices),
  accepts: (value) => choices.some((word) => word === value),
  read: asIs,
})

const oneOf = (choices: readonly string[]): string =>
  `one of ${choices.map((word) => `\`${word}\``).join(', ')}`

/** Texts, of which each passes a check: an array in the file, comma-separated in the environment. */
export const list = (
  fallback: readonly string[],
  meaning: string,
  ...[expected, accepts]: Check
): Setting<readonly string[]> => ({
  default: fallback,
  meaning,
  expected: `a list, each member ${expected}`,
  accepts: (value) => Array.isArray(value) && value.every(passes(accepts)),
  read: membersOf,
})

const membersOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')

/** Names of any form, each with one of a few words; JSON or comma-separated `name=value` in the environment. */
export const map = (
  choices: readonly string[],
  meaning: string,
): Setting<Readonly<Record<string, string>>> => ({
  default: {},
  meaning,
  expected: `names with ${oneOf(choices)} each`,
  accepts: (value) =>
    isObject(value) && Object.values(value).every((word) => choices.includes(word as string)),
  read: (text) =>
    text.trimStart().startsWith('{')
      ? readJson(text)
      : Object.fromEntries(membersOf(text).map(readPair)),
  holdsNames: true,
})

/** `plugin::maps.place=json`; of what has no sign the whole is the name. */
function readPair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

/** Trees of JSON by names of any form. */
export const trees = (meaning: string): Setting<PlainObject> => ({
  default: {},
  meaning,
  expected: 'JSON: an object by uid',
  accepts: isObject,
  read: readJson,
  holdsNames: true,
})

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

// What several texts may be.

/** Or nothing. */
export const isWebAddress = (text: string): boolean =>
  text === '' || (/^https?:\/\//.test(text) && URL.canParse(text))

export const webAddress: Check = ['an address such as `https://example.org/page`', isWebAddress]
export const mailbox: Check = [
  'an e-mail address, such as `Site <site@example.org>`',
  /^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)?$/,
]
/** RFC 6749, A.1 and A.2. */
export const clientText: Check = ['a text of ASCII characters', /^[\x20-\x7e]*$/]
