import type { Document } from 'mongodb'
import { MongoBulkWriteError, BSON } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { combine } from './combine.js'

type Stored = Document & { _id: number | string }

/**
 * Inserts a version. Those of several requests go out together, and wait for the journal together; each
 * is refused for itself. In a transaction each goes by itself.
 * @throws the driver's error, of a duplicate key with its index
 */
export async function insertVersion(
  unit: UnitOfWork,
  name: string,
  version: Stored,
  isLast: boolean,
): Promise<void> {
  const collection = unit.db.collection<Stored>(name)
  const insertThis = (one: Stored, by: UnitOfWork) =>
    by.write(isLast, (options) => collection.insertOne(one, options))
  if (unit.isTransaction) return void (await insertThis(version, unit))
  const insertOne = async (one: Stored, by: UnitOfWork): Promise<true | Error> => {
    try {
      await insertThis(one, by)
      return true
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
  const insertAll = async (
    versions: readonly Stored[],
    by: UnitOfWork,
  ): Promise<readonly (true | Error)[]> => {
    if (versions.length === 1) return Promise.all(versions.map((one) => insertOne(one, by)))
    try {
      await by.write(isLast, (options) =>
        collection.insertMany(versions, { ...options, ordered: false }),
      )
      return versions.map(() => true)
    } catch (error) {
      const refused = refusedOf(error)
      if (refused === undefined) throw error
      // Once more by itself, which says what refused it; or it has become possible.
      return Promise.all(versions.map(async (one, at) => !refused.has(at) || insertOne(one, by)))
    }
  }
  const insert = combine(unit, `insert ${isLast ? 'last ' : ''}into ${name}`, insertAll, {
    maxKeys: 100,
  })
  await insert(version)
}

/** Which versions of a command were refused; undefined where it failed as a whole. */
export function refusedOf(error: unknown): ReadonlySet<number> | undefined {
  if (!(error instanceof MongoBulkWriteError)) return undefined
  const errors = [error.writeErrors].flat()
  return errors.length === 0 ? undefined : new Set(errors.map(({ index }) => index))
}

/** A document as an insert sends it, and so as it is stored: what was just written need not be read. */
export function asStored(document: Document): Uint8Array {
  return BSON.serialize(document, { ignoreUndefined: true })
}
