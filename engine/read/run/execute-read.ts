import { compilePage, compileTotal } from './compile-read.js'
import type { BoundCondition } from './bound-query.js'
import type { ReadPlan } from '../plan/read-plan.js'
import type { ReadResult, RelationChoice } from './read-result.js'
import { layoutOf, locate } from './stored-document.js'
import { bindCondition, bindSort } from './bind-relations.js'
import type { Populating } from './execute-populate.js'
import { executePopulate, gatheringOf, toHolder } from './execute-populate.js'
import type { Reader } from './reader.js'

/** What need not be asked of the database any more. */
export type Known = Readonly<{
  /** The list's total. */
  total?: number | undefined
  /** Told of the total as soon as it was counted. */
  onTotal?: ((total: number) => void) | undefined
  /** The page, as it is stored; it may hold more fields than are shown. */
  page?: readonly Buffer[] | undefined
}>

/**
 * Runs a plan: what its conditions ask of relations, then the page and its total at the same time, then
 * the populated levels. The number of commands depends on the plan, never on the rows.
 */
export async function executeRead(
  plan: ReadPlan,
  reader: Reader,
  known: Known = {},
): Promise<ReadResult> {
  const choices: RelationChoice[] = []
  const { maxKeys, maxRanked } = plan
  const [match, sort] = await Promise.all([
    bindCondition(plan.match, { reader, choices, maxKeys: maxKeys.listed }),
    known.page === undefined
      ? bindSort(plan.sort, { reader, choices, maxRanked: maxRanked.listed })
      : plan.sort,
  ])
  const [page, total] = await Promise.all([
    known.page ?? reader.readStored(plan.collection, compilePage(plan, match, sort), 'page'),
    known.total ?? executeTotal(plan, match, reader, known.onTotal),
  ])
  const layout = layoutOf(plan.node)
  const documents = page.map((bytes) => locate(bytes, 0, layout))
  const populating: Populating = {
    binding: { reader, choices, maxKeys: maxKeys.populated, maxRanked: maxRanked.populated },
    maxPopulatedEntries: plan.maxPopulatedEntries,
    batches: new Map(),
    counts: new Map(),
    bound: new Map(),
    gathering: gatheringOf(plan.node),
  }
  await executePopulate(plan.node, documents.map(toHolder), populating)
  const { batches, counts, bound } = populating
  return { documents, total, batches, counts, bound, choices }
}

async function executeTotal(
  plan: ReadPlan,
  match: BoundCondition,
  reader: Reader,
  onTotal?: (total: number) => void,
): Promise<number | null> {
  const how = plan.pagination?.total ?? 'none'
  if (how === 'none') return null
  if (how === 'metadata') return reader.countAll(plan.collection)
  const total = await reader.count(plan.collection, compileTotal(match))
  onTotal?.(total)
  return total
}
