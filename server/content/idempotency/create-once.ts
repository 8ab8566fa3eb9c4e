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
  /** Must be equal in two requests with one key. */
  fingerprint: unknown
  /** Creates the document. */
  create: (documentId: string) => Promise<unknown>
  /** Creates what is missing of the document, after another request was cut off. */
  resume: (documentId: string) => Promise<unknown>
}>

/** Milliseconds after which the first request was most likely cut off. If it was not, resuming does no harm. */
const waitTimeoutMs = 2_000
const pollMs = 25

/**
 * Creates a document once per key and caller, however often the request is repeated (docs/decisions.md, "Creates that
 * may be repeated").
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
      // Another request has resumed it. Its result is the response.
      continue
    }
    if (record.bodyHash !== bodyHash) throw fail('idempotency-mismatch')
    if (record.done) return { documentId, replayed: true }
    if (monotonicNow() < deadline) await sleep(pollMs)
    else {
      // If the first request was just rejected, its key is free, so read it again.
      if (!(await markResumed(records, record))) continue
      await request.resume(documentId)
      await markDone(records, record)
      return { documentId, replayed: true }
    }
  }
}

/**
 * Creates the document of a new key. A rejected request has created nothing, so its key is removed and may be used for
 * a corrected request. The key stays if another request has resumed it meanwhile and may have created the document.
 * @returns whether it created the document; false if another request resumes it
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
    // If the key cannot be removed, the same request resumes it. Another body gets 422 for a day.
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

/** Marks a record as resumed. The first request no longer removes it then. @returns whether the record still exists */
async function markResumed(
  records: Collection<KeyRecord>,
  { _id, documentId }: KeyRecord,
): Promise<boolean> {
  const resumed = { $set: { resumed: true } } as const
  const { matchedCount } = await retryCommand(() => records.updateOne({ _id, documentId }, resumed))
  return matchedCount > 0
}

/**
 * Marks a record as done. It is acknowledged by one member only, and a failure is ignored: the document exists. If the
 * mark is lost, a repeated request resumes a document that is complete already.
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
