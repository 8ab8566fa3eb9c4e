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
  /** Identifies the content of the request. All requests with the same key must have the same fingerprint. */
  fingerprint: unknown
  create: (documentId: string) => Promise<unknown>
  /** Creates the missing parts of the document after an earlier request with the key was interrupted. */
  resume: (documentId: string) => Promise<unknown>
}>

/**
 * Time in milliseconds after which the first request was most likely interrupted. If the request is still running,
 * resuming the creation does no harm.
 */
const waitTimeoutMs = 2_000
const pollMs = 25

/**
 * Creates a document at most once per key and caller, even if the request is repeated (docs/internals/decisions.md,
 * "Creates that may be repeated").
 */
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
      // Another request has resumed the creation, so read that request's result.
      continue
    }
    if (record.bodyHash !== bodyHash) throw fail('idempotency-mismatch')
    if (record.done) return { documentId, replayed: true }
    if (monotonicNow() < deadline) await sleep(pollMs)
    else {
      // If the record no longer exists, the first request has just been rejected. The key is free then, so try again.
      if (!(await markResumed(records, record))) continue
      await request.resume(documentId)
      await markDone(records, record)
      return { documentId, replayed: true }
    }
  }
}

/**
 * Creates the document of a new key. If the request is rejected, nothing was created, so the key is removed and can be
 * used for a corrected request. But if another request has resumed the creation, the key stays, because the other
 * request may have created the document.
 * @returns whether this request created the document; false if another request has resumed the creation
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
    // If the key cannot be removed, a repeated request resumes the creation. For a day, a request with another body
    // gets 422.
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

/**
 * Marks a record as resumed, so that the first request does not remove it.
 * @returns whether the record still exists
 */
async function markResumed(
  records: Collection<KeyRecord>,
  { _id, documentId }: KeyRecord,
): Promise<boolean> {
  const resumed = { $set: { resumed: true } } as const
  const { matchedCount } = await retryCommand(() => records.updateOne({ _id, documentId }, resumed))
  return matchedCount > 0
}

/**
 * Marks a record as done. Waits for only one member of the replica set, and ignores a failure, because the document
 * exists. If the mark is lost, a repeated request resumes a document that is already complete.
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
