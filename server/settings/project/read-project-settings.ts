import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { namedCode, noNamedCode, type NamedCode } from '../../project/named-code.js'
import { readProjectConfig, type ConfigFile } from '../../project/read-config.js'
import { readSettingValue } from '../read-setting.js'
import type { Environment } from '../read-settings.js'
import { settingsTable } from '../settings.js'
import { apiRules, pluginRules, serverRules } from './config-rules.js'
import {
  isConfigurableVariable,
  type Outcome,
  type Rules,
  type ConfigurableName,
  ignored,
  to,
} from './rule.js'
import { toBytes, toNumber } from './units.js'

/** Rules for the `config` of Strapi's middlewares. Those not listed are reported as unsupported. */
const middlewareRules: Readonly<Record<string, Rules>> = {
  'strapi::cors': { origin: to('cors.origins', originsOf) },
  'strapi::body': {
    jsonLimit: to('http.bodyLimit', toBytes),
    'formidable.maxFileSize': to('upload.sizeLimit', toBytes),
    // Quire accepts no form or text bodies.
    formLimit: ignored,
    textLimit: ignored,
  },
  'strapi::query': { arrayLimit: to('api.rest.maxArrayLength', toNumber) },
  'strapi::poweredBy': { poweredBy: ignored },
  // Middlewares whose work Quire does itself, or does not need: it has no session cookies, favicon or public folder.
  ...Object.fromEntries(
    [
      'errors',
      'favicon',
      'logger',
      'public',
      'responseTime',
      'responses',
      'security',
      'session',
    ].map((name) => [`strapi::${name}`, {}]),
  ),
}

/**
 * Returns each middleware's `config` by name. A project lists `'strapi::cors'` or `{ name: 'strapi::cors', config }`.
 */
function byName(value: unknown): PlainObject {
  if (!Array.isArray(value)) return {}
  return Object.fromEntries(
    value.flatMap((entry: unknown): [string, unknown][] => {
      if (typeof entry === 'string') return [[entry, undefined]]
      const { name, config } = objectOf(entry)
      return typeof name === 'string' ? [[name, config]] : []
    }),
  )
}

/**
 * Reads `*`, an origin, comma-separated origins, or a list. Skips list members that are undefined because an
 * environment variable is not set.
 */
function originsOf(value: unknown): unknown {
  if (typeof value === 'string') return originsOf(value.split(','))
  if (!Array.isArray(value)) return undefined
  return value
    .filter((member) => member !== undefined && member !== null)
    .map((member: unknown) =>
      typeof member === 'string' ? member.trim().replace(/\/$/, '') : member,
    )
    .filter((member) => member !== '')
}

/** Result of reading a Strapi project's `config/`. */
export type ProjectSettings = Readonly<{
  /** Valid values from the project, by Quire's name, with the file that contains each. */
  taken: ReadonlyMap<ConfigurableName, Readonly<{ value: unknown; file: string }>>
  /** Unsupported parts of the configuration: a sentence per file, without values. */
  unsupported: readonly string[]
  code: NamedCode
}>

export const noProject: ProjectSettings = { taken: new Map(), unsupported: [], code: noNamedCode }

/**
 * Reads the settings in a Strapi project's `config/` (docs/internals/decisions.md, "Configuration of a project").
 * Reports errors in the same way as unsupported parts, so that Quire starts anyway.
 */
export function readProjectSettings(root: string, env: Environment): ProjectSettings {
  const taken = new Map<ConfigurableName, { value: unknown; file: string; name: string }>()
  const unsupported: string[] = []
  const files = readProjectConfig(root, env)
  for (const config of files) {
    const { file, name } = config
    const members = membersOf(config)
    if (members === undefined) {
      unsupported.push(...wholeFile(config))
      continue
    }
    const missed: string[] = []
    for (const { path, outcome } of members) {
      if (outcome === 'ignored') continue
      if (outcome === undefined) missed.push(path)
      for (const [setting, value] of outcome ?? []) {
        const other = taken.get(setting)
        if (!fits(setting, value)) missed.push(`${path} (not a valid value of ${setting})`)
        // If two files set the same limit, the smaller value counts.
        else if (other === undefined || other.name === name || Number(value) < Number(other.value))
          taken.set(setting, { value, file, name })
      }
    }
    missed.push(...config.skipped.filter(isMissed(config)).map(describeSkipped))
    if (missed.length > 0) unsupported.push(describeMissed(file, missed))
  }
  return { taken, unsupported, code: namedCode(files) }
}

