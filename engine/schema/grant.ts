/**
 * The permissions of a caller. A grant is created when roles, tokens or the schema change, not for each request. An
 * action is `<uid>.<verb>`: `api::article.article.find`.
 */
export type Grant = Readonly<{
  /**
   * A string that is the same for equal permissions. Query plans are cached under this key, so callers with different
   * permissions never share a plan.
   */
  key: string
  /**
   * The allowed actions. `all` includes actions that are added later; full-access tokens and the service itself have
   * it.
   */
  actions: 'all' | ReadonlySet<string>
}>

/**
 * The actions on a content-type, each of which can be granted separately (docs/internals/decisions.md, "Permissions are
 * given one by one").
 */
export type ContentVerb =
  'find' | 'findOne' | 'findDrafts' | SavingVerb | DraftVerb | 'delete' | 'publish'

/** The permission that a POST or a PUT of content requires. */
export type SavingVerb = 'create' | 'update'

/** The permission that is sufficient for a POST or PUT that only writes a draft. */
export type DraftVerb = `${SavingVerb}Draft`

/** The permissions of full-access tokens and of the service itself. */
export const fullGrant: Grant = Object.freeze({ key: 'all', actions: 'all' })

export function allows(grant: Grant, uid: string, verb: string): boolean {
  return grant.actions === 'all' || grant.actions.has(`${uid}.${verb}`)
}
