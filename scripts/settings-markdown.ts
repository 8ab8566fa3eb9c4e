import { variables } from '../server/settings/variables.js'
import { expected } from '../server/settings/read-setting.js'
import { variableOf } from '../server/settings/read-settings.js'
import type { Setting } from '../server/settings/setting-kinds.js'
import { profiles } from '../server/settings/profiles.js'
import { settingsTable } from '../server/settings/settings.js'

/** The table of every setting, as docs/settings.md shows it. */
export function settingsMarkdown(): string {
  const rows = [...shownSettings()].map(([name, { variable, setting }]) => [
    `\`${name}\``,
    `\`${variable}\``,
    defaultMarkdown(name, setting),
    setting.unit === undefined ? expected(setting) : `${expected(setting)}, in ${setting.unit}`,
    setting.meaning,
  ])
  return markdownTable(['Setting', 'Variable', 'Default', 'Value', 'Meaning'], rows)
}

type Shown = ReadonlyMap<string, Readonly<{ variable: string; setting: Setting }>>

/** Settings by the name in the table: what every provider has is one row. */
function shownSettings(): Shown {
  const named = Object.entries(settingsTable).map(([name, setting]: [string, Setting]) => {
    const [, provider = '', field = ''] = /^auth\.providers\.([^.]+)\.(.+)$/.exec(name) ?? []
    if (provider === '') return [name, { variable: variableOf(name), setting }] as const
    const variable = `AUTH_PROVIDERS_<NAME>_${variableOf(field)}`
    return [`auth.providers.<name>.${field}`, { variable, setting }] as const
  })
  return new Map(named)
}

/** The table of the variables that are no settings, as docs/settings.md shows it. */
export function variablesMarkdown(): string {
  const rows = Object.entries(variables).map(([name, meaning]) => [`\`${name}\``, meaning])
  return markdownTable(['Variable', 'Meaning'], rows)
}

/** A table of Markdown. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map(escape).join(' | ')} |\n`).join('')
}

const escape = (cell: string): string => cell.replaceAll('|', '\\|')

/** The default, and the one of the profile `strapi` where that is another. */
function defaultMarkdown(name: string, setting: Setting): string {
  const changed = new Map<string, Setting['default']>(Object.entries(profiles.strapi))
  const other = changed.get(name)
  const value = valueMarkdown(setting.default)
  return other === undefined ? value : `${value}; in profile \`strapi\`: ${valueMarkdown(other)}`
}

const valueMarkdown = (value: Setting['default']): string => {
  if (typeof value === 'object' && !Array.isArray(value)) return 'none'
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  return text === '' ? 'none' : `\`${text}\``
}
