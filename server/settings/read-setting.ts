import type { Setting } from './setting-kinds.js'

/** A value of a setting's type, or what is wrong with it, as the end of a sentence that begins with the name. */
export type Read =
  | Readonly<{
      value: string | number | boolean | readonly string[] | Readonly<Record<string, unknown>>
    }>
  | Readonly<{ problem: string }>

/** A setting as an environment variable writes it: `50`, `true`, `a,b`. */
export function readSettingText(setting: Setting, text: string): Read {
  const trimmed = text.trim()
  if (setting.type === 'integer') {
    return readSettingValue(setting, /^-?\d+$/.test(trimmed) ? Number(trimmed) : trimmed)
  }
  if (setting.type === 'boolean') {
    return readSettingValue(setting, booleans.get(trimmed.toLowerCase()) ?? trimmed)
  }
  if (setting.type === 'list') {
    const members = trimmed.split(',').map((member) => member.trim())
    return readSettingValue(
      setting,
      members.filter((member) => member !== ''),
    )
  }
  if (setting.type === 'map') {
    const members = trimmed.split(',').filter((member) => member.trim() !== '')
    return readSettingValue(setting, Object.fromEntries(members.map(readPair)))
  }
  if (setting.type === 'trees') return readSettingValue(setting, jsonOf(trimmed))
  return readSettingValue(setting, trimmed)
}

/** What a text holds as JSON, or the text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** `plugin::maps.place=json`; of what has no sign the whole is the name. */
function readPair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

/** A setting as `quire.config.json` writes it. */
export function readSettingValue(setting: Setting, value: unknown): Read {
  if (isOfType(setting, value)) return { value }
  const given = setting.secret === true ? '' : `, not ${shorten(JSON.stringify(value))}`
  return { problem: `must be ${expected(setting)}${given}` }
}

/** What a setting's value must be, for messages and for the table of docs/settings.md. */
export function expected(setting: Setting): string {
  switch (setting.type) {
    case 'integer':
      return setting.max < 2_147_483_647
        ? `an integer from ${setting.min} to ${setting.max}`
        : `an integer, at least ${setting.min}`
    case 'boolean':
      return '`true` or `false`'
    case 'choice':
      return `one of ${setting.choices.map((choice) => `\`${choice}\``).join(', ')}`
    case 'list':
      return `a list, each member ${setting.check?.expected ?? 'a text'}`
    case 'map':
      return `names with one of ${setting.choices.map((choice) => `\`${choice}\``).join(', ')} each`
    case 'trees':
      return 'JSON: an object by uid'
    case 'text':
      return setting.check?.expected ?? 'a text'
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

type Value = Extract<Read, { value: unknown }>['value']

function isOfType(setting: Setting, value: unknown): value is Value {
  switch (setting.type) {
    case 'integer':
      return Number.isInteger(value) && between(value as number, setting.min, setting.max)
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return typeof value === 'string' && setting.choices.includes(value)
    case 'list':
      return Array.isArray(value) && value.every((member) => isText(setting, member))
    case 'map':
      return isMap(value) && Object.values(value).every((word) => isChoice(setting.choices, word))
    case 'trees':
      return isMap(value)
    case 'text':
      return isText(setting, value)
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isChoice = (choices: readonly string[], value: unknown): boolean =>
  typeof value === 'string' && choices.includes(value)

const between = (value: number, min: number, max: number): boolean => value >= min && value <= max

const isText = (setting: Setting, value: unknown): value is string =>
  typeof value === 'string' && (setting.check?.accepts(value) ?? true)

const shorten = (text: string | undefined): string => (text ?? 'undefined').slice(0, 100)
