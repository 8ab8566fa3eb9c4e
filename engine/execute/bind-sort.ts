import { compileRanks, readRankRow } from '../compile/ranks.js'
import { compileSortValue, fieldOf } from '../compile/sort.js'
import type { BoundSortKey } from '../plan/bound-sort.js'
import { canBeRanked } from '../plan/bound-sort.js'
import type { SortKey } from '../plan/read-plan.js'
import { documentKey } from '../plan/read-plan.js'
import type { RelationChoice } from '../plan/read-result.js'
import type { Reader } from './reader.js'

export type Ranking = Readonly<{
  reader: Reader
  /** References that are put in order beforehand (`ReadPlan.maxRanked`). */
  maxRanked: number
  /** Filled with how each relation was answered. */
  choices: RelationChoice[]
}>

/**
 * Puts the targets of the relations that are sorted through in order, so that entries are sorted by what
 * they hold: one command for each. Where there are too many, entries look them up.
 */
export async function bindSort(
  keys: readonly SortKey[],
  ranking: Ranking,
): Promise<readonly BoundSortKey[]> {
  return Promise.all(keys.map((key) => bindKey(key, ranking)))
}

async function bindKey(key: SortKey, ranking: Ranking): Promise<BoundSortKey> {
  const [step, ...through] = key.through
  if (step?.kind !== 'link' || !canBeRanked(step.link)) return key
  const { link } = step
  const { reader, maxRanked, choices } = ranking
  const inner = await bindKey({ ...key, through }, ranking)
  const field = fieldOf(inner, '_value')
  const stages = compileSortValue(link.collection, inner, field)
  const bounds = { direction: key.direction, limit: maxRanked + 1 }
  const pipeline = compileRanks(link, { field, stages }, bounds)
  const found = await reader.read(link.collection, pipeline, `sort through ${link.path}`)
  const rows = found.map(readRankRow)
  const isMany = rows.reduce((sum, { count }) => sum + count, 0) > maxRanked
  choices.push({
    ...{ purpose: 'sort', through: link.path, collection: link.collection },
    ...{ form: isMany ? 'lookup' : 'ranks', keys: isMany ? null : rows.length, maxKeys: maxRanked },
  })
  if (isMany) return key
  return {
    link,
    keys: rows.map(({ documentId, locale }) => documentKey(documentId, locale)),
    ranks: rows.map(({ rank }) => rank),
    direction: key.direction,
  }
}
