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
  /**
   * Milliseconds, by the database's clock, after which a request of another process counts as cut off. A request of
   * this process counts as in flight however long it takes.
   */
  leaseMs: number
  /** Whether no other process uses this database. Then a request that is not in flight here was cut off. */
  alone: boolean
}>

/**
 * Wait timeout for the previous request, in milliseconds. The waiting request occupies a slot of the writes meanwhile.
 */
const waitTimeoutMs = 2_000
const pollMs = 25

/** Owners of the in-flight requests of this process that have a key. */
const running = new Set<string>()

/**
 * Binds a key to a request of many writes, and chooses the ids of the documents that it creates. A repeated request
 * creates the same documents, and redoes nothing that is known to be done (docs/decisions.md, "Many writes in one
 * request"). One request holds a key at a time. The next one waits for it, or takes the key over if that request was
 * cut off.
 * @throws ApiError 422 if the key was used with another request, 409 if that request stays in flight for long
 */
export async function claimBulk(
  db: Db,
  key: IdempotencyKey,
  { fingerprint, operations, creates }: BulkClaim,
  { leaseMs, alone }: Options,
): Promise<ClaimedBulk> {
  const records = keyRecords(db)
  const _id = recordId(key)
  const owner = createId()
  const bodyHash = hash('sha256', JSON.stringify(fingerprint), 'base64url')
  const deadline = monotonicNow() + waitTimeoutMs
  const documentIds = Array.from({ length: creates }, createId)
  /** Filter for taking over a record, by the database's clock. Returns undefined if its owner is in flight here. */
  const freeIf = ({ done, owner = '' }: KeyRecord): Filter<KeyRecord> | undefined => {
    if (done) return { _id, owner, done }
    if (running.has(owner)) return undefined
    return { _id, owner, done, $expr: alone ? undefined : { $lte: ['$until', '$$NOW'] } }
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
        // Updates nothing if another request has taken the key over because this one took too long.
        await records.updateOne({ _id, owner }, { $set: { done: true, outcomes: listed } })
      } finally {
        running.delete(owner)
      }
    },
  }
}
