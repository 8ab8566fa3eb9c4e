import type { Document } from 'mongodb'
import { BSON } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { combine, eachForItself } from '../load/combine.js'

type Stored = Document & { _id: number | string }

/**
 * Inserts a version. Outside transactions, concurrent inserts share one command and journal wait, but fail separately.
 * @throws the driver's error. For a duplicate key, the error names the index
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

/** Returns a document as the database stores it, so that it need not be read again. */
export function asStored(document: Document): Uint8Array {
  return BSON.serialize(document, { ignoreUndefined: true })
}
