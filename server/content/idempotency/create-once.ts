import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db } from 'mongodb'
import { createId } from '../../../engine/values/create-id.js'
import { sendAgain } from '../../../engine/database/send-again.js'
import { ApiError, fail } from '../../../engine/errors.js'
import type { CreatedOnce, IdempotencyKey } from '../documents.js'
import { steadyNow } from '../../../engine/steady-now.js'
import type { KeyRecord } from './key-records.js'
import { claim, keyRecords, recordId } from './key-records.js'

export type OnceRequest = Readonly<{
  key: IdempotencyKey
  /** What two requests with one key must have in common. */
  asked: unknown
  /** Creates the document. */
  create: (documentId: string) => Promise<unknown>
  /** Creates what is missing of it, after another request was cut off. */
  resume: (documentId: string) => Promise<unknown>
}>

/** A create that takes longer was most likely cut off; going on with it does no harm where it was not. */
const patienceMs = 2_000
const pollMs = 25

/**
 * Creates a document once for a key and caller, whatever repeats the request (docs/decisions.md, "Creates
 * that may be repeated").
 */
export async function createOnce(db: Db, request: OnceRequest): Promise<CreatedOnce> {
  const records = keyRecords(db)
  const _id = recordId(request.key)
  const bodyHash = hash('sha256', JSON.stringify(request.asked), 'base64url')
  const deadline = steadyNow() + patienceMs
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
      // Another request goes on with it: what it makes of it is the answer.
      continue
    }
    if (record.bodyHash !== bodyHash) throw fail('idempotency-mismatch')
    if (record.done) return { documentId, replayed: true }
    if (steadyNow() < deadline) await sleep(pollMs)
    else {
      // Where the first was refused just now its key is free, and is looked at again.
      if (!(await markResumed(records, record))) continue
      await request.resume(documentId)
      await markDone(records, record)
      return { documentId, replayed: true }
    }
  }
}

/**
 * A refused request has created nothing. Its key is removed for a better one, unless another request went on with it
 * meanwhile and may have created the document.
 * @returns whether it created the document; false where another request goes on with it
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
    // If the key cannot be removed, the same request goes on with it; another body is a 422 for a day.
    const isResumed = await sendAgain(() => records.deleteOne(unused)).then(
      ({ deletedCount }) => deletedCount === 0,
      () => false,
    )
    if (isResumed) return false
    throw error
  }
  await markDone(records, record)
  return true
}

/** @returns whether the record is still there, which the first request lets be from now on */
async function markResumed(
  records: Collection<KeyRecord>,
  { _id, documentId }: KeyRecord,
): Promise<boolean> {
  const resumed = { $set: { resumed: true } } as const
  const { matchedCount } = await sendAgain(() => records.updateOne({ _id, documentId }, resumed))
  return matchedCount > 0
}

/**
 * Not waited for by the majority, and no matter where it fails: the document is there, and where the mark is lost, whoever
 * repeats the request goes on with a document to which nothing is missing.
 */
async function markDone(
  records: Collection<KeyRecord>,
  { _id, documentId }: KeyRecord,
): Promise<void> {
  const done = { $set: { done: true } } as const
  const options = { writeConcern: { w: 1 } }
  await sendAgain(() => records.updateOne({ _id, documentId }, done, options)).catch(
    () => undefined,
  )
}
