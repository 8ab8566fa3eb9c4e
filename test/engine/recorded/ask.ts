import { ApiError } from '../../../engine/errors.js'
import type { ReadPlan } from '../../../engine/read/plan/read-plan.js'
import type { Grant } from '../../../engine/schema/grant.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { prepare } from '../read/execute/prepare.js'
import { museum } from './museum.js'

/**
 * A query string of a type of the museum; `may`: the only actions that the caller is granted; `purpose` and
 * `nestedPagination` where they are not as usual.
 */
export type Asked = Readonly<{
  of: string
  search: string
  may?: readonly string[]
  purpose?: 'answer' | 'groups'
  nestedPagination?: true
}>

/** What a query is understood as, or the error that refuses it. */
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
