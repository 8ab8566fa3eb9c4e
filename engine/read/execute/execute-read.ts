import type { ReadPlan, GroupsPlan } from '../plan/read-plan.js'
import type { ReadResult, RelationChoice } from '../compile/read-result.js'
import { layoutOf, locate } from '../stored/stored-document.js'
import { bindCondition } from './bind-relations.js'
import { bindSort } from './bind-sort.js'
import { type Known, executeList } from './execute-list.js'
import { type Populating, executePopulate, gatheringOf, toParent } from './execute-populate.js'
import type { Reader } from './reader.js'
import { bindGroups } from './bind-groups.js'
import { branchesOf } from '../compile/compile-group-keys.js'
import { compileGroups, readGroups } from '../compile/compile-groups.js'

/**
 * Reads a page of groups and the number of all groups with one command, after resolving relations. If a stage needs
 * more than MongoDB's limit of 100 MB, the response is a 400, because the command does not use the disk.
 */
async function executeGroups(
  plan: ReadPlan,
  groups: GroupsPlan,
  reader: Reader,
): Promise<ReadResult> {
  const choices: RelationChoice[] = []
  const match = await bindCondition(plan.match, { reader, choices, maxKeys: plan.maxKeys.listed })
  const branches = branchesOf(groups.keys)
  const known = await bindGroups(branches, { reader, choices, maxRanked: plan.maxRanked.listed })
  const aggregate = compileGroups(plan, groups, match, { branches, known })
  const rows = await reader.read(plan.collection, { aggregate }, 'groups', { inMemory: true })
  const found = readGroups(plan, groups, rows)
  return { ...nothing, ...found, choices }
}

const nothing = { documents: [], batches: new Map(), counts: new Map(), bound: new Map() }

/** Runs a plan. The number of commands depends only on the plan, not on the number of entries. */
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
