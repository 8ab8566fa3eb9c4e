import { definedTypes } from '../../engine/schema/registry.js'
import { checkProject, type ProjectReport } from './check-project.js'
import { tellReport } from './tell-report.js'
import { printJson } from '../print-json.js'

/** What `quire check` does; answers whether a start would come of the folder. */
export async function check(
  folder: string | undefined,
  { json }: Readonly<{ json: boolean }>,
): Promise<boolean> {
  const dir = folder ?? (process.env.SCHEMA_DIR || 'schema')
  const report = await checkProject(dir, process.env, process.cwd())
  if (json) printJson(shown(report))
  else console.log(tellReport(report))
  return report.problem === undefined
}

/** The report without the registry, which is no data. */
function shown({ problem, served, ...report }: ProjectReport): unknown {
  const contentTypes = served === undefined ? [] : definedTypes(served.registry)
  return {
    starts: problem === undefined,
    problem,
    ...report,
    contentTypes: contentTypes.map(({ uid }) => uid),
  }
}
