import type { AnyBulkWriteOperation, Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import type { Definition } from '../../engine/schema/content-type.js'

/** A definition as `_schemas` holds it, with its uid as `_id`. */
export type StoredDefinition = Readonly<{
  _id: string
  kind: SourcedDefinition['kind']
  definition: Definition
  /** `file`: given by SCHEMA_DIR, which alone may change it. `database`: made at run time. */
  source: 'file' | 'database'
}>

type Version = Readonly<{ _id: 'version'; value: number }>

export type DefinitionChanges = Readonly<{
  put: readonly StoredDefinition[]
  remove: readonly string[]
}>

const collection = '_schemas'

/** Every definition of the database, sorted by uid, and the version they are. */
export async function readDefinitions(
  db: Db,
): Promise<Readonly<{ definitions: readonly StoredDefinition[]; version: number }>> {
  const documents = await db
    .collection<StoredDefinition | Version>(collection)
    .find()
    .sort({ _id: 1 })
    .toArray()
  return {
    definitions: documents.filter((document) => 'definition' in document),
    version: documents.find((document) => 'value' in document)?.value ?? 0,
  }
}

/**
 * Writes what changed, and the next version after it: whoever sees the version sees the definitions.
 * @returns the new version
 */
export async function writeDefinitions(db: Db, changes: DefinitionChanges): Promise<number> {
  const operations: AnyBulkWriteOperation<StoredDefinition>[] = [
    ...changes.put.map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    })),
    ...changes.remove.map((_id) => ({ deleteOne: { filter: { _id } } })),
  ]
  await db.collection<StoredDefinition>(collection).bulkWrite(operations)
  const version = await db
    .collection<Version>(collection)
    .findOneAndUpdate(
      { _id: 'version' },
      { $inc: { value: 1 } },
      { upsert: true, returnDocument: 'after' },
    )
  return version?.value ?? 1
}
