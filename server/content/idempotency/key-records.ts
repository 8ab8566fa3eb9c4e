import { hash } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { asFirstWriter } from '../../../engine/database/as-first-writer.js'
import { retryCommand } from '../../../engine/database/retry-command.js'
import type { IdempotencyKey, Outcome } from '../documents.js'

/** Record of an `Idempotency-Key` in `_idempotency`. All processes of a database share these records. */
export type KeyRecord = {
  /** Hash of the caller and the key. */
  _id: string
  /** Hash of the request: type, status, locale and data. */
  bodyHash: string
  /**
   * Id of the document that the key creates, chosen before the document is written. For a bulk request: the id of the
   * first request that held the key (`owner`).
   */
  documentId: string
  /** Ids of the documents that a bulk request creates. */
  documentIds?: string[]
  /**
   * For a bulk request: id of the request that holds the key. That request may be in flight until `until`, by the
   * database's clock.
   */
  owner?: string
  until?: Date
  /** For a bulk request: outcomes of its operations. `at` is the index of the operation. */
  outcomes?: (Outcome & Readonly<{ at: number }>)[]
  createdAt: Date
  /** Whether the document was written completely. For a bulk request: whether none of its operations is in flight. */
  done: boolean
  /** Whether another request has resumed the creation. Then the document may exist even if the first request failed. */
  resumed?: true
}

const lifeMs = 24 * 60 * 60_000

export const keyRecords = (db: Db): Collection<KeyRecord> =>
  db.collection<KeyRecord>('_idempotency')

export const recordId = ({ caller, key }: IdempotencyKey): string =>
  hash('sha256', JSON.stringify([caller, key]), 'base64url')

/** Deletes keys that are older than a day. The embedded engine does not delete expired documents by itself. */
export async function forgetKeys(db: Db): Promise<void> {
  await keyRecords(db).deleteMany({ createdAt: { $lte: new Date(Date.now() - lifeMs) } })
}

export async function prepareKeys(db: Db): Promise<void> {
  await keyRecords(db).createIndex({ createdAt: 1 })
}

/**
 * Returns the record of a key. If there is no record, or it is older than a day, writes and returns `fresh`.
 * @param leaseMs how long a fresh record belongs to its owner, in milliseconds by the database's clock
 */
export async function claim(
  records: Collection<KeyRecord>,
  fresh: KeyRecord,
  leaseMs?: number,
): Promise<KeyRecord> {
  const { _id, createdAt } = fresh
  const isOver = { $lte: ['$createdAt', new Date(createdAt.getTime() - lifeMs)] }
  const isFree = { $or: [{ $eq: [{ $type: '$createdAt' }, 'missing'] }, isOver] }
  const until = leaseMs === undefined ? {} : { until: { $add: ['$$NOW', leaseMs] } }
  const made = { $mergeObjects: [{ $literal: fresh }, until] }
  const take = () =>
    records.findOneAndUpdate({ _id }, [{ $replaceWith: { $cond: [isFree, made, '$$ROOT'] } }], {
      upsert: true,
      returnDocument: 'after',
    })
  return (await retryCommand(() => asFirstWriter(take))) ?? fresh
}
