import type { Db } from 'mongodb'
import { builtInDefinitions } from '../../engine/schema/define/built-in.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { isComponentUid, isContentTypeUid } from '../../engine/schema/names.js'
import {
  readDefinitions,
  type Stored,
  type StoredDefinition,
} from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import type { Config } from '../../server/settings/config.js'
import type { Selection } from '../../server/backup/selection.js'
import { typesToCheck } from '../import-runner/check-versions.js'
import { compareDefinitions } from '../import-runner/compare-definitions.js'
import {
  definitionOf,
  placeDefinitions,
  planDefinitions,
  refuseDifferences,
  type DefinitionPlan,
} from '../import-runner/place-definitions.js'
import type { OpenDatabase } from '../with-database.js'
import type { Overview } from './archive-overview.js'
import type { Renames } from './archive-renames.js'
import { refuseConversions } from './refuse-conversions.js'

const keeping = 'Definitions of the archive differ from those of this project, which are used:'

/** The comparison of an archive's definitions with those of a project. */
export type SchemaPlan = DefinitionPlan &
  Readonly<{
    /** Whether the archive's documents replace those in `_schemas`, including the previous versions of definitions. */
    isWhole: boolean
    /** Stored definitions that are never replaced: the archive lacks them, or the project's take precedence. */
    kept: readonly string[]
    /** The content-types whose validation rules may have changed since the export. */
    checked: readonly ContentType[]
  }>

/**
 * Compares the definitions of an archive with those of the project. Changes nothing.
 * @throws Error if definitions differ in how they store entries
 * @throws SchemaError if the two sets of definitions contradict each other
 */
export async function planSchema(
  { db, config }: OpenDatabase,
  overview: Overview,
  selection: Selection,
  keepDefinitions: boolean,
  renames: Renames,
): Promise<SchemaPlan> {
  const { definitions, uids } = overview
  const all = definitions.map(archivedDefinition)
  const archived = selection.hasWhole('schema') ? all : []
  const plan = await planDefinitions(config, db, archived, 'archive')
  refuseConversions(overview, selection, plan.planned)
  // Only differences in storage matter, because entries are validated by the rules of this project.
  if (!keepDefinitions) refuseDifferences(plan.storage, 'archive')
  else if (plan.storage.length > 0) console.error([keeping, ...plan.storage].join('\n  '))
  const { contentTypes } = plan.planned
  const unknown = [...uids].filter((uid) => selection.hasType(uid) && !contentTypes.has(uid))
  if (unknown.length > 0)
    throw new Error(
      `There are no definitions of ${unknown.join(', ')} in this project or in the import. Export with schema, or leave these types out (--exclude)`,
    )
  const isWhole = archived.length > 0 && selection.hasWhole('content')
  const kept = keptOf(await readDefinitions(db), archived, config, renames)
  const { differing } = compareDefinitions(all, plan.there, 'archive')
  const checked = typesToCheck(plan.planned, differing).filter(({ uid }) => selection.hasType(uid))
  return { ...plan, isWhole, kept, checked }
}

/**
 * Returns the stored definitions that the import must not replace: those that the archive lacks, and those that differ
 * from the archive's, because the project's definitions take precedence. Leaves out definitions from files, which the
 * service reads again at its next start.
 */
function keptOf(
  { definitions }: Stored,
  archived: readonly SourcedDefinition[],
  { schemaDir }: Config,
  { types, attributes }: Renames,
): readonly string[] {
  const stored = definitions.filter(({ source }) => schemaDir === undefined || source !== 'file')
  const uids = new Set(archived.map(({ uid }) => uid))
  // Keep renamed definitions. Their options may contain the new names of other types and attributes.
  const renamed = new Set([...types.map(({ to }) => to), ...attributes.map(({ uid }) => uid)])
  const differs = (one: StoredDefinition): boolean =>
    renamed.has(one._id) ||
    compareDefinitions(archived, [sourced(one)], 'archive').differences.length > 0
  return stored.filter((one) => !uids.has(one._id) || differs(one)).map(({ _id }) => _id)
}

/** Throws if the uid is invalid, because the path of its file could then be outside the project's folder. */
function archivedDefinition({ _id: uid, kind, definition }: StoredDefinition): SourcedDefinition {
  const isUid = kind === 'component' ? isComponentUid : isContentTypeUid
  if (!isUid(uid) && !builtInDefinitions.has(uid))
    throw new Error(`The archive has an invalid definition: ${JSON.stringify(uid)}`)
  return definitionOf(uid, definition)
}

/** Writes the definitions to the project's folder or to the database. Safe to repeat. */
export async function placeSchema(
  database: OpenDatabase,
  { schema, definitions }: Overview,
  { missing, isWhole, kept }: SchemaPlan,
): Promise<void> {
  const { db, config } = database
  if (isWhole) await replaceSchema(db, schema, kept)
  // Only these definitions came from files in the exported project. All others were created at run time.
  const inFiles = new Set(
    definitions.filter(({ source }) => source === 'file').map(({ _id }) => _id),
  )
  const isPlaced = config.schemaDir !== undefined || !isWhole
  const placed = missing.filter(({ uid }) => !isWhole || inFiles.has(uid))
  if (isPlaced) await placeDefinitions(database, { missing: placed, replaced: [] })
}

/** Replaces the documents of `_schemas`. Never removes those in `kept`, so that an interrupted run can continue. */
async function replaceSchema(
  db: Db,
  schema: Overview['schema'],
  kept: readonly string[],
): Promise<void> {
  const schemas = db.collection<{ _id: string }>('_schemas')
  const stays = new Set(['lock', ...kept])
  await schemas.deleteMany({ _id: { $nin: [...stays] } })
  const operations = schema
    .map((document) => ({ ...document, _id: String(document._id) }))
    .filter(({ _id }) => !stays.has(_id))
    .map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    }))
  if (operations.length > 0) await schemas.bulkWrite(operations, { ignoreUndefined: false })
}
