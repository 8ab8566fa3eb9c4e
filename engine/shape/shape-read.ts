import type { ReadPlan } from '../plan/read-plan.js'
import { localeOf } from '../plan/stored.js'
import type { ReadResult } from '../plan/read-result.js'
import type { Fragment, Shaping } from './shape-node.js'
import { joinBatches, shapeNode } from './shape-node.js'

/**
 * The whole answer as JSON text; null where one document was asked for and there is none. `tooMany`
 * makes the error for an answer with too many populated entries.
 */
export function shapeRead(
  plan: ReadPlan,
  result: ReadResult,
  tooMany: (relation: string) => Error,
): string | null {
  const shaping: Shaping = {
    plan,
    result,
    fragments: new Map(),
    joins: joinBatches(result),
    tooMany,
  }
  const fragments = result.documents.map((document) =>
    shapeNode(plan.node, document, localeOf(document), shaping),
  )
  checkEntries(plan, fragments, tooMany)
  if (plan.answer === 'one') {
    const [only] = fragments
    if (only === undefined) return null
    return plan.envelope === 'bare' ? only.json : `{"data":${only.json},"meta":{}}`
  }
  const data = `[${fragments.map(({ json }) => json).join(',')}]`
  return plan.envelope === 'bare'
    ? data
    : `{"data":${data},"meta":${shapeMeta(plan, result.total)}}`
}

/** The sum over the page: each document by itself was within the bound already. */
function checkEntries(
  plan: ReadPlan,
  fragments: readonly Fragment[],
  tooMany: (relation: string) => Error,
): void {
  const entries = fragments.reduce((sum, fragment) => sum + fragment.entries, 0)
  if (entries <= plan.maxPopulatedEntries) return
  throw tooMany(
    plan.node.members.flatMap((member) => (member.kind === 'edge' ? member.name : [])).join(', '),
  )
}

/** `meta.pagination`, in the way the page was asked for (contract, "Pagination"). */
function shapeMeta({ pagination, skip, limit }: ReadPlan, total: number | null): string {
  if (pagination === null) return '{}'
  if (pagination.by === 'offset') {
    return JSON.stringify({
      pagination: { start: skip, limit, ...(total === null ? {} : { total }) },
    })
  }
  const counted = total === null ? {} : { pageCount: Math.ceil(total / limit), total }
  return JSON.stringify({
    pagination: { page: Math.floor(skip / limit) + 1, pageSize: limit, ...counted },
  })
}
