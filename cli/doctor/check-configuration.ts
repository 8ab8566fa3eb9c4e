import { definedTypes } from '../../engine/schema/registry.js'
import { countText } from '../../engine/values/count-text.js'
import { checkFolder } from '../check/check-project.js'
import type { Config } from '../../server/settings/config.js'
import { insecureSettings } from '../../server/settings/insecure-settings.js'
import { ok, problem, unknown, warning, type Found } from './finding.js'

/**
 * Returns what a start in production would warn of, secrets first. It does not include public permissions, which are in
 * the database.
 */
export function checkSecrets(config: Config): Found {
  const insecure = insecureSettings(config, [])
  if (insecure.length === 0) return ok('They are set.')
  if (config.production) return insecure.flatMap(warning)
  return ok(`With NODE_ENV=production the service would warn:\n${insecure.join('\n')}`)
}

/** Checks whether the definitions can be served, and what a start would warn of. */
export async function checkDefinitions(config: Config): Promise<Found> {
  const { schemaDir } = config
  if (schemaDir === undefined)
    return unknown(
      'SCHEMA_DIR is not set, so the service uses the definitions in the database, if it has any.',
    )
  const { served, adapted, problem: refusal } = await checkFolder(schemaDir, config)
  const warnings = adapted.flatMap(warning)
  if (refusal !== undefined) return [...problem(refusal), ...warnings]
  if (warnings.length > 0) return warnings
  const count = served === undefined ? 0 : definedTypes(served.registry).length
  return ok(`${countText(count, 'content-type')} in ${schemaDir}`)
}
