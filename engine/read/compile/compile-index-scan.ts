import type { Document } from 'mongodb'
import type { BoundCondition, BoundSortKey, RankedKey } from '../plan/bound-query.js'
import { dependsOnParent } from './compile-lookup.js'
import { compileProjection } from './compile-read.js'
import { compileCondition } from './compile-relations.js'
import { compileOrder } from './compile-sort.js'
import type { ReadPlan } from '../plan/read-plan.js'

/**
 * Compiles the aggregation for a page of entries that are sorted by a relation, whose targets were read and ranked in
 * advance. Finds the entries of each target by the relation's index, in the order of the ranks, until the page is full.
 * Entries of equal rank are sorted by the other keys. Returns null if an index scan cannot produce this order.
 */
export function compileIndexScan(
  plan: ReadPlan,
  match: BoundCondition,
  [first, ...rest]: readonly BoundSortKey[],
): Document[] | null {
  const { own, joins } = compileCondition(match)
  if (first === undefined || !('ranks' in first) || !canBeScanned(first)) return null
  if (plan.chain !== undefined) return null
  if (joins.length > 0 || rest.some((key) => 'ranks' in key || key.through.length > 0)) return null
  const { collection, node, skip, limit } = plan
  const path = `${first.link.path}.documentId`
  const { order } = compileOrder(collection, rest)
  const shown = [{ $sort: order }, { $limit: skip + limit }, { $project: compileProjection(node) }]
  const ranked = first.keys.filter((_, index) => first.ranks[index] !== 0)
  const unranked = [{ $match: { $and: [own, { [path]: { $nin: ranked } }] } }, ...shown]
  const scan: Document[] = [
    // The pipeline must start from a single document. Take any entry, and replace it by the list of targets.
    { $limit: 1 },
    { $project: { _id: 0, targets: { $literal: groupsOf(first) } } },
    { $unwind: '$targets' },
    {
      $lookup: {
        from: collection,
        localField: 'targets',
        foreignField: path,
        pipeline: [{ $match: own }, ...shown],
        as: 'entry',
      },
    },
    { $unwind: '$entry' },
    { $replaceRoot: { newRoot: '$entry' } },
  ]
  const [before, behind] = first.direction === 1 ? [unranked, scan] : [scan, unranked]
  return [
    ...before,
    { $unionWith: { coll: collection, pipeline: behind } },
    ...(skip === 0 ? [] : [{ $skip: skip }]),
    { $limit: limit },
  ]
}

/** Whether a scan is possible: an entry must have at most one target, which must not depend on the entry's locale. */
function canBeScanned({ link, lists }: RankedKey): boolean {
  return lists.length === 0 && link.stored === 'here' && !link.many && !dependsOnParent(link)
}

/** Groups the targets that have equal rank, in the order of the ranks. */
function groupsOf({ keys, ranks, direction }: RankedKey): readonly (readonly string[])[] {
  const byRank = new Map<number, string[]>()
  keys.forEach((key, index) => {
    const rank = ranks[index] ?? 0
    if (rank === 0) return
    const there = byRank.get(rank)
    if (there === undefined) byRank.set(rank, [key])
    else there.push(key)
  })
  const groups = [...byRank].sort(([one], [other]) => (one - other) * direction)
  return groups.map(([, members]) => members)
}
