import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db, Filter } from 'mongodb'
import { fail } from '../../../engine/errors.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { createId } from '../../../engine/values/create-id.js'
import type { BulkClaim, ClaimedBulk, IdempotencyKey, Outcome } from '../documents.js'
import type { KeyRecord } from './key-records.js'
import { claim, keyRecords, recordId } from './key-records.js'

type Options = Readonly<{
  /** Milliseconds, by the database's clock, after which a request of another process counts as interrupted. */
  leaseMs: number
  /**
   * Whether no other process uses this database. If so, any key held by a request that is not in flight here was left
   * by an interrupted one.
   */
  singleProcess: boolean
}>

/**
 * How long a request waits for the holder of its key, in milliseconds. Short, because the waiting request occupies a
 * slot in the queue of writes.
 */
const waitTimeoutMs = 2_000
const pollMs = 25

/** Ids (`owner`) of the bulk requests in flight in this process. */
const running = new Set<string>()

/**
 * Binds a key to a bulk request and chooses the ids of its new documents. A repeated request gets the same ids and
 * skips operations known to be done (docs/internals/decisions.md, "Many writes in one request"). Only one request at a
 * time holds a key. Other requests wait for the holder, or take the key over if the holder was interrupted. Throws
 * ApiError 422 if the key was used for a different request, and 409 if the holder is still in flight after
 * `waitTimeoutMs`.
 */
export async function claimBulk(
  db: Db,
  key: IdempotencyKey,
  { fingerprint, operations, creates }: BulkClaim,
  { leaseMs, singleProcess }: Options,
): Promise<ClaimedBulk> {
  const records = keyRecords(db)
  const _id = recordId(key)
  const owner = createId()
  const bodyHash = hash('sha256', JSON.stringify(fingerprint), 'base64url')
  const deadline = monotonicNow() + waitTimeoutMs
  const documentIds = Array.from({ length: creates }, createId)
  /**
   * Returns a filter that matches a key's record only while the key can be taken over; undefined while its holder is in
   * flight in this process.
   */
  const freeIf = ({ done, owner = '' }: KeyRecord): Filter<KeyRecord> | undefined => {
    if (done) return { _id, owner, done }
    if (running.has(owner)) return undefined
    return { _id, owner, done, $expr: singleProcess ? undefined : { $lte: ['$until', '$$NOW'] } }
  }
  const hold = [{ $set: { done: false, owner, until: { $add: ['$$NOW', leaseMs] } } }]
  running.add(owner)
  try {
    for (;;) {
      const ids = { documentId: owner, documentIds, owner }
      const fresh = { _id, bodyHash, ...ids, createdAt: new Date(), done: false }
      const record = await claim(records, fresh, leaseMs)
      if (record.bodyHash !== bodyHash) throw fail('idempotency-mismatch')
      if (record.owner === owner) return claimed(records, record, false)
      if (record.done && record.outcomes?.length === operations) {
        running.delete(owner)
        return { ...claimed(records, record, true), release: () => Promise.resolve() }
      }
      const free = freeIf(record)
      const after = { returnDocument: 'after' } as const
      const taken = free && (await records.findOneAndUpdate(free, hold, after))
      if (taken) return claimed(records, taken, true)
      if (monotonicNow() >= deadline)
        throw fail('idempotency-underway', {}, {}, { 'Retry-After': '1' })
      await sleep(pollMs)
    }
  } catch (error) {
    running.delete(owner)
    throw error
  }
}

function claimed(
  records: Collection<KeyRecord>,
  { _id, owner = '', documentIds = [], outcomes = [] }: KeyRecord,
  replayed: boolean,
): ClaimedBulk {
  return {
    documentIds,
    replayed,
    known: new Map(outcomes.map(({ at, ...outcome }) => [at, outcome])),
    release: async (known: ReadonlyMap<number, Outcome>) => {
      const listed = [...known].map(([at, outcome]) => ({ at, ...outcome }))
      try {
        // Changes nothing if another request has taken over the key because this one took too long.
        await records.updateOne({ _id, owner }, { $set: { done: true, outcomes: listed } })
      } finally {
        running.delete(owner)
      }
    },
  }
}
