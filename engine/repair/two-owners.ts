import type { ListCheck } from './plan-repair.js'
import type { Repairing } from './repairing.js'
import { batches, chunks, isNew } from './repairing.js'
import { oneByOne } from '../database/unit-of-work.js'
import { takeFromLists } from '../write/execute/execute-release.js'
import { listing } from '../write/load/expressions.js'
import type { Reference } from '../values/stored-types.js'

type Owner = Readonly<{ documentId: string; order: number }>
type Shared = Readonly<{ _id: { target: string; locale: string | null }; owners: readonly Owner[] }>

/**
 * If several entries have the same target in an exclusive relation, removes it from all but the one that connected it
 * last. An interrupted write may have connected a target without removing it from its previous owner.
 * @param only documentIds of the targets to check
 */
export async function repairLists(
  repairing: Repairing,
  check: ListCheck,
  only?: readonly string[],
): Promise<void> {
  const reported = new Set<string>()
  for await (const targets of only === undefined ? targetsOf(repairing, check) : [only])
    for (const some of chunks([...new Set(targets)]))
      for (const shared of await findShared(repairing, check, some))
        if (isNew(reported, `${shared._id.target} ${shared._id.locale ?? ''}`))
          await leaveToLast(repairing, check, shared)
}

async function* targetsOf(
  repairing: Repairing,
  { collection, field }: ListCheck,
): AsyncGenerator<readonly string[]> {
  const cursor = repairing.db
    .collection(collection)
    .find({ [`${field}.0`]: { $exists: true } }, { projection: { [`${field}.documentId`]: 1 } })
    .sort({ _id: 1 })
  for await (const batch of batches(cursor, repairing))
    yield batch.flatMap((owner) =>
      (owner[field] as readonly Reference[]).map(({ documentId }) => documentId),
    )
}

async function leaveToLast(
  { db, repairs, found }: Repairing,
  { collection, field, listed }: ListCheck,
  { _id, owners }: Shared,
): Promise<void> {
  const [last] = owners.toSorted(
    (a, b) => b.order - a.order || (a.documentId < b.documentId ? 1 : -1),
  )
  if (last === undefined) return
  const release = {
    collection,
    field,
    many: true,
    listed,
    locale: _id.locale,
    except: last.documentId,
    targets: [{ documentId: _id.target, order: last.order }],
  }
  if (repairs) await takeFromLists(oneByOne(db), release, Date.now())
  for (const { documentId } of owners)
    if (documentId !== last.documentId)
      found({ kind: 'two-owners', collection, documentId, repaired: repairs })
}

/** Returns the targets that have more than one owner in the same locale. */
async function findShared(
  { db }: Repairing,
  { collection, field, listed }: ListCheck,
  targets: readonly string[],
): Promise<readonly Shared[]> {
  const isTarget = { [`${field}.documentId`]: { $in: targets } }
  return db
    .collection(collection)
    .aggregate<Shared>([
      { $match: { ...listing(listed, field, targets), ...isTarget } },
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
