import { definedTypes } from '../../engine/schema/registry.js'
import { checkFolder } from '../check/check-project.js'
import type { Config } from '../../server/settings/config.js'
import { insecureSettings } from '../../server/settings/insecure-settings.js'
import { ok, problem, warning, type Found } from './finding.js'

/** What a start in production warns of, secrets first; what strangers may do stands in the database. */
export function lookAtSecrets(config: Config): Found {
  const insecure = insecureSettings(config, [])
  if (insecure.length === 0) return ok('They are set.')
  if (config.production) return insecure.flatMap(warning)
  return ok(`NODE_ENV is not production, which would warn:\n${insecure.join('\n')}`)
}

/** Whether the definitions can be served. */
export async function lookAtDefinitions(config: Config): Promise<Found> {
  const { schemaDir } = config
  if (schemaDir === undefined)
    return ok('SCHEMA_DIR is not set: they are those of the database, if it has any.')
  const report = await checkFolder(schemaDir, config)
  if (report.problem !== undefined) return problem(report.problem)
  const count = report.served === undefined ? 0 : definedTypes(report.served.registry).length
  return ok(`${count} content-types in ${schemaDir}`)
}