type Member = Readonly<{ path: string; outcome: Outcome }>

/** Returns undefined if the file cannot be read or is not supported. */
function membersOf({ name, value, fault: problem }: ConfigFile): readonly Member[] | undefined {
  if (problem !== undefined) return undefined
  if (name === 'api') return [...membersIn(value, apiRules)]
  if (name === 'server') return [...membersIn(value, serverRules)]
  if (name === 'plugins') return [...ofEach(objectOf(value), pluginRules)]
  return name === 'middlewares' ? [...ofMiddlewares(byName(value))] : undefined
}

/** Yields the members of plugins or middlewares that have rules. The others are reported as a whole. */
function* ofEach(values: PlainObject, rules: Readonly<Record<string, Rules>>): Generator<Member> {
  for (const [name, value] of Object.entries(values)) {
    const own = Object.hasOwn(rules, name) ? rules[name] : undefined
    const given = typeof value === 'boolean' ? { enabled: value } : value
    if (own !== undefined) yield* membersIn(given, own, `${name}.`)
  }
}

/** Yields members and unsupported names of Strapi's middlewares. Other middlewares are reported as code. */
function* ofMiddlewares(values: PlainObject): Generator<Member> {
  for (const name of Object.keys(values))
    if (name.startsWith('strapi::') && !Object.hasOwn(middlewareRules, name))
      yield { path: name, outcome: undefined }
  yield* ofEach(values, middlewareRules)
}

/** Yields the result of each rule, and each innermost member without a rule as unsupported. */
function* membersIn(value: unknown, rules: Rules, prefix = '', path = ''): Generator<Member> {
  const rule = Object.hasOwn(rules, path) ? rules[path] : undefined
  if (rule !== undefined) yield { path: prefix + path, outcome: rule(value) }
  else if (isObject(value))
    for (const [key, member] of Object.entries(value))
      yield* membersIn(member, rules, prefix, path === '' ? key : `${path}.${key}`)
  else if (value !== undefined && value !== null && !isEmptyList(value))
    yield { path: prefix + path, outcome: undefined }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function fits(name: ConfigurableName, value: unknown): boolean {
  if (name === 'PORT')
    return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
  if (isConfigurableVariable(name)) return typeof value === 'string' && value !== ''
  return 'value' in readSettingValue(settingsTable[name], value)
}

/** Whether to report a skipped part: only if Quire would have read it. */
const isMissed =
  ({ name }: ConfigFile) =>
  ({ path }: { path: string }): boolean => {
    const [first = ''] = path.split('.')
    if (name === 'plugins' && first !== '') return Object.hasOwn(pluginRules, first)
    return !(name === 'server' && path.startsWith('app.'))
  }

const describeSkipped = ({ path, line }: { path: string; line: number }): string =>
  `${path === '' ? '' : `${path} `}(not a literal, line ${line})`.trim()

const most = 12

function describeMissed(file: string, missed: readonly string[]): string {
  const more = missed.length > most ? `, and ${missed.length - most} more` : ''
  const verb = missed.length === 1 ? 'has' : 'have'
  return `${file}: ${missed.slice(0, most).join(', ')}${more} ${verb} no equivalent in Quire`
}

function wholeFile({ file, name, fault }: ConfigFile): readonly string[] {
  if (fault !== undefined) return [`${file} is ignored: it ${fault}`]
  // `findCode` reports this file as code.
  if (name === 'cron-tasks') return []
  const reason = Object.hasOwn(others, name) ? others[name] : 'Quire does not read it'
  return [`${file} is ignored: ${reason}`]
}

const others: Readonly<Record<string, string>> = {
  admin: "it configures Strapi's admin panel",
  database: 'MONGODB_URI or DATA_DIR says where content is stored',
}
