import { openSchemaStore, type SchemaStoreOptions } from '../server/content-types/store.js'
import type { OpenDatabase } from './with-database.js'

/** Writes the project's definitions and updates the indexes, as the service does when it starts. */
export async function adoptDefinitions(
  { db, log, singleProcess, config: { schemaDir, settings } }: OpenDatabase,
  options: Pick<SchemaStoreOptions, 'onOlder' | 'converted' | 'exported'>,
) {
  const { registry, cameBack, stop } = await openSchemaStore({
    ...{ db, log, schemaDir, singleProcess },
    customFields: settings['schema.customFields'],
    hidden: settings['api.responses.privateAttributes'],
    ...options,
  })
  await stop()
  return { registry: registry(), cameBack }
}
