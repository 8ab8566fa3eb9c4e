import path from 'node:path'
import { messageOf } from '../../engine/errors/message-of.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import type { Registry } from '../../engine/schema/registry.js'
import { lineOf, type SchemaProblem } from '../../engine/schema/schema-error.js'
import { defaultPopulateOf } from '../../server/content/read-rules.js'
import { checkDefinitions, withoutTypes } from '../../server/content-types/check-definitions.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import type { FoundCode } from '../../server/project/code-kinds.js'
import { findCode } from '../../server/project/find-code.js'
import { isFolder } from '../../server/project/safe-folder.js'
import type { ContentReport } from './check-content.js'
import { loadConfig, type Config } from '../../server/settings/config.js'
import type { Environment } from '../../server/settings/read-settings.js'
import type { Settings } from '../../server/settings/settings.js'

/** A forecast of what the service would do with a folder as `SCHEMA_DIR`. */
export type ProjectReport = Readonly<{
  folder: string
  /** Why the service would not start. Absent if it would start. */
  problem?: string
  /** Types that the service would serve. Absent if the definitions or the settings cannot be used. */
  served?: Readonly<{
    definitions: readonly SourcedDefinition[]
    registry: Registry
    settings: Settings
  }>
  /** Whether Quire already listens on the port. Absent if the port was not checked. */
  running?: boolean
  content?: ContentReport
  /** One sentence for each change that Quire makes to the definitions when it loads them. The service logs the same. */
  adapted: readonly string[]
  config: Pick<Config['project'], 'taken' | 'untaken'>
  code: readonly FoundCode[]
  /** The configuration of the service. Absent if it is invalid. */
  loaded?: Config
}>

/**
 * Predicts what the service would do on an empty database with this folder as `SCHEMA_DIR`. Uses no database, writes
 * nothing and executes no project code (docs/coming-from-strapi.md, "Moving").
 * @param given the folder; default: the folder that the service would use
 */
export async function checkProject(
  given: string | undefined,
  env: Environment,
  cwd: string,
): Promise<ProjectReport> {
  const folder = path.resolve(cwd, given ?? (env.SCHEMA_DIR || 'schema'))
  const report = { folder, adapted: [], config: { taken: [], untaken: [] }, code: [] }
  if (given !== undefined && !(await isFolder(folder)))
    return { ...report, problem: `There is no folder ${folder}` }
  try {
    const loaded = loadConfig(given === undefined ? env : { ...env, SCHEMA_DIR: folder }, cwd)
    const { schemaDir, project } = loaded
    const code = schemaDir === undefined ? [] : await findCode(schemaDir, project.code)
    const found = await checkFolder(schemaDir, loaded)
    return { ...report, config: project, code, loaded, ...found }
  } catch (error) {
    return { ...report, problem: messageOf(error) }
  }
}

/** The locales of a new database. */
const locales = {
  codes: new Set(['en']),
  default: 'en',
  chains: new Map<string, readonly string[]>(),
}

/** Checks only the definitions in a folder, with the settings of the service. */
export async function checkFolder(
  folder: string | undefined,
  { settings }: Config,
): Promise<Pick<ProjectReport, 'served' | 'adapted' | 'problem'>> {
  const found: SchemaProblem[] = []
  const customFields = settings['schema.customFields']
  const hidden = settings['api.responses.privateAttributes']
  try {
    const warn = (warning: SchemaProblem) => void found.push(warning)
    const definitions =
      folder === undefined ? [] : await readSchemaFiles(folder, { customFields, warn })
    const { registry, warnings } = checkDefinitions(definitions, 0, hidden)
    defaultPopulateOf(settings, registry, locales)
    const served = { definitions, registry, settings }
    return {
      served,
      adapted: [...found.map(lineOf), ...warnings, ...withoutTypes(registry, folder)],
    }
  } catch (error) {
    return { adapted: found.map(lineOf), problem: messageOf(error) }
  }
}
