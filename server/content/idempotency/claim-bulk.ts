import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db, Filter } from 'mongodb'
import { fail } from '../../../engine/errors.js'
import { steadyNow } from '../../../engine/steady-now.js'
import { createId } from '../../../engine/values/create-id.js'
import type { BulkClaim, ClaimedBulk, IdempotencyKey, Outcome } from '../documents.js'
import type { KeyRecord } from './key-records.js'
import { claim, keyRecords, recordId } from './key-records.js'

type Options = Readonly<{
  /**
   * How long a request may be under way in another process, in milliseconds by the database's clock; after that it was
   * cut off. One of this process is known to be under way however long it takes.
   */
  leaseMs: number
  /** Whether no other process has this database: what is not under way here was cut off. */
  alone: boolean
}>

/** How long one waits for the request before it, which has a place in the line of writes as well, in milliseconds. */
const patienceMs = 2_000
const pollMs = 25

/** Requests of this process that have a key. */
const running = new Set<string>()

/**
 * Binds a key to a request of many writes, and chooses the documents that its creates make: whoever repeats the request
 * creates the same ones, and does nothing again that is known to be done (docs/decisions.md, "Many writes in one
 * request"). One request has a key at a time; the next waits for it, or takes it over when it was cut off.
 * @throws ApiError 422 where the key was used with another request, 409 where that is under way for long
 */
export async function claimBulk(
  db: Db,
  key: IdempotencyKey,
  { asked, operations, creates }: BulkClaim,
  { leaseMs, alone }: Options,
): Promise<ClaimedBulk> {
  const records = keyRecords(db)
  const _id = recordId(key)
  const owner = createId()
  const bodyHash = hash('sha256', JSON.stringify(asked), 'base64url')
  const deadline = steadyNow() + patienceMs
  const documentIds = Array.from({ length: creates }, createId)
  /** Which record may be taken over, by the database's clock; undefined where its owner is at it here. */
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
      if (steadyNow() >= deadline)
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
        // Nothing where another request has taken it over, because this one took too long.
        await records.updateOne({ _id, owner }, { $set: { done: true, outcomes: listed } })
      } finally {
        running.delete(owner)
      }
    },
  }
}
