import { format, resolveConfig } from 'prettier'
import { exitCodes } from '../cli/program.js'
import { commandsMarkdown } from './commands-markdown.js'
import { stages } from '../engine/timeline.js'
import { variables } from '../server/settings/variables.js'
import { metricsMarkdown } from './metrics-markdown.js'
import { reportsMarkdown } from './reports-markdown.js'
import { meaningsMarkdown, settingsMarkdown } from './settings-markdown.js'

/** Pages with generated tables, by path relative to the project's root. */
export const pages: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/settings.md': {
    settings: settingsMarkdown,
    variables: () => meaningsMarkdown(['Variable', 'Meaning'], variables),
  },
  'docs/commands.md': {
    'exit-codes': () => meaningsMarkdown(['Exit code', 'Meaning'], exitCodes),
    commands: commandsMarkdown,
  },
  'docs/metrics.md': {
    metrics: metricsMarkdown,
    stages: () => meaningsMarkdown(['Stage', 'Meaning'], stages),
  },
  'docs/strapi-bug-reports.md': { cases: reportsMarkdown },
}

/**
 * Updates the generated tables of a page, between marks such as `<!-- settings -->` and `<!-- /settings -->`. Throws if
 * a pair of marks is missing.
 */
export async function fillTables(path: string, page: string): Promise<string> {
  let text = page
  for (const [name, table] of Object.entries(pages[path] ?? {})) {
    const start = `<!-- ${name} -->\n`
    const from = text.indexOf(start)
    const to = text.indexOf(`<!-- /${name} -->`)
    if (from < 0 || to < from) throw new Error(`${path} has no marks for the table "${name}"`)
    text = `${text.slice(0, from + start.length)}\n${table()}\n${text.slice(to)}`
  }
  return format(text, { ...(await resolveConfig(path)), parser: 'markdown' })
}
