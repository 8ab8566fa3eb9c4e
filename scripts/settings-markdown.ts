import { isObject } from '../engine/values/is-object.js'
import type { Setting } from '../server/settings/setting-kinds.js'
import { profiles } from '../server/settings/profiles.js'
import { settingsTable } from '../server/settings/settings.js'

/** Headings of docs/settings.md, each with prefixes of setting names. The first heading that matches is used. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  'The API': ['profile', 'api.', 'validation.', 'import.'],
  Caches: ['cache.', 'http.cache.'],
  'HTTP and CORS': ['http.', 'cors.'],
  'Users and logins': ['auth.'],
  Mail: ['email.'],
  Media: ['upload.'],
  'The database': ['database.', 'indexes.'],
  'Worker threads': ['pool.'],
  'Definitions and configuration files': ['schema.', 'config.'],
  'Logs, metrics, error reports and documentation': [
    'log.',
    'metrics.',
    'errors.',
    'documentation.',
  ],
}

/** Returns a table of settings for each subject, for docs/settings.md. */
export function settingsMarkdown(): string {
  // Show the settings of login providers once instead of once per provider.
  const shown = new Map(
    Object.entries(settingsTable).map(([name, setting]) => [
      name.replace(/^(auth\.providers)\.[^.]+/, '$1.<name>'),
      setting,
    ]),
  )
  return Object.keys(subjects)
    .map((subject) => {
      const own = [...shown].filter(([name]) => subjectOf(name) === subject)
      const rows = own.map(([name, setting]) => [
        `\`${name}\``,
        defaultMarkdown(name, setting),
        meaningMarkdown(setting),
      ])
      return `### ${subject}\n\n${markdownTable(['Setting', 'Default', 'Meaning'], rows)}`
    })
    .join('\n')
}

function subjectOf(name: string): string {
  for (const [subject, beginnings] of Object.entries(subjects))
    if (beginnings.some((beginning) => name.startsWith(beginning))) return subject
  throw new Error(`${name} belongs to no subject of docs/settings.md`)
}

/** Returns a table of names and their meanings. */
export function meaningsMarkdown(
  head: readonly [name: string, meaning: string],
  meanings: Readonly<Record<string, string>>,
): string {
  const rows = Object.entries(meanings).map(([name, meaning]) => [`\`${name}\``, meaning])
  return markdownTable(head, rows)
}

/** Returns a Markdown table. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map(escape).join(' | ')} |\n`).join('')
}

const escape = (cell: string): string => cell.replaceAll('|', '\\|')

/** Returns the meaning of a setting, with the valid values if the default does not show them. */
const meaningMarkdown = ({ isPlain, meaning, expected }: Setting): string =>
  isPlain === true ? meaning : `${meaning}. It is ${expected}`

/** Returns the default of a setting, and its default in profile `strapi` if that differs. */
function defaultMarkdown(name: string, setting: Setting): string {
  const other = (profiles.strapi as Readonly<Record<string, unknown>>)[name]
  const value = valueMarkdown(setting.default)
  if (other !== undefined) return `${value}; in profile \`strapi\`: ${valueMarkdown(other)}`
  return setting.unit === undefined ? value : `${value} ${setting.unit}`
}

const valueMarkdown = (value: unknown): string => {
  if (isObject(value)) return 'none'
  const list = [value].flat()
  const text = list.slice(0, 3).join(', ')
  const more = list.length > 3 ? ` and ${list.length - 3} more` : ''
  return text === '' ? 'none' : `\`${text}\`${more}`
}
