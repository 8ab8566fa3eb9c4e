import { didYouMean, nearestName } from '../../engine/errors/nearest-name.js'
import { isObject } from '../../engine/values/is-object.js'
import { constants, type Constants } from './constants.js'
import { purgeMarginMs } from './http-cache-settings.js'
import { readSettingValue, type Read } from './read-setting.js'
import type { Setting } from './setting-kinds.js'
import { profiles } from './profiles.js'
import { settingsTable, type SettingName, type Settings } from './settings.js'
import { variables } from './variables.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns a setting's environment variable: `API_REST_MAX_LIMIT` for `api.rest.maxLimit`. */
export const variableOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()

/**
 * Returns all settings: defaults, overridden by the profile, the `project`, the file and the environment
 * (docs/internals/decisions.md, "Settings", "Profiles" and "Configuration of a project"). An invalid value is added to
 * `problems`, and the value of the next lower source is used.
 */
export function readSettings(
  file: unknown,
  env: Environment,
  problems: string[],
  project: ReadonlyMap<string, unknown> = new Map(),
): Settings {
  const values = new Map(project)
  const take = (source: string, name: string, read: Read): void => {
    if ('value' in read) values.set(name, Object.freeze(read.value))
    else problems.push(`${source} ${read.problem}`)
  }
  for (const [name, value] of flatten(file, '', problems)) {
    const setting = settingOf(name)
    if (setting === undefined)
      problems.push(`${name} is not a setting${didYouMean(name, names, '')}`)
    else take(name, name, readSettingValue(setting, value))
  }
  for (const name of names) {
    const variable = variableOf(name)
    const text = env[variable]
    if (text === undefined || text === '') continue
    const setting: Setting = settingsTable[name]
    take(variable, name, readSettingValue(setting, setting.read(text.trim())))
  }
  problems.push(...unknownVariables(env))
  const profile = (values.get('profile') ?? settingsTable.profile.default) as Settings['profile']
  const settings = { ...defaults, ...profiles[profile], ...Object.fromEntries(values) }
  return Object.freeze({ ...settings, ...fromOthers(settings) })
}

/** Returns the constants that a setting requires to be larger than usual. */
function fromOthers(settings: Settings): Partial<Constants> {
  return {
    'http.cache.purgeAgainMs': Math.max(
      constants['http.cache.purgeAgainMs'],
      settings['cache.maxStaleMs'] + purgeMarginMs,
    ),
    // In ms, for a file of the maximum size at 2 megabits per second.
    'upload.timeoutMs': Math.max(constants['upload.timeoutMs'], settings['upload.sizeLimit'] / 250),
  }
}

const names = Object.keys(settingsTable) as SettingName[]

const defaults = {
  ...constants,
  ...Object.fromEntries(names.map((name) => [name, settingsTable[name].default])),
} as Settings

const settingOf = (name: string): Setting | undefined =>
  Object.hasOwn(settingsTable, name) ? settingsTable[name as SettingName] : undefined

/** Yields the file's members by dotted name. The file may nest them, as in `{ "api": { "rest": {} } }`. */
function* flatten(
  value: unknown,
  prefix: string,
  problems: string[],
): Generator<[string, unknown]> {
  if (!isObject(value)) {
    if (prefix === '') problems.push('The configuration file must hold an object')
    return
  }
  for (const [key, member] of Object.entries(value)) {
    const name = prefix === '' ? key : `${prefix}.${key}`
    if (isObject(member) && settingOf(name)?.holdsNames !== true)
      yield* flatten(member, name, problems)
    else yield [name, member]
  }
}

/**
 * Finds unknown variables that begin like settings. After a prefix of one word (`HTTP_`, `LOG_`), which other programs
 * use too (`HTTP_PROXY`), returns only those that resemble a setting.
 */
function unknownVariables(env: Environment): string[] {
  const ofSettings = names.map(variableOf)
  const known = new Set([...ofSettings, ...Object.keys(variables)])
  return Object.keys(env)
    .filter((variable) => !known.has(variable))
    .filter((variable) => {
      if (ownPrefixes.some((prefix) => variable.startsWith(prefix))) return true
      if (!groupPrefixes.some((prefix) => variable.startsWith(prefix))) return false
      return nearestName(variable, ofSettings) !== undefined
    })
    .map((variable) => `${variable} is not a setting${didYouMean(variable, ofSettings, '')}`)
}

const ownPrefixes = [
  ...new Set(
    names
      .map((name) => name.split('.').slice(0, -1))
      .filter((groups) => groups.length > 1)
      .map((groups) => `${variableOf(groups.join('.'))}_`),
  ),
]

const groupPrefixes = [...new Set(names.map((name) => `${variableOf(name.split('.')[0] ?? '')}_`))]
