import { isObject, type PlainObject } from '../../engine/values/is-object.js'

/** A setting of `settingsTable`, as docs/settings.md shows it. */
export type Setting<T = unknown> = Readonly<{
  default: T
  meaning: string
  unit?: string | undefined
  /** Used after "must be" in messages. */
  expected: string
  accepts: (value: unknown) => boolean
  /** Converts an environment variable. If that is impossible, returns the text unchanged. */
  read: (text: string) => unknown
  /** Whether docs/settings.md omits the valid values, because the default shows what they look like. */
  isPlain?: boolean
  /** Whether the value is an object with arbitrary names as keys. */
  holdsNames?: true
  /** Whether messages must not repeat the value. */
  secret?: true
}>

/** A description of valid strings, and the test of one string. */
type Check = readonly [expected: string, accepts: RegExp | ((text: string) => boolean)]

const asIs = (text: string): string => text

/** Creates a setting for an integer from `min` to `max`, both inclusive, in `unit`. */
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

/** Maximum duration of a timer in Node. */
const longestTimer = 2_147_483_647

/** Creates a setting for `true` or `false`. */
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

/** Creates a setting whose value is a string that must pass a check. */
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

/** Creates a setting for one of a few words. */
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

/** Creates a setting for a list of strings that pass a check. In the environment: separated by commas. */
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

/** Creates a setting that maps arbitrary names to one of a few words. In the environment: JSON or `name=value,…`. */
export const map = (
  choices: readonly string[],
  meaning: string,
): Setting<Readonly<Record<string, string>>> => ({
  default: {},
  meaning,
  expected: `an object that gives each name ${oneOf(choices)}`,
  accepts: (value) =>
    isObject(value) && Object.values(value).every((word) => choices.includes(word as string)),
  read: (text) =>
    text.trimStart().startsWith('{')
      ? readJson(text)
      : Object.fromEntries(membersOf(text).map(readPair)),
  holdsNames: true,
})

/** Splits `plugin::maps.place=json`. Without a `=`, the whole string is the name. */
function readPair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

/** Creates a setting that maps arbitrary names to JSON values. */
export const trees = (meaning: string): Setting<PlainObject> => ({
  default: {},
  meaning,
  expected: 'a JSON object with uids as keys',
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

/** Whether a string is an http or https address, or empty. */
export const isWebAddress = (text: string): boolean =>
  text === '' || (/^https?:\/\//.test(text) && URL.canParse(text))

export const webAddress: Check = ['an address such as `https://example.org/page`', isWebAddress]
export const mailbox: Check = [
  'an e-mail address, such as `Site <site@example.org>`',
  /^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)?$/,
]
/** Characters that RFC 6749, A.1 and A.2, allows in client ids and secrets. */
export const clientText: Check = ['a text of ASCII characters', /^[\x20-\x7e]*$/]
