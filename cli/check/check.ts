import path, { join } from 'node:path'
import { messageOf } from '../../engine/errors/message-of.js'
import { definedTypes } from '../../engine/schema/registry.js'
import { checkProject, type ProjectReport } from './check-project.js'
import { checkContent } from './check-content.js'
import { formatReport, countWarnings } from './format-report.js'
import { printReport } from '../print-json.js'
import { tooFewDescriptors } from '../../server/database/descriptors.js'
import { knownBuild } from '../../server/database/embedded/native-engine.js'
import { checkMarker } from '../../server/database/engine-marker.js'
import { chooseHost } from '../../server/database/host.js'
import { hostOptions } from '../../server/database/host-options.js'
import { tryDataFolder } from '../../server/database/try-data-folder.js'
import { tryListen } from '../../server/http/connections/listen.js'
import { isQuire } from '../is-quire.js'
import { metricsAddress, metricsVariables } from '../../server/metrics/serve-metrics.js'
import type { Config } from '../../server/settings/config.js'

/** Checks the limit of open files, the data folder and the ports, and adds their problems. */
async function withMachine(report: ProjectReport): Promise<ProjectReport> {
  const { loaded } = report
  if (loaded === undefined) return report
  const problems: string[] = []
  /** Whether Quire already listens on the port of the service. */
  let running = false
  for (const lookUp of [checkDescriptors, checkDatabaseFolder, checkMetricsPort, checkPort])
    try {
      await lookUp(loaded)
    } catch (error) {
      running = lookUp === checkPort && (await isQuire(loaded.port))
      if (!running) problems.push(messageOf(error))
    }
  return withProblems({ ...report, running }, problems)
}

/** Adds reasons why the service would not start. */
function withProblems(report: ProjectReport, problems: readonly string[]): ProjectReport {
  const all = [report.problem ?? [], problems].flat()
  return all.length === 0 ? report : { ...report, problem: all.join('\n') }
}

function checkDescriptors(): void {
  const refusal = tooFewDescriptors()
  if (refusal !== undefined) throw new Error(refusal)
}

/** Checks that the database can use its folder. Skips an external database, which needs no folder on this machine. */
async function checkDatabaseFolder(config: Config): Promise<void> {
  const { dataDir } = config
  const choice = await chooseHost(hostOptions(config))
  if (choice.kind === 'none') throw new Error(choice.why)
  if (choice.kind === 'external') return
  const isEmbedded = choice.kind === 'embedded'
  await tryDataFolder(dataDir, join(dataDir, isEmbedded ? 'database' : 'mongod'))
  if (isEmbedded) await checkMarker(dataDir, { engine: 'embedded', version: knownBuild.version })
}

async function checkMetricsPort(config: Config): Promise<void> {
  const metrics = metricsAddress(config)
  if (metrics !== undefined && !(await isQuire(config.port)))
    await tryListen(metrics, metricsVariables)
}

const checkPort = (config: Config): Promise<void> => tryListen(config)

type CheckOptions = Readonly<{
  json: boolean
  strict: boolean
}>

/**
 * Runs `quire check`. Returns false if the service would not start, or if stored content could not be read. With
 * `strict`, also returns false if there are warnings.
 */
export async function check(
  folder: string | undefined,
  { json, strict }: CheckOptions,
): Promise<boolean> {
  const project = await checkProject(folder, process.env, process.cwd())
  const report = await withContent(await withMachine(project))
  const starts = report.problem === undefined && report.content?.failed === undefined
  printReport(json, { starts, ...shown(report) }, () => formatReport(report, { strict }))
  return starts && !(strict && countWarnings(report) > 0)
}

/** Adds the check of stored content, if the folder is this project's `SCHEMA_DIR`. */
async function withContent(report: ProjectReport): Promise<ProjectReport> {
  const { folder, served, loaded } = report
  if (served === undefined || loaded?.schemaDir === undefined) return report
  if (folder !== path.resolve(process.env.SCHEMA_DIR || 'schema'))
    return { ...report, content: { effects: [], elsewhere } }
  const content = await checkContent('check', loaded)
  if (content === undefined) return report
  return withProblems({ ...report, content }, [content.problem ?? []].flat())
}

const elsewhere = 'the folder is not SCHEMA_DIR of this project, so its database is unknown'

/** Returns the report to print as JSON, without the configuration, because that contains secrets. */
function shown({ served, loaded: _, ...report }: ProjectReport): object {
  const contentTypes = served === undefined ? [] : definedTypes(served.registry)
  return {
    ...report,
    contentTypes: contentTypes.map(({ uid }) => uid),
  }
}
