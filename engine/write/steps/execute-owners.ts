import type { Db, Document, WriteConcernOptions } from 'mongodb'
import type { OwnerWrite } from './write-plan.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import { listRelation } from '../../database/list-references.js'
import { nextRevision, stampNow, withoutTarget } from './expressions.js'
import { releaseTarget, takeFromLists } from './execute-release.js'

const maxAttempts = 5

/**
 * Puts one reference into an entry, or takes it out (docs/storage.md, "Rule 8: owners are written one by
 * one"). An entry that was deleted meanwhile is passed over, and one whose target somebody else connected
 * later.
 * @returns the entry's revision afterwards; undefined where it was passed over
 */
export async function executeOwner(
  db: Db,
  write: OwnerWrite,
  now: number,
  concern: WriteConcernOptions,
): Promise<number | undefined> {
  const { collection, documentId, locale, field, many, target, order, exclusive, ifFree } = write
  const { listed } = write
  const filter = {
    documentId,
    locale,
    ...(order === null ? { [`${field}.documentId`]: target } : {}),
    ...(ifFree && !many && order !== null ? { [field]: null } : {}),
  }
  const update = [
    {
      $set: {
        [field]: valueOf(write),
        ...stampNow(field, now),
        _revision: nextRevision(now),
      },
    },
    listRelation(field),
  ]
  for (let attempt = 1; ; attempt += 1)
    try {
      const entry = await db.collection(collection).findOneAndUpdate(filter, update, {
        returnDocument: 'after',
        projection: { _revision: 1 },
        ...concern,
      })
      if (entry === null) return undefined
      const revision = Number(entry['_revision'])
      if (!exclusive || order === null) return revision
      const targets = [{ documentId: target, order }]
      const release = { collection, field, many, listed, targets, locale, except: documentId }
      return (await takeFromLists(db, release, now)) ?? revision
    } catch (error) {
      if (refusedIndex(error) === undefined || order === null) throw error
      // Somebody else connected the same target of a oneToOne: the later one has it.
      if (ifFree || attempt === maxAttempts) return undefined
      const place = { collection, field, locale, except: documentId }
      await releaseTarget(db, place, { documentId: target, order }, now)
    }
}

function valueOf({ field, many, target, type, order }: OwnerWrite): Document {
  const named = type === undefined ? {} : { __type: type }
  if (!many) return { $literal: order === null ? null : { ...named, documentId: target, order } }
  const list = { $ifNull: [`$${field}`, []] }
  if (order === null) return withoutTarget(field, target)
  const reference = { $literal: { ...named, documentId: target, order } }
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
