import type { ListedCheck } from './plan-repair.js'
import type { Repairing } from './repairing.js'
import type { AnyBulkWriteOperation, Db, Document } from 'mongodb'
import {
  type ReferencePlaces,
  isSameReferences,
  referencesField,
  referencesOf,
} from '../values/references.js'
import { writeConcern } from '../database/durability.js'

type Listed = Readonly<{ collection: string; places: ReferencePlaces }>

type Version = Document & Readonly<{ _id: number; documentId: string; _revision?: number }>

type Relisted = Readonly<{
  count: number
  last: number | undefined
  /** documentIds of the versions whose stored list is wrong. */
  wrong: readonly string[]
}>

/** Writes that change a version after it was read cause retries. */
const maxAttempts = 100

/**
 * Corrects the stored lists of references of one batch of versions, ordered by record id (docs/internals/storage.md,
 * "References"). Updates only versions that have not changed since they were read, and keeps their revision.
 * @param after record id after which the batch begins
 * @param repairs false = only report
 */
async function relist(
  db: Db,
  { collection, places }: Listed,
  {
    after,
    limit,
    repairs,
  }: Readonly<{ after: number | undefined; limit: number; repairs: boolean }>,
): Promise<Relisted> {
  const versions = db.collection<Version>(collection)
  const read = await versions
    .find(after === undefined ? {} : { _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray()
  const isWrong = (version: Version): boolean =>
    !isSameReferences(version[referencesField], referencesOf(version, places))
  const found = read.filter(isWrong)
  let wrong = repairs ? found : []
  for (let attempt = 1; wrong.length > 0; attempt += 1) {
    if (attempt > maxAttempts) throw new Error(`Versions in ${collection} change all the time`)
    const { matchedCount } = await versions.bulkWrite(
      wrong.map((version) => listing(version, places)),
      { ordered: false, ...(await writeConcern(db, false)) },
    )
    if (matchedCount === wrong.length) break
    const ids = wrong.map(({ _id }) => _id)
    wrong = (await versions.find({ _id: { $in: ids } }).toArray()).filter(isWrong)
  }
  return {
    count: read.length,
    last: read.at(-1)?._id,
    wrong: found.map(({ documentId }) => documentId),
  }
}

function listing(version: Version, places: ReferencePlaces): AnyBulkWriteOperation<Version> {
  const { _id, _revision } = version
  const references = referencesOf(version, places)
  const update: Document =
    references.length === 0
      ? { $unset: { [referencesField]: '' } }
      : { $set: { [referencesField]: references } }
  return { updateOne: { filter: { _id, _revision: (_revision ?? null) as number }, update } }
}

const batchSize = 500

/**
 * Corrects the stored lists of references in a collection (docs/internals/storage.md, "References"). Only programs
 * other than Quire can leave them wrong.
 */
export async function repairListed(
  { db, repairs, found, pause }: Repairing,
  check: ListedCheck,
): Promise<void> {
  let after: number | undefined
  do {
    const { count, last, wrong } = await relist(db, check, { after, limit: batchSize, repairs })
    for (const documentId of wrong)
      found({
        kind: 'references-differ',
        collection: check.collection,
        documentId,
        repaired: repairs,
      })
    after = count < batchSize ? undefined : last
    await pause()
  } while (after !== undefined)
}
