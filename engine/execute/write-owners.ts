import type { Db, Document, WriteConcernOptions } from 'mongodb'
import type { OwnerWrite, Release } from '../plan/write-plan.js'
import { writeConcern } from './write-concern.js'
import { refusedIndex } from './write-duplicate.js'
import { nextRevision, stampNow, withoutTargets } from './write-expressions.js'

const maxAttempts = 5

/**
 * Takes targets from every other owner; each of them is changed atomically, and it may be repeated.
 * What was connected to a list later than `now` stays: of two owners that take one target from each
 * other at once, the later one has it.
 */
export async function executeRelease(
  db: Db,
  { collection, field, many, targets, locale, except }: Release,
  now: number,
  concern: WriteConcernOptions,
): Promise<void> {
  const isTarget = { documentId: { $in: targets } }
  const holder = many
    ? { [field]: { $elemMatch: { ...isTarget, order: { $not: { $gt: now } } } } }
    : { [`${field}.documentId`]: isTarget.documentId }
  await db.collection(collection).updateMany(
    { ...holder, locale, documentId: { $ne: except } },
    [
      {
        $set: {
          [field]: many ? withoutTargets(field, targets, now) : { $literal: null },
          ...stampNow(field, now),
          _revision: nextRevision(now),
        },
      },
    ],
    concern,
  )
}

/**
 * Puts one reference into an entry, or takes it out (`storage.md`, rule 8). An entry that was deleted
 * meanwhile is passed over.
 * @returns the entry's revision afterwards; undefined where it was passed over
 */
export async function executeOwner(
  db: Db,
  write: OwnerWrite,
  now: number,
  concern: WriteConcernOptions,
): Promise<number | undefined> {
  const { collection, documentId, locale, field, target, order } = write
  const filter = {
    documentId,
    locale,
    ...(order === null ? { [`${field}.documentId`]: target } : {}),
  }
  const update = [
    {
      $set: {
        [field]: valueOf(write),
        ...stampNow(field, now),
        _revision: nextRevision(now),
      },
    },
  ]
  for (let attempt = 1; ; attempt += 1)
    try {
      const entry = await db.collection(collection).findOneAndUpdate(filter, update, {
        returnDocument: 'after',
        projection: { _revision: 1 },
        ...concern,
      })
      return entry === null ? undefined : Number(entry['_revision'])
    } catch (error) {
      // Somebody else connected the same target of a oneToOne meanwhile: the later one has it.
      if (refusedIndex(error) === undefined || attempt === maxAttempts) throw error
      const targets = [target]
      await executeRelease(
        db,
        { collection, field, many: write.many, targets, locale, except: documentId },
        now,
        await writeConcern(db, false),
      )
    }
}

function valueOf({ field, many, target, order }: OwnerWrite): Document {
  if (!many) return { $literal: order === null ? null : { documentId: target, order } }
  const list = { $ifNull: [`$${field}`, []] }
  if (order === null) return withoutTargets(field, [target])
  const reference = { $literal: { documentId: target, order } }
  // One that is there keeps its place in the owner's own order.
  const replaced = {
    $map: {
      input: list,
      in: { $cond: [{ $eq: ['$$this.documentId', { $literal: target }] }, reference, '$$this'] },
    },
  }
  return {
    $cond: [
      { $in: [{ $literal: target }, { $ifNull: [`$${field}.documentId`, []] }] },
      replaced,
      { $concatArrays: [list, [reference]] },
    ],
  }
}
