import { hash } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { asFirstWriter } from '../../../engine/database/as-first-writer.js'
import { sendAgain } from '../../../engine/database/send-again.js'
import type { IdempotencyKey, Outcome } from '../documents.js'

/** What a key stands for (`_idempotency`); all processes of a database share them. */
export type KeyRecord = {
  /** Hash of the caller and the key. */
  _id: string
  /** Hash of the request: type, status, locale and data. */
  bodyHash: string
  /** Of the document that the key creates; chosen before it is written. Of many, an id of the first request. */
  documentId: string
  /** Of the documents that a request of many creates. */
  documentIds?: string[]
  /** Which request of many it is that has it, and until when that may be under way, by the database's clock. */
  owner?: string
  until?: Date
  /** What became of its operations, by their places. */
  outcomes?: (Outcome & Readonly<{ at: number }>)[]
  createdAt: Date
  /** Whether the document was written as a whole; of many, whether nothing of them is under way. */
  done: boolean
  /** Whether another request has gone on with it: whatever the first is told, the document may be there. */
  resumed?: true
}

const lifeMs = 24 * 60 * 60_000

export const keyRecords = (db: Db): Collection<KeyRecord> =>
  db.collection<KeyRecord>('_idempotency')

export const recordId = ({ caller, key }: IdempotencyKey): string =>
  hash('sha256', JSON.stringify([caller, key]), 'base64url')

/** Forgets keys that are older than a day; the embedded engine does not by itself. */
export async function forgetKeys(db: Db): Promise<void> {
  await keyRecords(db).deleteMany({ createdAt: { $lte: new Date(Date.now() - lifeMs) } })
}

export async function prepareKeys(db: Db): Promise<void> {
  await keyRecords(db).createIndex({ createdAt: 1 })
}

/**
 * The record of a key: the one that is there, or a fresh one in the place of none or of one that is a day old.
 * @param leaseMs how long a fresh one is its owner's, from now on by the database's clock
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
  return (await sendAgain(() => asFirstWriter(take))) ?? fresh
}
