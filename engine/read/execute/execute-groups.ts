import { bindGroups } from './bind-groups.js'
import { bindCondition } from './bind-relations.js'
import { branchesOf } from '../compile/compile-group-keys.js'
import { compileGroups, readGroups } from '../compile/compile-groups.js'
import type { GroupsPlan, ReadPlan } from '../plan/read-plan.js'
import type { Reader } from './reader.js'
import type { ReadResult, RelationChoice } from '../compile/read-result.js'

/**
 * Reads a page of groups and their number with one command. Before that, it resolves the relations of the condition,
 * and reads the targets of to-many relations that keys go through. If a stage needs more than MongoDB's limit of 100
 * MB, that is a 400: it does not use the disk.
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
