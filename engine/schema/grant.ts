/** The permissions of a client. Created when roles, tokens or the schema change, not for each request. */
export type Grant = Readonly<{
  /** The key of cached query plans. Clients with different permissions have different keys. */
  key: string
  /** Such as `api::article.article.find`. `all` (full-access tokens and the service) includes actions added later. */
  actions: 'all' | ReadonlySet<string>
}>

/** Actions that are granted separately (docs/internals/decisions.md, "Permissions are given one by one"). */
export type ContentVerb =
  'find' | 'findOne' | 'findDrafts' | SavingVerb | DraftVerb | 'delete' | 'publish'

/** The permission for a POST or a PUT. */
export type SavingVerb = 'create' | 'update'

/** Sufficient for a POST or PUT that only writes a draft. */
export type DraftVerb = `${SavingVerb}Draft`

/** For full-access tokens and the service itself. */
export const fullGrant: Grant = Object.freeze({ key: 'all', actions: 'all' })

export function allows(grant: Grant, uid: string, verb: string): boolean {
  return grant.actions === 'all' || grant.actions.has(`${uid}.${verb}`)
}
