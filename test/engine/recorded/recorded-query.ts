import { ApiError } from '../../../engine/errors.js'
import type { ReadPlan } from '../../../engine/read/plan/read-plan.js'
import type { Grant } from '../../../engine/schema/grant.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { prepare } from '../read/execute/prepare.js'
import { museum } from './museum.js'

/** A query of one of the museum's types. If `may` is set, the caller may only do these actions. */
export type Asked = Readonly<{
  of: string
  search: string
  may?: readonly string[]
  purpose?: 'answer' | 'groups'
  nestedPagination?: true
}>

/** Returns the plan of a query, or the error that rejects it. */
export function planOf(asked: Asked): ReadPlan | Readonly<{ refused: object }> {
  const uid = `api::${asked.of}.${asked.of}`
  const { purpose = 'read', nestedPagination = false } = asked
  const how = { purpose, nestedPagination } as const
  try {
    const options = { ...how, uid, registry: museum, grant: grantOf(asked) }
    const prepared = prepare(asked.search, options)
    return purpose === 'groups' ? prepared.planFor({ of: 'groups' }) : prepared.plan()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, name, message, details } = error
    return { refused: { status, name, message, details } }
  }
}

function grantOf({ may }: Asked): Grant {
  if (may === undefined) return fullGrant
  const uids = may.map((action) => action.replace(/^(\w+)\./, 'api::$1.$1.'))
  return { key: uids.join(), actions: new Set(uids) }
}
