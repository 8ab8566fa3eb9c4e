/**
 * `npm run schema`: says how the definitions in `SCHEMA_DIR` stand to those of the database that the service
 * would use. `-- --go-back` makes them the newest where the database has seen newer ones; a change that would
 * strand content is refused as at a start.
 */
import { parseArgs } from 'node:util'
import type { Db } from 'mongodb'
import { pino, type Logger } from 'pino'
import { loadConfig } from '../server/settings/config.js'
import { readDefinitions } from '../server/content-types/definition-store.js'
import type { CustomFields } from '../server/content-types/custom-fields.js'
import { chainOf, hashOf, isOlder } from '../server/content-types/schema-chain.js'
import { readSchemaFiles } from '../server/content-types/schema-files.js'
import { checkFormat } from '../server/content-types/check-format.js'
import { whenKnown } from '../server/content-types/other-instances.js'
import { runRepair } from '../server/repair/run-repair.js'
import { openSchemaStore } from '../server/content-types/store.js'
import { ownDatabase } from '../engine/database/own-database.js'
import { connectDatabase } from '../server/database/connect.js'
import { startDatabaseHost } from '../server/database/host.js'
import { hostOptions } from '../server/database/host-options.js'

try {
  const { values } = parseArgs({ options: { 'go-back': { type: 'boolean', default: false } } })
  console.log(await run(values['go-back']))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function run(goesBack: boolean): Promise<string> {
  const config = loadConfig()
  const { schemaDir, settings } = config
  if (schemaDir === undefined)
    return 'SCHEMA_DIR is not set: the definitions are those of the database.'
  const log = pino({ level: 'warn' }, pino.destination(2))
  const host = await startDatabaseHost({ ...hostOptions(config), log })
  try {
    const client = await connectDatabase(host.uri, { appName: 'quire schema' })
    try {
      return await settle(
        {
          ...{ db: await ownDatabase(client), schemaDir, log, alone: host.alone },
          customFields: settings['schema.customFields'],
        },
        goesBack,
      )
    } finally {
      await client.close()
    }
  } finally {
    await host.stop()
  }
}

type Options = Readonly<{
  db: Db
  schemaDir: string
  log: Logger
  alone: boolean
  customFields: CustomFields
}>

async function settle(options: Options, goesBack: boolean): Promise<string> {
  const { db, schemaDir, customFields } = options
  const { hashes, definitions } = await readDefinitions(db)
  const hash = hashOf(await readSchemaFiles(schemaDir, { customFields }))
  const chain = chainOf(hashes, definitions)
  if (chain.at(-1) === hash) return `The definitions in ${schemaDir} are the newest.`
  if (!isOlder(hash, chain))
    return `The definitions in ${schemaDir} are new: the next start makes them the newest.`
  if (!goesBack)
    return `The database has seen newer definitions than those in ${schemaDir}. To go back to them: npm run schema -- --go-back`
  const { registry, cameBack, stop } = await openSchemaStore({ ...options, onOlder: 'adopt' })
  await stop()
  if (!options.alone) await whenKnown(db, registry().version)
  // What was deleted meanwhile was not looked for in relations that nobody served.
  if (cameBack)
    await runRepair({ db, registry: registry(), format: await checkFormat(db), mends: true })
  return `The definitions in ${schemaDir} are the newest now. Instances that run serve them within a second.`
}
