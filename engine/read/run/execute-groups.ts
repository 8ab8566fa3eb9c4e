import { bindGroups } from './bind-groups.js'
import { bindCondition } from './bind-relations.js'
import { branchesOf } from './compile-group-keys.js'
import { compileGroups, readGroups } from './compile-groups.js'
import type { GroupsPlan, ReadPlan } from '../plan/read-plan.js'
import type { Reader } from './reader.js'
import type { ReadResult, RelationChoice } from './read-result.js'

/**
 * Asks what the condition asks of relations, and what is behind those to many that keys go through; then for a page of groups and their number in one command. What the
 * database has no memory for (100 MB, its own bound for one stage) is a 400 and does not go on its disk.
 */
export async function executeGroups(
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
