import type { Document } from 'mongodb'
import type { OwnerWrite } from '../plan/write-plan.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { listRelation } from '../../database/list-references.js'
import { nextRevision, stampNow, withoutTarget } from '../load/expressions.js'
import { isFree, releaseTarget, takeFromLists } from './execute-release.js'

const maxAttempts = 5

/**
 * Adds one reference to an entry, or removes it (docs/storage.md, "Rule 8: owners are written one by one"). Skips an
 * entry that was deleted since, or whose target another owner connected later.
 * @returns the entry's revision afterwards; undefined if it was skipped
 */
export async function executeOwner(
  unit: UnitOfWork,
  write: OwnerWrite,
  now: number,
  isLast: boolean,
): Promise<number | undefined> {
  const { collection, documentId, locale, field, many, target, order, exclusive, ifFree } = write
  const { listed, ifThere } = write
  const filter = {
    documentId,
    locale,
    ...(order === null || ifThere ? { [`${field}.documentId`]: target } : {}),
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
  const place = { collection, field, locale, except: documentId }
  // A refusing index would end a transaction, so the target is taken from its present owner first.
  if (unit.isTransaction && exclusive && !many && order !== null) {
    if (!ifFree) await releaseTarget(unit, place, { documentId: target, order }, now)
    if (!(await isFree(unit, place, target))) return undefined
  }
  for (let attempt = 1; ; attempt += 1)
    try {
      const entry = await unit.write(isLast, (options) =>
        unit.db.collection(collection).findOneAndUpdate(filter, update, {
          returnDocument: 'after',
          projection: { _revision: 1 },
          ...options,
        }),
      )
      if (entry === null) return undefined
      const revision = Number(entry['_revision'])
      if (!exclusive || !many || order === null) return revision
      const targets = [{ documentId: target, order }]
      const release = { collection, field, many, listed, targets, locale, except: documentId }
      return (await takeFromLists(unit, release, now)) ?? revision
    } catch (error) {
      if (unit.isTransaction || refusedIndex(error) === undefined || order === null) throw error
      // Another owner has connected the same target of a oneToOne. The owner that connected it later keeps it.
      if (ifFree || attempt === maxAttempts) return undefined
      await releaseTarget(unit, place, { documentId: target, order }, now)
    }
}

function valueOf({ field, many, target, type, order }: OwnerWrite): Document {
  const named = type === undefined ? {} : { __type: type }
  if (!many) return { $literal: order === null ? null : { ...named, documentId: target, order } }
  const list = { $ifNull: [`$${field}`, []] }
  if (order === null) return withoutTarget(field, target)
  const reference = { $literal: { ...named, documentId: target, order } }
  // An existing reference keeps its position in the owner's list.
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
