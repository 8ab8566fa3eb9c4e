import type { AnyBulkWriteOperation, Db, FindOptions, UpdateFilter } from 'mongodb'
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

/** How to convert the entries of a type for what its definition turns on (`engine/convert-entries.ts`). */
export type Conversion = Readonly<{
  uid: string
  /** Whether every version gets a draft. */
  drafts: boolean
  /** The locale that every version gets; null = none. */
  locale: string | null
}>

/** Conversions that have not ended. Writes to their types are refused. */
export type Converting = Readonly<{
  conversions: readonly Conversion[]
  /** Those that are served when it is done. */
  definitions: readonly SourcedDefinition[]
}>

/** A content-type that a database knows by another uid. */
export type RenamedType = Readonly<{ from: string; to: string }>

/** The rest is in the same document as the version, so that all are read at once. */
type Version = Readonly<{
  _id: 'version'
  value: number
  converting?: Converting
  renaming?: readonly RenamedType[]
}>
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
  /** Undefined where no conversion is under way. */
  converting: Converting | undefined
  /** Types of which something may still be stored by the uid that they had. */
  renaming: readonly RenamedType[]
}>

const collection = '_schemas'

/** Every definition of the database, and what it knows of those before. */
export async function readDefinitions(db: Db): Promise<Stored> {
  const documents = await db
    .collection<StoredDefinition | Version | Chain | Former>(collection)
    .find()
    .sort({ _id: 1 })
    .toArray()
  const version = documents.find((document) => 'value' in document)
  return {
    definitions: documents.filter((document) => 'definition' in document),
    version: version?.value ?? 0,
    converting: version?.converting,
    renaming: version?.renaming ?? [],
    hashes: documents.find((document) => 'hashes' in document)?.hashes,
    former: documents.find((document) => 'definitions' in document)?.definitions ?? [],
  }
}

/** The version of the definitions; 0 where there are none. */
export async function readVersion(db: Db, options: FindOptions = {}): Promise<number> {
  const version = await db
    .collection<Version>(collection)
    .findOne({ _id: 'version' }, { projection: { value: 1 }, maxTimeMS: 5_000, ...options })
  return version?.value ?? 0
}

/** Writes the chain of states. */
export const writeChain = (db: Db, hashes: Chain['hashes']): Promise<void> =>
  keep(db, 'chain', { hashes })

/** Remembers all attributes that there have been, before the definitions change. */
export const writeFormer = (db: Db, definitions: Former['definitions']): Promise<void> =>
  keep(db, 'former', { definitions })

/** Remembers which types are renamed until all that is stored by their uids has been moved. */
export const writeRenaming = (db: Db, renaming: readonly RenamedType[]): Promise<void> =>
  keep(db, 'version', { renaming })

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
  return raiseVersion(db, {})
}

/** Tells all instances of conversions, or that they have ended. @returns the new version */
export const writeConverting = (db: Db, converting: Converting | undefined): Promise<number> =>
  raiseVersion(
    db,
    converting === undefined ? { $unset: { converting: '' } } : { $set: { converting } },
  )

async function raiseVersion(db: Db, update: UpdateFilter<Version>): Promise<number> {
  const version = await db
    .collection<Version>(collection)
    .findOneAndUpdate(
      { _id: 'version' },
      { ...update, $inc: { value: 1 } },
      { upsert: true, returnDocument: 'after', projection: { value: 1 } },
    )
  return version?.value ?? 1
}

/** The types to which writes are refused; undefined if there are none. */
export function lockedTypes({
  converting,
}: Pick<Stored, 'converting'>): ReadonlySet<string> | undefined {
  return converting && new Set(converting.conversions.map(({ uid }) => uid))
}
