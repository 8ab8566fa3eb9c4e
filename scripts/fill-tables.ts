import { format, resolveConfig } from 'prettier'
import { settingsMarkdown, variablesMarkdown } from './settings-markdown.js'

const tables = { settings: settingsMarkdown, variables: variablesMarkdown }

/**
 * The README with its generated tables brought up to date: what stands between
 * `<!-- settings -->` and `<!-- /settings -->`. Throws where a pair of marks is missing.
 */
export async function fillTables(readme: string): Promise<string> {
  let text = readme
  for (const [name, table] of Object.entries(tables)) {
    const start = `<!-- ${name} -->\n`
    const from = text.indexOf(start)
    const to = text.indexOf(`<!-- /${name} -->`)
    if (from < 0 || to < from) throw new Error(`README.md has no marks for the table "${name}"`)
    text = `${text.slice(0, from + start.length)}\n${table()}\n${text.slice(to)}`
  }
  return format(text, { ...(await resolveConfig('README.md')), parser: 'markdown' })
}
