import type { BoundSortKey } from '../plan/bound-query.js'
import { canBeRanked, documentKey, listsBefore } from '../plan/bound-query.js'
import { compileRanks, readRankRow } from '../compile/compile-ranks.js'
import { compileSortValue, fieldOf } from '../compile/compile-sort.js'
import type { Link, SortKey } from '../plan/read-plan.js'
import type { RelationChoice } from '../compile/read-result.js'
import type { Reader } from './reader.js'

export type Ranking = Readonly<{
  reader: Reader
  /** See `ReadPlan.maxRanked`. */
  maxRanked: number
  choices: RelationChoice[]
}>

/** `at`: index of the key in the sort. `behind`: the part of the key that follows the relation. */
type Through = Readonly<{
  at: number
  link: Link
  lists: readonly string[]
  behind: SortKey
}>

/**
 * Ranks the targets of each relation in the sort by one command. If there are too many targets, each entry looks up its
 * own.
 */
export async function bindSort(
  keys: readonly SortKey[],
  ranking: Ranking,
): Promise<readonly BoundSortKey[]> {
  const byLink = new Map<string, Through[]>()
  keys.forEach((key, at) => {
    const lists = listsBefore(key.through)
    const step = key.through[lists.length]
    if (step?.kind !== 'link' || !canBeRanked(step.link)) return
    const { link } = step
    const name = JSON.stringify(link)
    const behind = { ...key, through: key.through.slice(lists.length + 1) }
    byLink.set(name, [...(byLink.get(name) ?? []), { at, link, lists, behind }])
  })
  const bound: BoundSortKey[] = [...keys]
  const binding = [...byLink.values()].map(async (members) => {
    const ranked = await bindLink(members, ranking)
    ranked?.forEach((key, index) => (bound[members[index]?.at ?? 0] = key))
  })
  await Promise.all(binding)
  return bound
}

/** Returns null if there are too many targets. */
async function bindLink(
  members: readonly Through[],
  ranking: Ranking,
): Promise<readonly BoundSortKey[] | null> {
  const [{ link } = { link: undefined }] = members
  if (link === undefined) return null
  const { reader, maxRanked, choices } = ranking
  const inner = await bindSort(
    members.map(({ behind }) => behind),
    ranking,
  )
  const values = inner.map((key, index) => {
    const field = fieldOf(key, `_value${index}`)
    const stages = compileSortValue(link.collection, key, field)
    return { field, stages, direction: key.direction }
  })
  const aggregate = compileRanks(link, values, maxRanked + 1)
  const found = await reader.read(link.collection, { aggregate }, `sort through ${link.path}`)
  const rows = found.map(readRankRow)
  const isMany = rows.reduce((sum, { count }) => sum + count, 0) > maxRanked
  choices.push({
    purpose: 'sort',
    through: link.path,
    collection: link.collection,
    form: isMany ? 'lookup' : 'ranks',
    keys: isMany ? null : rows.length,
    maxKeys: maxRanked,
  })
  if (isMany) return null
  const keys = rows.map(({ documentId, locale }) => documentKey(documentId, locale))
  return members.map(({ lists, behind: { direction } }, index) => ({
    link,
    lists,
    keys,
    direction,
    ranks: rows.map(({ ranks }) => ranks[index] ?? 0),
  }))
}
