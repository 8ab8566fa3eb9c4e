import type { AnyBulkWriteOperation, Db, FindOptions, UpdateFilter } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import type { Definition } from '../../engine/schema/content-type.js'

/** A definition in `_schemas`, with its uid as `_id`. */
export type StoredDefinition = Readonly<{
  _id: string
  kind: SourcedDefinition['kind']
  definition: Definition
  /**
   * Origin of the definition. `file`: it comes from SCHEMA_DIR and is only changed there. `database`: it was created at
   * run time.
   */
  source: 'file' | 'database'
}>

/**
 * Describes how to convert the entries of a type for features that its definition enables
 * (`engine/convert-entries.ts`).
 */
export type Conversion = Readonly<{
  uid: string
  /** Whether every version gets a draft. */
  drafts: boolean
  /** The locale that every version gets. Null = versions get none. */
  locale: string | null
}>

/** Conversions that are in progress. Until they end, writes to the converted types are rejected. */
export type Converting = Readonly<{
  conversions: readonly Conversion[]
  /** The definitions to use after the conversions. */
  definitions: readonly SourcedDefinition[]
}>

/** A content-type whose uid has changed. */
export type RenamedType = Readonly<{ from: string; to: string }>

/**
 * The version of the definitions. `converting` and `renaming` are in the same document, so that one read returns
 * everything.
 */
type Version = Readonly<{
  _id: 'version'
  value: number
  converting?: Converting
  renaming?: readonly RenamedType[]
}>
/** Hashes of the definition files that this database has seen, the newest last (`schema-chain.ts`). */
type Chain = Readonly<{ _id: 'chain'; hashes: readonly string[] }>
/**
 * All attributes that any definition has ever had, so that values of one attribute are never read as values of another.
 */
type Former = Readonly<{ _id: 'former'; definitions: readonly SourcedDefinition[] }>

export type Stored = Readonly<{
  /** The definitions of the database, sorted by uid. */
  definitions: readonly StoredDefinition[]
  version: number
  /** Hashes of the definition files that the database has seen. Undefined if none have been recorded. */
  hashes: readonly string[] | undefined
  previous: readonly SourcedDefinition[]
  /** Undefined if no conversion is running. */
  converting: Converting | undefined
  /** Renamed types that may still have data under the previous uid. */
  renaming: readonly RenamedType[]
}>

const collection = '_schemas'

/** Reads the definitions of a database, and the records about earlier definitions. */
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
    previous: documents.find((document) => 'definitions' in document)?.definitions ?? [],
  }
}

/** Returns the version of the definitions, or 0 if there are none. */
export async function readVersion(db: Db, options: FindOptions = {}): Promise<number> {
  const version = await db
    .collection<Version>(collection)
    .findOne({ _id: 'version' }, { projection: { value: 1 }, maxTimeMS: 5_000, ...options })
  return version?.value ?? 0
}

/** Writes the hashes of the definition files that the database has seen. */
export const writeChain = (db: Db, hashes: Chain['hashes']): Promise<void> =>
  keep(db, 'chain', { hashes })

/** Saves all attributes that definitions have had so far. Call it before the definitions change. */
export const writeFormer = (db: Db, definitions: Former['definitions']): Promise<void> =>
  keep(db, 'former', { definitions })

/**
 * Records the types that are being renamed. Call it with an empty list when all data under their previous uids has been
 * moved.
 */
export const writeRenaming = (db: Db, renaming: readonly RenamedType[]): Promise<void> =>
  keep(db, 'version', { renaming })

async function keep(db: Db, _id: string, data: object): Promise<void> {
  const documents = db.collection<{ _id: string }>(collection)
  await documents.updateOne({ _id }, { $set: data }, { upsert: true })
}

/**
 * Writes changed definitions, then raises the version. An instance that sees the new version also sees the definitions.
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

/**
 * Tells all instances that conversions have started, or that they have ended (`undefined`).
 * @returns the new version
 */
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

/**
 * Returns the uids of the types that reject writes because their entries are being converted. Returns undefined if
 * there are no conversions.
 */
export function lockedTypes({
  converting,
}: Pick<Stored, 'converting'>): ReadonlySet<string> | undefined {
  return converting && new Set(converting.conversions.map(({ uid }) => uid))
}
