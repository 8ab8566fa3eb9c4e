import type { Document } from 'mongodb'
import type { OwnerWrite } from '../plan/write-plan.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { withoutTarget } from '../load/expressions.js'
import { changing, isFree, releaseTarget, takeFromLists, updateOwner } from './execute-release.js'

const maxAttempts = 5

/**
 * Adds one reference to an owner, or removes it (docs/internals/storage.md, "Rule 8: owners are written one by one").
 * Does nothing if the owner was deleted, or if another owner connected the target later.
 * @returns the new revision of the owner if it was changed
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
  const update = changing(field, valueOf(write), now)
  const place = { collection, field, locale, except: documentId }
  // Check this first: if a unique index rejected this step, the transaction would be aborted.
  if (unit.isTransaction && exclusive && !many && order !== null) {
    if (!ifFree) await releaseTarget(unit, place, { documentId: target, order }, now)
    if (!(await isFree(unit, place, target))) return undefined
  }
  for (let attempt = 1; ; attempt += 1)
    try {
      const revision = await updateOwner(unit, collection, filter, update, isLast)
      if (revision === undefined || !exclusive || !many || order === null) return revision
      const targets = [{ documentId: target, order }]
      const release = { collection, field, many, listed, targets, locale, except: documentId }
      return (await takeFromLists(unit, release, now)) ?? revision
    } catch (error) {
      if (unit.isTransaction || refusedIndex(error) === undefined || order === null) throw error
      // Another owner has the target of this oneToOne relation. The owner that connected it later gets it.
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
  // A reference to the same target is replaced, and the new one keeps its position.
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
