import { hash } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { asFirstWriter } from '../../../engine/database/as-first-writer.js'
import { retryCommand } from '../../../engine/database/retry-command.js'
import type { IdempotencyKey, Outcome } from '../documents.js'

/** Record of an `Idempotency-Key` in `_idempotency`, shared by all processes. */
export type KeyRecord = {
  /** Hash of the caller and the key. */
  _id: string
  /** Hash of the `fingerprint` that all requests with this key must have. */
  bodyHash: string
  /** Id of the document, chosen before it is written. For a bulk request, `owner` of the first request with the key. */
  documentId: string
  /** Ids of the documents that a bulk request creates. */
  documentIds?: string[]
  /** Id of the bulk request that holds the key. After `until`, by the database's clock, it counts as interrupted. */
  owner?: string
  until?: Date
  /** Outcomes of a bulk request's operations; `at` is the index of the operation. */
  outcomes?: (Outcome & Readonly<{ at: number }>)[]
  createdAt: Date
  /** Whether the document is complete; in a bulk request, whether no operation is in flight. */
  done: boolean
  /**
   * Whether another request has resumed the creation. If so, the document may exist even if the first request failed.
   */
  resumed?: true
}

const lifeMs = 24 * 60 * 60_000

export const keyRecords = (db: Db): Collection<KeyRecord> =>
  db.collection<KeyRecord>('_idempotency')

export const recordId = ({ caller, key }: IdempotencyKey): string =>
  hash('sha256', JSON.stringify([caller, key]), 'base64url')

/** Deletes keys older than a day. A TTL index would not do this in the embedded engine. */
export async function forgetKeys(db: Db): Promise<void> {
  await keyRecords(db).deleteMany({ createdAt: { $lte: new Date(Date.now() - lifeMs) } })
}

export async function prepareKeys(db: Db): Promise<void> {
  await keyRecords(db).createIndex({ createdAt: 1 })
}

/**
 * Returns the record of a key. If there is none, or it is older than a day, writes `fresh` and returns it.
 *
 * @param leaseMs how long `fresh` belongs to its owner, by the database's clock
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
