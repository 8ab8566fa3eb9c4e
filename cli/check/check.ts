import { definedTypes } from '../../engine/schema/registry.js'
import { checkMachine } from './check-machine.js'
import { checkProject, type ProjectReport } from './check-project.js'
import { tellReport, countWarnings } from './tell-report.js'
import { printJson } from '../print-json.js'

type CheckOptions = Readonly<{
  json: boolean
  /** Whether warnings fail, too. */
  strict: boolean
}>

/** What `quire check` does; answers whether a start would come of the folder, with `strict` without a warning. */
export async function check(
  folder: string | undefined,
  { json, strict }: CheckOptions,
): Promise<boolean> {
  const project = await checkProject(folder, process.env, process.cwd())
  const report = await withMachine(project)
  if (json) printJson(shown(report))
  else console.log(tellReport(report, { strict }))
  return report.problem === undefined && !(strict && countWarnings(report) > 0)
}

/** What is lacking on this machine is told beside what is wrong with the project. */
async function withMachine(report: ProjectReport): Promise<ProjectReport> {
  if (report.loaded === undefined) return report
  const problems = [report.problem ?? [], await checkMachine(report.loaded)].flat()
  return problems.length === 0 ? report : { ...report, problem: problems.join('\n') }
}

/** The report without what is no data, or secret. */
function shown({ problem, served, loaded: _, ...report }: ProjectReport): unknown {
  const contentTypes = served === undefined ? [] : definedTypes(served.registry)
  return {
    starts: problem === undefined,
    problem,
    ...report,
    contentTypes: contentTypes.map(({ uid }) => uid),
  }
}
