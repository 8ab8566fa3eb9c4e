import type { Logger } from 'pino'
import type { Config } from '../settings/config.js'
import { tellCode } from './code-kinds.js'
import { findCode } from './find-code.js'

/** Places that a line of the log names. */
const placesTold = 10

/**
 * Tells which settings a Strapi project's folder has given, what of its configuration has no counterpart, and what
 * will not run, a line for each kind of code (docs/decisions.md, "Configuration of a project" and "Code of a
 * project"). What keeps it from looking is told, and stops nothing.
 */
export async function tellProject(
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
      log.warn({ event: 'code-not-run', kind: found.kind }, tellCode(found, placesTold))
  } catch (err) {
    log.warn({ err }, `It could not be looked for code in ${schemaDir}`)
  }
}
