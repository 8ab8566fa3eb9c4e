import type { ListCheck } from './plan-repair.js'
import type { Repairing } from './repairing.js'
import { batches, chunks, isNew } from './repairing.js'
import { oneByOne } from '../database/unit-of-work.js'
import { takeFromLists } from '../write/steps/execute-release.js'
import type { Reference } from '../values/stored-types.js'

type Owner = Readonly<{ documentId: string; order: number }>
type Shared = Readonly<{ _id: { target: string; locale: string | null }; owners: readonly Owner[] }>

/**
 * Leaves each target of an exclusive list to the owner that connected it last: a write was cut off
 * between taking it and taking it away from its former owner.
 */
export async function repairLists(
  repairing: Repairing,
  { collection, field }: ListCheck,
): Promise<void> {
  const { db, found } = repairing
  const cursor = db
    .collection(collection)
    .find({ [`${field}.0`]: { $exists: true } }, { projection: { [`${field}.documentId`]: 1 } })
    .sort({ _id: 1 })
  const told = new Set<string>()
  for await (const batch of batches(cursor, repairing)) {
    const targets = batch.flatMap((owner) =>
      (owner[field] as readonly Reference[]).map(({ documentId }) => documentId),
    )
    for (const some of chunks([...new Set(targets)]))
      for (const { _id, owners } of await findShared(repairing, collection, field, some)) {
        const key = `${_id.target} ${_id.locale ?? ''}`
        if (!isNew(told, key)) continue
        const [last] = owners.toSorted(
          (a, b) => b.order - a.order || (a.documentId < b.documentId ? 1 : -1),
        )
        if (last === undefined) continue
        const release = {
          ...{ collection, field, many: true, locale: _id.locale, except: last.documentId },
          targets: [{ documentId: _id.target, order: last.order }],
        }
        if (repairing.mends) await takeFromLists(oneByOne(db), release, Date.now())
        for (const { documentId } of owners)
          if (documentId !== last.documentId)
            found({ kind: 'two-owners', collection, documentId, repaired: repairing.mends })
      }
  }
}

/** Targets that more than one entry of a locale has. */
async function findShared(
  { db }: Repairing,
  collection: string,
  field: string,
  targets: readonly string[],
): Promise<readonly Shared[]> {
  const isTarget = { [`${field}.documentId`]: { $in: targets } }
  return db
    .collection(collection)
    .aggregate<Shared>([
      { $match: isTarget },
      { $project: { documentId: 1, locale: 1, [field]: 1 } },
      { $unwind: `$${field}` },
      { $match: isTarget },
      {
        $group: {
          _id: { target: `$${field}.documentId`, locale: '$locale' },
          owners: { $push: { documentId: '$documentId', order: `$${field}.order` } },
        },
      },
      { $match: { 'owners.1': { $exists: true } } },
    ])
    .toArray()
}
