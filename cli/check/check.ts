import path from 'node:path'
import { definedTypes } from '../../engine/schema/registry.js'
import { checkMachine } from './check-machine.js'
import { checkProject, type ProjectReport } from './check-project.js'
import { checkContent } from './check-content.js'
import { formatReport, countWarnings } from './format-report.js'
import { printJson } from '../print-json.js'

type CheckOptions = Readonly<{
  json: boolean
  /** Whether warnings count as failure. */
  strict: boolean
}>

/** Runs `quire check`. Returns whether a start is known to succeed; with `strict`, whether it would without a warning. */
export async function check(
  folder: string | undefined,
  { json, strict }: CheckOptions,
): Promise<boolean> {
  const project = await checkProject(folder, process.env, process.cwd())
  const report = await withContent(await withMachine(project))
  const starts = report.problem === undefined && report.content?.failed === undefined
  if (json) printJson({ starts, ...shown(report) })
  else console.log(formatReport(report, { strict }))
  return starts && !(strict && countWarnings(report) > 0)
}

/** Adds the problems of this machine to those of the project. */
async function withMachine(report: ProjectReport): Promise<ProjectReport> {
  if (report.loaded === undefined) return report
  const { problems, running } = await checkMachine(report.loaded)
  const all = [report.problem ?? [], problems].flat()
  return { ...report, running, ...(all.length === 0 ? {} : { problem: all.join('\n') }) }
}

/** Adds the state of this project's database, if the folder belongs to this project. */
async function withContent(report: ProjectReport): Promise<ProjectReport> {
  const { folder, served, loaded } = report
  if (served === undefined || loaded?.schemaDir === undefined) return report
  if (folder !== path.resolve(process.env.SCHEMA_DIR || 'schema'))
    return { ...report, content: { effects: [], elsewhere } }
  const content = await checkContent('check', loaded)
  if (content === undefined) return report
  const problems = [report.problem, content.problem].filter((problem) => problem !== undefined)
  if (problems.length === 0) return { ...report, content }
  return { ...report, content, problem: problems.join('\n') }
}

const elsewhere = 'the folder is not SCHEMA_DIR here, and its database is not known'

/** Leaves out the registry, and the configuration, which contains secrets. */
function shown({ served, loaded: _, ...report }: ProjectReport): object {
  const contentTypes = served === undefined ? [] : definedTypes(served.registry)
  return {
    ...report,
    contentTypes: contentTypes.map(({ uid }) => uid),
  }
}
