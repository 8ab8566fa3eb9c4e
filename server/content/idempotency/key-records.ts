import { hash } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { asFirstWriter } from '../../../engine/database/as-first-writer.js'
import { retryCommand } from '../../../engine/database/retry-command.js'
import type { IdempotencyKey, Outcome } from '../documents.js'

/** Record of an `Idempotency-Key` in `_idempotency`, shared by all processes. */
export type KeyRecord = {
  /** Hash of the caller and the key. */
  _id: string
  /** Hash of type, status, locale and data. */
  bodyHash: string
  /** Chosen before the document is written. In a bulk request: id of the key's first request (`owner`). */
  documentId: string
  /** Documents that a bulk request creates. */
  documentIds?: string[]
  /** Bulk request that holds the key. It may be in flight until `until`, by the database's clock. */
  owner?: string
  until?: Date
  /** Of a bulk request; `at` is the operation's index. */
  outcomes?: (Outcome & Readonly<{ at: number }>)[]
  createdAt: Date
  /** Whether the document is complete; in a bulk request, whether no operation is in flight. */
  done: boolean
  /** Another request has resumed the creation, so the document may exist even if the first one failed. */
  resumed?: true
}

const lifeMs = 24 * 60 * 60_000

export const keyRecords = (db: Db): Collection<KeyRecord> =>
  db.collection<KeyRecord>('_idempotency')

export const recordId = ({ caller, key }: IdempotencyKey): string =>
  hash('sha256', JSON.stringify([caller, key]), 'base64url')

/** Deletes keys older than a day. The embedded engine does not delete expired documents. */
export async function forgetKeys(db: Db): Promise<void> {
  await keyRecords(db).deleteMany({ createdAt: { $lte: new Date(Date.now() - lifeMs) } })
}

export async function prepareKeys(db: Db): Promise<void> {
  await keyRecords(db).createIndex({ createdAt: 1 })
}

/**
 * Returns the record of a key. If it is missing or older than a day, writes and returns `fresh`.
 *
 * @param leaseMs how long a fresh record belongs to its owner, by the database's clock
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
