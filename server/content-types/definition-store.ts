import type { AnyBulkWriteOperation, Db, FindOptions } from 'mongodb'
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
/** The states of the definition files that this database has seen, the newest last (`schema-chain.ts`). */
type Chain = Readonly<{ _id: 'chain'; hashes: readonly string[] }>
/** Every attribute that a definition ever had, so that nobody reads its values as something else. */
type Former = Readonly<{ _id: 'former'; definitions: readonly SourcedDefinition[] }>

export type Stored = Readonly<{
  /** Sorted by uid. */
  definitions: readonly StoredDefinition[]
  version: number
  /** Undefined in a database that knows no chain yet. */
  hashes: readonly string[] | undefined
  former: readonly SourcedDefinition[]
}>

const collection = '_schemas'

/** Every definition of the database, and what it knows of those before. */
export async function readDefinitions(db: Db): Promise<Stored> {
  const documents = await db
    .collection<StoredDefinition | Version | Chain | Former>(collection)
    .find()
    .sort({ _id: 1 })
    .toArray()
  return {
    definitions: documents.filter((document) => 'definition' in document),
    version: documents.find((document) => 'value' in document)?.value ?? 0,
    hashes: documents.find((document) => 'hashes' in document)?.hashes,
    former: documents.find((document) => 'definitions' in document)?.definitions ?? [],
  }
}

/** The version of the definitions; 0 where there are none. */
export async function readVersion(db: Db, options: FindOptions = {}): Promise<number> {
  const version = await db
    .collection<Version>(collection)
    .findOne({ _id: 'version' }, { maxTimeMS: 5_000, ...options })
  return version?.value ?? 0
}

/** Writes the chain of states. */
export const writeChain = (db: Db, hashes: Chain['hashes']): Promise<void> =>
  keep(db, 'chain', { hashes })

/** Remembers all attributes that there have been, before the definitions change. */
export const writeFormer = (db: Db, definitions: Former['definitions']): Promise<void> =>
  keep(db, 'former', { definitions })

async function keep(db: Db, _id: string, data: object): Promise<void> {
  const documents = db.collection<{ _id: string }>(collection)
  await documents.updateOne({ _id }, { $set: data }, { upsert: true })
}

/**
 * Writes what changed, and the next version after it: whoever sees the version sees the definitions.
 * @returns the new version
 */
export async function writeDefinitions(
  db: Db,
  { put, remove }: Readonly<{ put: readonly StoredDefinition[]; remove: readonly string[] }>,
): Promise<number> {
  const operations: AnyBulkWriteOperation<StoredDefinition>[] = [
    ...put.map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    })),
    ...remove.map((_id) => ({ deleteOne: { filter: { _id } } })),
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
