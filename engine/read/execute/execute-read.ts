import type { ReadPlan } from '../plan/read-plan.js'
import type { ReadResult, RelationChoice } from '../compile/read-result.js'
import { layoutOf, locate } from '../stored/stored-document.js'
import { bindCondition } from './bind-relations.js'
import { bindSort } from './bind-sort.js'
import { executeGroups } from './execute-groups.js'
import type { Known } from './execute-list.js'
import { executeList } from './execute-list.js'
import type { Populating } from './execute-populate.js'
import { executePopulate, gatheringOf, toParent } from './execute-populate.js'
import type { Reader } from './reader.js'

/**
 * Runs a plan: resolves the relations of its filter and sort, reads the page and its total, then reads the populated
 * levels. The number of commands depends on the plan, never on the rows.
 */
export async function executeRead(
  plan: ReadPlan,
  reader: Reader,
  known: Known = {},
): Promise<ReadResult> {
  if (plan.groups !== undefined) return executeGroups(plan, plan.groups, reader)
  const choices: RelationChoice[] = []
  const { maxKeys, maxRanked } = plan
  const [match, sort] = await Promise.all([
    bindCondition(plan.match, { reader, choices, maxKeys: maxKeys.listed }),
    known.page === undefined
      ? bindSort(plan.sort, { reader, choices, maxRanked: maxRanked.listed })
      : plan.sort,
  ])
  const { page, total } = await executeList(plan, match, sort, reader, known)
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
  await executePopulate(plan.node, documents.map(toParent), populating)
  const { batches, counts, bound } = populating
  return { documents, total, batches, counts, bound, choices }
}
