import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db } from 'mongodb'
import { createId } from '../../../engine/values/create-id.js'
import { retryCommand } from '../../../engine/database/retry-command.js'
import { ApiError, fail } from '../../../engine/errors.js'
import type { CreatedOnce, IdempotencyKey } from '../documents.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import type { KeyRecord } from './key-records.js'
import { claim, keyRecords, recordId } from './key-records.js'

export type OnceRequest = Readonly<{
  key: IdempotencyKey
  /** All requests with the same key must have the same fingerprint. */
  fingerprint: unknown
  create: (documentId: string) => Promise<unknown>
  /** Creates what a document still lacks because its creation was interrupted. */
  resume: (documentId: string) => Promise<unknown>
}>

/**
 * How long to wait for the first request with the key, in milliseconds. After that, it was most likely interrupted. If
 * not, resuming the creation does no harm.
 */
const waitTimeoutMs = 2_000
const pollMs = 25

/** Creates a document at most once per key and caller (docs/internals/decisions.md, "Creates that may be repeated"). */
export async function createOnce(db: Db, request: OnceRequest): Promise<CreatedOnce> {
  const records = keyRecords(db)
  const _id = recordId(request.key)
  const bodyHash = hash('sha256', JSON.stringify(request.fingerprint), 'base64url')
  const deadline = monotonicNow() + waitTimeoutMs
  for (;;) {
    const fresh: KeyRecord = {
      _id,
      bodyHash,
      documentId: createId(),
      createdAt: new Date(),
      done: false,
    }
    const record = await claim(records, fresh)
    const { documentId } = record
    if (documentId === fresh.documentId) {
      if (await createFirst(records, record, request)) return { documentId, replayed: false }
      // Another request has resumed the creation. The next iteration reads its result.
      continue
    }
    if (record.bodyHash !== bodyHash) throw fail('idempotency-mismatch')
    if (record.done) return { documentId, replayed: true }
    if (monotonicNow() < deadline) await sleep(pollMs)
    else {
      // The record no longer exists, because the first request was rejected. Start again with the free key.
      if (!(await markResumed(records, record))) continue
      await request.resume(documentId)
      await markDone(records, record)
      return { documentId, replayed: true }
    }
  }
}

/**
 * Creates the document of a new key. If the request is rejected, removes the key so that it can be used again. Returns
 * false if another request has resumed the creation, in which case the key stays.
 */
async function createFirst(
  records: Collection<KeyRecord>,
  record: KeyRecord,
  { create }: OnceRequest,
): Promise<boolean> {
  const { _id, documentId } = record
  try {
    await create(documentId)
  } catch (error) {
    if (!(error instanceof ApiError) || error.details?.['outcome'] === 'unknown') throw error
    const unused = { _id, documentId, done: false, resumed: { $exists: false } }
    // If this fails, the key stays. A repeated request then resumes the creation, and for a day, a request with another
    // body gets 422.
    const isResumed = await retryCommand(() => records.deleteOne(unused)).then(
      ({ deletedCount }) => deletedCount === 0,
      () => false,
    )
    if (isResumed) return false
    throw error
  }
  await markDone(records, record)
  return true
}

/** Marks a record, so that the first request does not remove it. Returns whether the record still exists. */
async function markResumed(
  records: Collection<KeyRecord>,
  { _id, documentId }: KeyRecord,
): Promise<boolean> {
  const resumed = { $set: { resumed: true } } as const
  const { matchedCount } = await retryCommand(() => records.updateOne({ _id, documentId }, resumed))
  return matchedCount > 0
}

/**
 * Marks the creation as done. Waits for only one replica set member and ignores failures: if the mark is lost, a
 * repeated request calls `resume` for a document that is already complete.
 */
async function markDone(
  records: Collection<KeyRecord>,
  { _id, documentId }: KeyRecord,
): Promise<void> {
  const done = { $set: { done: true } } as const
  const options = { writeConcern: { w: 1 } }
  await retryCommand(() => records.updateOne({ _id, documentId }, done, options)).catch(
    () => undefined,
  )
}
