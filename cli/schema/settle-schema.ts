import { lineOf } from '../../engine/schema/schema-error.js'
import { compareFiles } from '../../server/content-types/compare-files.js'
import { readDefinitions } from '../../server/content-types/definition-store.js'
import { whenKnown } from '../../server/content-types/other-instances.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { keepUniques } from '../../server/content-types/keep-uniques.js'
import { openSchemaStore, unfinished } from '../../server/content-types/store.js'
import { DatabaseInUse } from '../../server/database/database-in-use.js'
import { openPresence } from '../../server/repair/presence.js'
import { runRepair } from '../../server/repair/run-repair.js'
import { loadConfig } from '../../server/settings/config.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { withDatabase, type OpenDatabase } from '../with-database.js'
import { sourced } from '../../server/content-types/merge-definitions.js'

/**
 * What `quire schema` does.
 * @throws SchemaError where a start would refuse the definitions
 */
export async function settleSchema({ goBack }: Readonly<{ goBack: boolean }>): Promise<void> {
  console.log(await compareWithStored(goBack))
}

async function compareWithStored(goesBack: boolean): Promise<string> {
  const config = loadConfig()
  const { schemaDir } = config
  if (schemaDir === undefined)
    return 'SCHEMA_DIR is not set: the definitions are those of the database.'
  const work = async (database: OpenDatabase): Promise<string> => {
    const { db, log, alone } = database
    // It serves nobody, and is seen by those who want the database for themselves.
    const presence = await openPresence(db, { log, alone, notes: true, schemaVersion: () => 0 })
    try {
      return await settle({ ...database, schemaDir }, goesBack)
    } finally {
      await presence.leave()
    }
  }
  try {
    return await withDatabase('schema', work, config)
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    throw new Error(
      `The database belongs to the service that runs; \`${ownCommand('schema diff')}\` asks it`,
      { cause: error },
    )
  }
}

async function settle(
  database: OpenDatabase & Readonly<{ schemaDir: string }>,
  goesBack: boolean,
): Promise<string> {
  const { db, schemaDir, log, alone } = database
  const { settings } = database.config
  const customFields = settings['schema.customFields']
  const hidden = settings['api.responses.privateAttributes']
  const stored = await readDefinitions(db)
  const before = stored.definitions.map(sourced)
  const files = await readSchemaFiles(schemaDir, { customFields, before })
  if (stored.converting !== undefined) return `${unfinished(stored.converting)}.`
  const { state, effects } = await compareFiles(db, files, hidden)
  if (state === 'newest') return `The definitions in ${schemaDir} are the newest.`
  if (state === 'new')
    return [
      `The definitions in ${schemaDir} are new: the next start makes them the newest.`,
      ...effects.map(lineOf),
    ].join('\n')
  if (!goesBack)
    return `The database has seen newer definitions than those in ${schemaDir}. To go back to them: ${ownCommand('schema --go-back')}`
  const store = { db, schemaDir, log, alone, customFields, hidden }
  const { registry, cameBack, stop } = await openSchemaStore({ ...store, onOlder: 'adopt' })
  await stop()
  if (!alone) await whenKnown(db, registry().version)
  await keepUniques({ db, log, registry: registry() })
  // What was deleted meanwhile was not looked for in relations that nobody served.
  if (cameBack) await runRepair({ db, registry: registry(), mends: true })
  return `The definitions in ${schemaDir} are the newest now. Instances that run serve them within a second.`
}
