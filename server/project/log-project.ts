import type { Logger } from 'pino'
import type { Config } from '../settings/config.js'
import { describeCode } from './code-kinds.js'
import { findCode } from './find-code.js'

/** Maximum number of places that one log line names. */
const maxPlaces = 10

/**
 * Logs which settings of a Strapi project are used, which have no equivalent, and which code will not run
 * (docs/internals/decisions.md, "Configuration of a project" and "Code of a project"). If the search fails, the start
 * continues.
 */
export async function logProject(
  { schemaDir, project }: Pick<Config, 'schemaDir' | 'project'>,
  log: Logger,
): Promise<void> {
  if (schemaDir === undefined) return
  if (project.taken.length > 0)
    log.info(
      { event: 'project-settings' },
      `Settings of the project: ${project.taken.map(({ name, file }) => `${name} (${file})`).join(', ')}`,
    )
  for (const sentence of project.untaken) log.warn({ event: 'project-settings' }, sentence)
  try {
    for (const found of await findCode(schemaDir, project.code))
      log.warn({ event: 'code-not-run', kind: found.kind }, describeCode(found, maxPlaces))
  } catch (err) {
    log.warn({ err }, `${schemaDir} could not be searched for code`)
  }
}
