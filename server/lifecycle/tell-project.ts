import type { Logger } from 'pino'
import { tellCode } from '../project/code-kinds.js'
import { findCode } from '../project/find-code.js'

/** Places that a line of the log names. */
const placesTold = 10

/**
 * Tells what of a Strapi project's folder will not run, a line for each kind of code (docs/decisions.md, "Code of a
 * project"). What keeps it from looking is told, and stops nothing.
 */
export async function tellProject(schemaDir: string, log: Logger): Promise<void> {
  try {
    for (const found of await findCode(schemaDir))
      log.warn({ event: 'code-not-run', kind: found.kind }, tellCode(found, placesTold))
  } catch (err) {
    log.warn({ err }, `It could not be looked for code in ${schemaDir}`)
  }
}
