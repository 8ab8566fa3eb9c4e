import type { Db } from 'mongodb'
import { checkMarkedFormat } from '../../server/content-types/check-format.js'
import { diffFiles, type SchemaDifference } from '../../server/content-types/compare-files.js'
import { readDefinitions } from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { refuseHalfImported } from '../../server/database/half-imported.js'
import type { Config } from '../../server/settings/config.js'
import { withDatabase } from '../with-database.js'

/** A start refuses the database, whatever the definitions are. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

/**
 * Compares the definitions of a folder with those of the database that a start would use. Changes nothing.
 * @param name of the command, as the database's own log shows it
 * @throws UnusableDatabase; SchemaError if files cannot be read; Error if the database cannot be opened
 */
export function compareSchema(
  schemaDir: string,
  name: string,
  config: Config,
): Promise<SchemaDifference> {
  const { settings } = config
  return withDatabase(
    name,
    async ({ db }) => {
      await refuseUnusable(db)
      const before = (await readDefinitions(db)).definitions.map(sourced)
      const customFields = settings['schema.customFields']
      const files = await readSchemaFiles(schemaDir, { customFields, before })
      return diffFiles(db, files, settings['api.responses.privateAttributes'])
    },
    config,
  )
}

/** Throws where a start would refuse another storage format, or an unfinished import. */
async function refuseUnusable(db: Db): Promise<void> {
  try {
    await checkMarkedFormat(db)
    await refuseHalfImported(db)
  } catch (cause) {
    throw new UnusableDatabase(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
