import { withEffects } from '../../engine/schema/schema-error.js'
import type { SchemaDifference } from '../../server/content-types/compare-files.js'
import { whenKnown } from '../../server/content-types/other-instances.js'
import { keepUniques } from '../../server/content-types/keep-uniques.js'
import { effectLines } from '../../server/content-types/schema-effects.js'
import { runRepair } from '../../server/repair/run-repair.js'
import { loadConfig } from '../../server/settings/config.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { ownServiceOf, runningService } from '../admin-service.js'
import { adoptDefinitions } from '../adopt-definitions.js'
import { withDatabase, withHeartbeat } from '../with-database.js'
import { compareSchema } from './compare-schema.js'

/**
 * Runs `quire schema`, which reports what the service would do with the definitions in SCHEMA_DIR. With `goBack`, makes
 * these definitions the newest even if the database has newer ones. Throws if the service would reject them.
 */
export async function settleSchema({ goBack }: Readonly<{ goBack: boolean }>): Promise<void> {
  const config = loadConfig()
  const { schemaDir } = config
  if (schemaDir === undefined) {
    console.log('SCHEMA_DIR is not set, so the service uses the definitions in the database.')
    return
  }
  if (goBack && (await runningService(config)) !== undefined)
    throw new Error('--go-back changes the database directly. Stop the service first')
  const remote = await ownServiceOf(config)
  const difference = await compareSchema(schemaDir, { name: 'schema', config, remote })
  const goesBack = goBack && difference.state === 'older'
  console.log(goesBack ? await goBackTo(schemaDir) : formatState(schemaDir, difference))
}

function formatState(
  schemaDir: string,
  { state, effects, warnings, problem }: SchemaDifference,
): string {
  if (state === 'older')
    return `The database has newer definitions than those in ${schemaDir}. To go back to the older ones: ${ownCommand('schema --go-back')}`
  const lines = effectLines(effects)
  if (problem !== undefined) throw new Error(withEffects(problem, lines))
  const verdict = state === 'newest' ? 'the newest.' : 'new. The next start makes them the newest.'
  return [`The definitions in ${schemaDir} are ${verdict}`, ...warnings, ...lines].join('\n')
}

/** Makes the definitions in the folder the newest, although they are older than those in the database. */
const goBackTo = (schemaDir: string): Promise<string> =>
  withDatabase('schema', async (database) => {
    const { db, log, singleProcess } = database
    await withHeartbeat(database, {}, async () => {
      const { registry, cameBack } = await adoptDefinitions(database, { onOlder: 'adopt' })
      if (!singleProcess) await whenKnown(db, registry.version)
      await keepUniques({ db, log, registry })
      // A relation attribute has come back. While it was missing, references in it to deleted entries were not removed.
      if (cameBack) await runRepair({ db, registry, repairs: true })
    })
    const next = singleProcess
      ? 'Start the service.'
      : 'Running instances serve them within a second.'
    return `The definitions in ${schemaDir} are the newest now. ${next}`
  })
