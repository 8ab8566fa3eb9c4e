import type { Document } from 'mongodb'
import { findAtOnce } from '../load/find-at-once.js'
import type { TargetRemoval } from '../plan/write-plan.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { listRelation } from '../../database/list-references.js'
import { listing, nextRevision, stampNow } from '../load/expressions.js'
import type { Reference } from '../../values/stored-types.js'

/** A relation, and the owner that keeps the targets (`except`). */
type Keeper = Omit<TargetRemoval, 'many' | 'targets'>

/** Removes the target of an exclusive to-one relation from an owner that connected it earlier. Can be repeated. */
export async function releaseTarget(
  unit: UnitOfWork,
  { collection, field, locale, except }: Keeper,
  { documentId: target, order }: Reference,
  now: number,
): Promise<void> {
  const placed = `${field}.order`
  const isEarlier = [{ [placed]: { $lt: order } }, { [placed]: order, documentId: { $lt: except } }]
  const filter = { [`${field}.documentId`]: target, locale, documentId: { $ne: except } }
  await unit.write(false, (options) =>
    unit.db
      .collection(collection)
      .updateMany(
        { $and: [filter, { $or: isEarlier }] },
        changing(field, { $literal: null }, now),
        options,
      ),
  )
}

/** Whether no other owner has the target. */
export async function isFree(
  unit: UnitOfWork,
  { collection, field, locale, except }: Keeper,
  target: string,
): Promise<boolean> {
  const otherOwner = await unit.read((options) =>
    unit.db
      .collection(collection)
      .findOne(
        { [`${field}.documentId`]: target, locale, documentId: { $ne: except } },
        { projection: { _id: 1 }, ...options },
      ),
  )
  return otherOwner === null
}

/**
 * Empties the to-one relation of an owner if it was connected before `order`, because another owner connected the
 * target later.
 * @returns the new revision of the owner if it was changed
 */
export async function leaveFree(
  unit: UnitOfWork,
  { collection, field, locale, except }: Keeper,
  order: number,
  now: number,
): Promise<number | undefined> {
  const filter = { documentId: except, locale, [`${field}.order`]: { $lt: order } }
  return updateOwner(unit, collection, filter, changing(field, { $literal: null }, now), true)
}

/** Updates one version. Returns its new revision, or undefined if it does not match the filter. */
export async function updateOwner(
  unit: UnitOfWork,
  collection: string,
  filter: Document,
  update: Document[],
  isLast: boolean,
): Promise<number | undefined> {
  const owner = await unit.write(isLast, (options) =>
    unit.db.collection(collection).findOneAndUpdate(filter, update, {
      returnDocument: 'after',
      projection: { _revision: 1 },
      ...options,
    }),
  )
  return owner === null ? undefined : Number(owner['_revision'])
}

/**
 * Removes targets from the lists of other owners that connected them earlier, and from the list of this owner if
 * another owner connected them later. So each target ends up with one owner, in whatever order the owners are written.
 * Can be repeated.
 * @returns the new revision of the owner if it gave up targets
 */
export async function takeFromLists(
  unit: UnitOfWork,
  release: TargetRemoval,
  now: number,
): Promise<number | undefined> {
  await executeRelease(unit, release, now)
  const lost = await findLost(unit, release)
  if (lost.length === 0) return undefined
  const { collection, field, locale, except } = release
  const update = changing(field, withoutReferences(field, lost), now)
  return updateOwner(unit, collection, { documentId: except, locale }, update, true)
}

/** Removes the targets from other lists that connected them earlier. */
async function executeRelease(
  unit: UnitOfWork,
  { collection, field, listed, targets, locale, except }: TargetRemoval,
  now: number,
): Promise<void> {
  const ids = targets.map(({ documentId }) => documentId)
  const latest = Math.max(...targets.map(({ order }) => order))
  const earlier = { $elemMatch: { documentId: { $in: ids }, order: { $lte: latest } } }
  const filter = {
    ...listing(listed, field, ids),
    [field]: earlier,
    locale,
    documentId: { $ne: except },
  }
  const update = changing(field, withoutEarlier(field, targets, except), now)
  await unit.write(true, (options) =>
    unit.db.collection(collection).updateMany(filter, update, options),
  )
}

/** Returns the targets that another list connected later. */
async function findLost(
  unit: UnitOfWork,
  { collection, field, listed, targets, locale, except }: TargetRemoval,
): Promise<readonly Reference[]> {
  const ids = targets.map(({ documentId }) => documentId)
  const filter = {
    ...listing(listed, field, ids),
    [`${field}.documentId`]: { $in: ids },
    locale,
    documentId: { $ne: except },
  }
  const others = await unit.read((options) =>
    findAtOnce(unit.db, { collection, filter, projection: { documentId: 1, [field]: 1 } }, options),
  )
  return targets.filter((target) =>
    others.some((other) =>
      (other[field] as readonly Reference[]).some(
        ({ documentId, order }) =>
          documentId === target.documentId &&
          (order > target.order || (order === target.order && other['documentId'] > except)),
      ),
    ),
  )
}

/** Returns an update of a relation by a write from its inverse side. */
export function changing(field: string, value: Document, now: number): Document[] {
  const set = { [field]: value, ...stampNow(field, now), _revision: nextRevision(now) }
  return [{ $set: set }, listRelation(field)]
}

/** Expression: the list without those `targets` that its owner connected earlier than `taker` did. */
function withoutEarlier(field: string, targets: readonly Reference[], taker: string): Document {
  const place = { $indexOfArray: [ids(targets), '$$this.documentId'] }
  const order = { $arrayElemAt: [{ $literal: targets.map(({ order }) => order) }, '$$place'] }
  const isEarlier = {
    $or: [
      { $lt: ['$$this.order', order] },
      { $and: [{ $eq: ['$$this.order', order] }, { $lt: ['$documentId', { $literal: taker }] }] },
    ],
  }
  return withoutThose(field, {
    $let: {
      vars: { place },
      in: { $and: [{ $gte: ['$$place', 0] }, isEarlier] },
    },
  })
}

/** Expression: the list without these references. A target that was connected again has another `order` and stays. */
function withoutReferences(field: string, references: readonly Reference[]): Document {
  const pair = { documentId: '$$this.documentId', order: '$$this.order' }
  const pairs = references.map(({ documentId, order }) => ({ documentId, order }))
  return withoutThose(field, { $in: [pair, { $literal: pairs }] })
}

function withoutThose(field: string, isOne: Document): Document {
  return { $filter: { input: { $ifNull: [`$${field}`, []] }, cond: { $not: [isOne] } } }
}

const ids = (targets: readonly Reference[]): Document => ({
  $literal: targets.map(({ documentId }) => documentId),
})
