import { isDeepStrictEqual } from 'node:util'
import type { Db, IndexDescription, IndexDescriptionInfo, MongoClient } from 'mongodb'
import { MongoServerError } from 'mongodb'
import { isElection } from '../errors/database-errors.js'
import { isDuplicateKey } from './duplicate-key.js'
import type { Index } from '../schema/index-list.js'

/** Thrown if existing entries violate a new unique index. The message is written for the operator. */
export class DuplicateValuesError extends Error {
  constructor(
    readonly collection: string,
    readonly fields: readonly string[],
    values: string,
  ) {
    super(
      `${fields.join(' and ')} cannot be unique in "${collection}": ` +
        `more than one entry has ${values}. Change them, or remove "unique"`,
    )
    this.name = 'DuplicateValuesError'
  }
}

/** Name prefix of the indexes that the service creates. Indexes without this prefix are never dropped. */
const ours = 'quire_'

/** MongoDB's maximum number of indexes per collection. */
const maxIndexes = 64

const namespaceNotFound = 26
const indexNotFound = 27

export type Keeping = Readonly<{
  /**
   * Whether to drop outdated indexes: those of other versions of the schema. `if full`: only if the collection would
   * have too many indexes otherwise. `never`: drop no outdated index, and create none if the collection would then have
   * too many.
   */
  drops?: 'always' | 'if full' | 'never'
  /**
   * Names of optional indexes. They are not created here, but existing ones are kept while the collection has room for
   * them.
   */
  kept?: readonly string[]
}>

/**
 * Creates missing indexes, and drops outdated ones. May run repeatedly, and on several instances at once.
 * @throws DuplicateValuesError if existing entries have the same value in a unique index
 */
export async function ensureIndexes(
  db: Db,
  collection: string,
  wanted: readonly Index[],
  { drops = 'always', kept = [] }: Keeping = {},
): Promise<void> {
  const found = await listIndexes(db, collection)
  const names = new Set(wanted.map(({ name }) => name))
  const isRight = (index: Index): boolean =>
    found.some((it) => (drops === 'never' ? it.name === index.name : isSame(it, index)))
  const missing = wanted.filter((index) => !isRight(index))
  const optional = kept.filter((name) => !names.has(name) && found.some((it) => it.name === name))
  const added = names.size - found.filter(({ name = '' }) => names.has(name)).length
  const excess = found.length + added - maxIndexes
  const given = excess > 0 ? optional.slice(-excess) : []
  const isFull = found.length - given.length + missing.length > maxIndexes
  if (isFull && drops === 'never') return
  const stays = (name: string): boolean =>
    names.has(name)
      ? !missing.some((index) => index.name === name)
      : !given.includes(name) && (optional.includes(name) || (drops !== 'always' && !isFull))
  // Drop outdated indexes first: a collection can have only 64, and one of them may have the name of a missing index.
  for (const { name = '' } of found)
    if (name.startsWith(ours) && !stays(name)) await dropIndex(db, collection, name)
  if (missing.length > 0) await createIndexes(db, collection, missing)
}

export async function listIndexes(
  db: Db,
  collection: string,
): Promise<readonly IndexDescriptionInfo[]> {
  try {
    return (await db.collection(collection).listIndexes().toArray()) as IndexDescriptionInfo[]
  } catch (error) {
    if (hasCode(error, namespaceNotFound)) return []
    throw error
  }
}

export async function dropIndex(db: Db, collection: string, name: string): Promise<void> {
  try {
    await db.collection(collection).dropIndex(name)
  } catch (error) {
    // Another instance may have dropped the index already, or the collection may not exist.
    if (!hasCode(error, indexNotFound) && !hasCode(error, namespaceNotFound)) throw error
  }
}

const builds = new WeakMap<MongoClient, { running: number; done: number; failed: number }>()

/** Returns the number of index builds of this process by state. */
export function indexBuilds(client: MongoClient) {
  const counts = builds.get(client) ?? { running: 0, done: 0, failed: 0 }
  builds.set(client, counts)
  return counts
}

/** @throws DuplicateValuesError if existing entries have the same value in a unique index */
export async function createIndexes(
  db: Db,
  collection: string,
  missing: readonly Index[],
): Promise<void> {
  const counts = indexBuilds(db.client)
  counts.running += 1
  try {
    await db.collection(collection).createIndexes(missing.map(descriptionOf))
    counts.done += 1
  } catch (error) {
    counts.failed += 1
    const values = isDuplicateKey(error) ? keyValueOf(error) : undefined
    if (values === undefined) throw notMade(error, collection, missing)
    throw new DuplicateValuesError(collection, Object.keys(values), JSON.stringify(values))
  } finally {
    counts.running -= 1
  }
}

const unauthorized = 13

/** Adds the names of the indexes to an error, because the server's message does not contain them. */
function notMade(error: unknown, collection: string, missing: readonly Index[]): unknown {
  const isReported = hasCode(error, unauthorized) || isElection(error)
  if (isReported || !(error instanceof MongoServerError)) return error
  const names = missing.map(({ name }) => name).join(', ')
  return new Error(`Indexes of "${collection}" could not be created (${names}): ${error.message}`, {
    cause: error,
  })
}

function descriptionOf(index: Index): IndexDescription {
  const { name, unique, partial } = index
  return {
    name,
    key: keyOf(index),
    ...(unique ? { unique } : {}),
    ...(partial === undefined ? {} : { partialFilterExpression: filterOf(partial) }),
  }
}

const keyOf = ({ fields, descending = [] }: Index): Record<string, 1 | -1> =>
  Object.fromEntries(fields.map((field) => [field, descending.includes(field) ? -1 : 1]))

function filterOf({ field, least }: NonNullable<Index['partial']>) {
  return { [field]: { $gte: least } }
}

/** Whether an index matches its definition, including its partial filter, which depends on the attribute's type. */
function isSame(found: IndexDescriptionInfo, index: Index): boolean {
  const filter: unknown = found['partialFilterExpression']
  return (
    found.name === index.name &&
    isDeepStrictEqual(Object.entries(found.key), Object.entries(keyOf(index))) &&
    (found.unique ?? false) === index.unique &&
    isDeepStrictEqual(filter, index.partial && filterOf(index.partial))
  )
}

function hasCode(error: unknown, code: number): error is MongoServerError {
  return error instanceof MongoServerError && error.code === code
}

/** Returns the duplicate values, if the server reports them. */
function keyValueOf(error: MongoServerError): Readonly<Record<string, unknown>> | undefined {
  const values: unknown = error['keyValue'] ?? error.errorResponse['keyValue']
  return typeof values === 'object' && values !== null ? { ...values } : undefined
}
