import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { prepareCollections } from '../../engine/prepare-collections.js'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import type { Registry } from '../../engine/schema/registry.js'
import { backtrackingPatterns } from './backtracking-patterns.js'
import { checkChanges } from './check-changes.js'
import { checkFormat } from './check-format.js'
import { readDefinitions, writeDefinitions } from './definition-store.js'
import type { Merged } from './merge-definitions.js'
import { ignoredOptions } from './ignored-options.js'
import { mergeDefinitions, sourced } from './merge-definitions.js'
import { misspeltMembers } from './misspelt-members.js'
import { readSchemaFiles } from './schema-files.js'

export type SchemaStore = Readonly<{
  /** The live snapshot: ask again for every request, never keep it. */
  registry: () => Registry
}>

export type SchemaStoreOptions = Readonly<{
  db: Db
  /** Folder of definition files; undefined: the database's definitions are served as they are. */
  schemaDir: string | undefined
  log: Logger
}>

/**
 * Loads the content-types from files and from the database, checks them together, writes what the
 * files changed to `_schemas`, and makes every collection's indexes right. Nothing is written when a
 * definition is wrong, or when a change of one would strand content.
 * @throws SchemaError, or an Error whose text says what keeps the service from starting
 */
export async function openSchemaStore(options: SchemaStoreOptions): Promise<SchemaStore> {
  const { db, log } = options
  await checkFormat(db)
  const stored = await readDefinitions(db)
  const { definitions, changes } = await mergeFiles(options.schemaDir, stored.definitions)
  const checked = createRegistryFrom(definitions, stored.version)
  const hasChanges = changes.put.length + changes.remove.length > 0

  if (hasChanges)
    await checkChanges(db, {
      before: stored.definitions.map(sourced),
      after: checked,
      definitions,
    })
  await prepareCollections(db, checked)
  const version = hasChanges ? await writeDefinitions(db, changes) : stored.version
  for (const uid of changes.remove)
    log.warn({ uid }, 'The file of this type is gone: it is no longer served, and its entries stay')
  const warnings = [
    ...misspeltMembers(definitions),
    ...ignoredOptions(definitions),
    ...backtrackingPatterns(definitions, checked),
  ]
  for (const sentence of warnings) log.warn(sentence)
  const registry = Object.freeze({ ...checked, version })
  log.info(
    { version, contentTypes: registry.byApiName.size, components: registry.components.size },
    'The schema is loaded',
  )
  if (registry.byApiName.size === 0) log.warn(noContentTypes(options.schemaDir))
  return { registry: () => registry }
}

const noContentTypes = (schemaDir: string | undefined): string =>
  schemaDir === undefined
    ? 'There are no content-types: SCHEMA_DIR is not set, and there is no folder schema'
    : `There are no content-types in ${schemaDir}: they are looked for in content-types/*.json and api/*/content-types/*/schema.json`

async function mergeFiles(
  schemaDir: string | undefined,
  stored: Parameters<typeof mergeDefinitions>[1],
): Promise<Merged> {
  if (schemaDir === undefined)
    return { definitions: stored.map(sourced), changes: { put: [], remove: [] } }
  return mergeDefinitions(await readSchemaFiles(schemaDir), stored)
}
