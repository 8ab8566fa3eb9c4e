import path from 'node:path'
import { builtInDefinitions } from '../../engine/schema/define/built-in.js'
import { definedTypes } from '../../engine/schema/registry.js'
import { countText } from '../../engine/values/count-text.js'
import { describeCode } from '../../server/project/code-kinds.js'
import type { ProjectReport } from './check-project.js'
import type { ContentReport } from './check-content.js'

/** The maximum number of lines in a section, and of files or endpoints in a line. */
const mostLines = 500
const mostPlaces = 50

/** Formats a report: one section for each kind of finding, then the verdict. */
export function formatReport(report: ProjectReport, { strict = false } = {}): string {
  const { folder, config, code } = report
  const prefix = `${folder}${path.sep}`
  const inFolder = (line: string): string => line.replaceAll(prefix, '')
  const sections = [
    section('What works', [...formatServed(report), ...formatTaken(config.taken)]),
    section('What is adapted', report.adapted.map(inFolder)),
    section('Settings in config/ without an equivalent', config.untaken),
    section(
      'Code that does not run, and what to do instead',
      code.map((found) => describeCode(found, mostPlaces)),
    ),
    section('Effects on stored content', formatContent(report.content).map(inFolder)),
    verdictOf(report, strict),
  ]
  return [folder, ...sections.filter((text) => text !== '')].join('\n\n')
}

/** Counts the warnings that the service would log when it starts with this project. */
export const countWarnings = ({ adapted, config, code, content }: ProjectReport): number =>
  adapted.length + config.untaken.length + code.length + (content?.effects.length ?? 0)

function verdictOf(report: ProjectReport, strict: boolean): string {
  const { problem, content, running } = report
  if (problem !== undefined) return `It would not start:\n${problem}`
  if (content?.failed !== undefined)
    return 'It is unknown whether it would start: stored content could not be read.'
  const warnings = countWarnings(report)
  if (strict && warnings > 0)
    return `It would start with ${countText(warnings, 'warning')}; --strict allows none.`
  const after = running === true ? ' after the service on its port has stopped' : ''
  const allowed = content?.unseen === undefined ? '' : ', if stored content allows it'
  return `It would start${after}${allowed}.`
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const more = lines.length > mostLines ? [`and ${lines.length - mostLines} more`] : []
  return [title, ...[...lines.slice(0, mostLines), ...more].map((line) => `  ${line}`)].join('\n')
}

function formatContent({ effects, failed, unseen, elsewhere }: ContentReport = { effects: [] }) {
  if (failed !== undefined) return [`It could not be read: ${failed}`]
  const reason = unseen ?? elsewhere
  return reason === undefined ? effects : [`It was not checked: ${reason}`]
}

function formatServed({ served }: ProjectReport): readonly string[] {
  if (served === undefined) return []
  const own = definedTypes(served.registry)
  const endpoints = [...served.registry.byApiName].filter(([, { origin }]) => origin === 'api')
  const extensions = served.definitions.filter(({ uid }) => builtInDefinitions.has(uid))
  const components = [...served.registry.components.values()]
  const attributes = [...own, ...components].flatMap((type) => [...type.attributes.values()])
  const apiPrefix = served.settings['api.rest.prefix']
  const byType = counted(attributes.map(({ type }) => type))
  return [
    `content-types: ${counts([
      countText(own.filter(({ kind }) => kind === 'collectionType').length, 'collection type'),
      countText(own.filter(({ kind }) => kind === 'singleType').length, 'single type'),
      `${own.filter(({ draftAndPublish }) => draftAndPublish).length} with draft & publish`,
      `${own.filter(({ localized }) => localized).length} localized`,
      `${own.filter(({ origin }) => origin === 'plugin').length} of plugins (without endpoints)`,
      `${extensions.length} of the service (extended)`,
    ])}`,
    `components: ${components.length}`,
    `attributes: ${attributes.length}${byType === '' ? '' : ` (${byType})`}`,
    ...(endpoints.length === 0
      ? []
      : [`endpoints: ${listed(endpoints.map(([name]) => `${apiPrefix}/${name}`))}`]),
  ]
}

function formatTaken(taken: ProjectReport['config']['taken']): readonly string[] {
  if (taken.length === 0) return []
  const pairs = taken.map(({ name, value, file }) => `${name}=${textOf(value)} (${file})`)
  return [`settings: ${pairs.join(', ')}`]
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))

const counts = (texts: readonly string[]): string =>
  texts.filter((text) => !text.startsWith('0 ')).join(', ') || 'none'

/** Counts equal names, and returns for example `4 string, 2 relation`, the most frequent name first. */
function counted(names: readonly string[]): string {
  const found = new Map<string, number>()
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1)
  return [...found]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}

function listed(names: readonly string[]): string {
  const more = names.length > mostPlaces ? `, and ${names.length - mostPlaces} more` : ''
  return `${names.slice(0, mostPlaces).join(', ')}${more}`
}
