import type { Document } from 'mongodb'
import { BSON } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { combine, eachForItself } from './combine.js'

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
  const insertOne = (one: Stored, by: UnitOfWork) =>
    by.write(isLast, (options) => collection.insertOne(one, options))
  if (unit.isTransaction) return void (await insertOne(version, unit))
  const insertAll = (all: readonly Stored[], by: UnitOfWork) =>
    by.write(isLast, (options) => collection.insertMany(all, { ...options, ordered: false }))
  const insert = combine<Stored, true>(
    unit,
    `insert ${isLast ? 'last ' : ''}into ${name}`,
    (versions, by) =>
      eachForItself(
        versions,
        (all) => insertAll(all, by),
        (one) => insertOne(one, by),
      ),
    { maxKeys: 100 },
  )
  await insert(version)
}

/** A document as an insert sends it, and so as it is stored: what was just written need not be read. */
export function asStored(document: Document): Uint8Array {
  return BSON.serialize(document, { ignoreUndefined: true })
}
