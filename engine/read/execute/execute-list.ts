import type { BoundCondition, BoundSortKey } from '../plan/bound-query.js'
import {
  compilePageByIds,
  compilePage,
  compileTogether,
  compileTotal,
} from '../compile/compile-read.js'
import { compileIndexScan } from '../compile/compile-index-scan.js'
import { isBeyondMemory } from '../../errors/database-errors.js'
import type { ReadPlan } from '../plan/read-plan.js'
import type { Reader } from './reader.js'
import { layoutOf, locate } from '../stored/stored-document.js'
import { idOf } from '../stored/stored-fields.js'

/** Results that the caller already has. */
export type Known = Readonly<{
  total?: number | undefined
  /** Called as soon as the database has counted the total. */
  onTotal?: ((total: number) => void) | undefined
  /** The stored page, possibly with fields that the response does not show. */
  page?: readonly Buffer[] | undefined
}>

/** The total is null if the plan does not count. */
export type Listed = Readonly<{ page: readonly Buffer[]; total: number | null }>

/**
 * Reads a page and its total with two concurrent commands. With the shortcut `together`, one command finds the ids and
 * the total, and another reads the entries. Entries that change in between are shown in their new state, or left out if
 * they no longer match.
 */
export async function executeList(
  plan: ReadPlan,
  match: BoundCondition,
  sort: readonly BoundSortKey[],
  reader: Reader,
  known: Known,
): Promise<Listed> {
  const isUnknown = known.page === undefined && known.total === undefined
  if (plan.shortcuts?.together === true && isUnknown) {
    const listed = await executeTogether(plan, match, sort, reader, known)
    if (listed !== null) return listed
  }
  const how = { natural: plan.shortcuts?.natural?.page }
  const scan = plan.shortcuts?.byTarget === true ? compileIndexScan(plan, match, sort) : null
  const command = scan === null ? compilePage(plan, match, sort) : { aggregate: scan }
  const [page, total] = await Promise.all([
    known.page ?? reader.readStored(plan.collection, command, 'page', how),
    known.total ?? executeTotal(plan, match, reader, known),
  ])
  return { page, total: total === null ? null : totalFor(page.length, total, plan) }
}

/** Adjusts a total to the entries shown on the page, because a write may have happened between the two reads. */
function totalFor(shown: number, total: number, { skip, limit }: ReadPlan): number {
  const end = skip + shown
  if (shown === limit) return Math.max(total, end)
  return shown > 0 || skip === 0 ? end : Math.min(total, skip)
}

/** Returns null if long sort values exceed the memory limit of the database. */
async function executeTogether(
  plan: ReadPlan,
  match: BoundCondition,
  sort: readonly BoundSortKey[],
  reader: Reader,
  { onTotal }: Known,
): Promise<Listed | null> {
  const { collection, skip, limit, shortcuts } = plan
  const how = { natural: shortcuts?.natural?.total }
  const command = { aggregate: compileTogether(plan, match, sort) }
  const rows = await reader.read(collection, command, 'page and total', how).catch((error) => {
    if (isBeyondMemory(error)) return null
    throw error
  })
  if (rows === null) return null
  const [row] = rows
  const total = Number(row?.['total'] ?? 0)
  onTotal?.(total)
  const found = (row?.['ids'] ?? []) as readonly (number | bigint)[]
  const ids = found.slice(skip, skip + limit)
  if (ids.length === 0) return { page: [], total }
  const page = await reader.readStored(collection, compilePageByIds(plan, match, ids), 'page')
  return { page: inOrder(plan, page, ids), total }
}

function inOrder(
  { node }: ReadPlan,
  page: readonly Buffer[],
  ids: readonly (number | bigint)[],
): readonly Buffer[] {
  const layout = layoutOf(node)
  const byId = new Map(page.map((bytes) => [idOf(locate(bytes, 0, layout)), bytes]))
  return ids.flatMap((id) => byId.get(Number(id)) ?? [])
}

async function executeTotal(
  plan: ReadPlan,
  match: BoundCondition,
  reader: Reader,
  { onTotal }: Known,
): Promise<number | null> {
  const how = plan.pagination?.total ?? 'none'
  if (how === 'none') return null
  if (how === 'metadata') return reader.countAll(plan.collection)
  const natural = plan.shortcuts?.natural?.total
  const total = await reader.count(plan.collection, compileTotal(plan, match), { natural })
  onTotal?.(total)
  return total
}
