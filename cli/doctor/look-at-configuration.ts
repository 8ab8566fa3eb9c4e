import { definedTypes } from '../../engine/schema/registry.js'
import { checkFolder } from '../check/check-project.js'
import type { Config } from '../../server/settings/config.js'
import { insecureSettings } from '../../server/settings/insecure-settings.js'
import type { Found } from './finding.js'

/** What a start in production warns of, secrets first; what strangers may do stands in the database. */
export function lookAtSecrets(config: Config): Found {
  const insecure = insecureSettings(config, [])
  if (config.production) {
    const warnings = insecure.map((says) => ({ state: 'warning' as const, says }))
    return warnings.length > 0 ? warnings : [{ state: 'ok', says: 'They are set.' }]
  }
  const says =
    insecure.length === 0
      ? 'They are set.'
      : `NODE_ENV is not production, which would warn:\n${insecure.join('\n')}`
  return [{ state: 'ok', says }]
}

/** Whether the definitions can be served. */
export async function lookAtDefinitions(config: Config): Promise<Found> {
  const { schemaDir } = config
  if (schemaDir === undefined)
    return [
      {
        state: 'ok',
        says: 'SCHEMA_DIR is not set: they are those of the database, if it has any.',
      },
    ]
  const { problem, served } = await checkFolder(schemaDir, config)
  if (problem !== undefined) return [{ state: 'problem', says: problem }]
  const count = served === undefined ? 0 : definedTypes(served.registry).length
  return [{ state: 'ok', says: `${count} content-types in ${schemaDir}` }]
}
