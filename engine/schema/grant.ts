/**
 * The permissions of a caller. Compiled when roles, tokens or the schema change, not per request. An action is
 * `<uid>.<verb>`: `api::article.article.find`.
 */
export type Grant = Readonly<{
  /**
   * A key that is equal for equal permissions. Plans are cached by this key, so callers with different permissions
   * never share a plan.
   */
  key: string
  /** `all`: every action, including actions that are added later (full-access tokens and the service itself). */
  actions: 'all' | ReadonlySet<string>
}>

/** The verbs of a content-type that can be granted (docs/decisions.md, "Permissions are given one by one"). */
export type ContentVerb =
  'find' | 'findOne' | 'findDrafts' | SavingVerb | DraftVerb | 'delete' | 'publish'

/** The verbs that a POST and a PUT of content require. */
export type SavingVerb = 'create' | 'update'

/** The verbs that are sufficient for a POST or PUT that writes only a draft. */
export type DraftVerb = `${SavingVerb}Draft`

/** The grant of a full-access token and of the service's own work. */
export const fullGrant: Grant = Object.freeze({ key: 'all', actions: 'all' })

export function allows(grant: Grant, uid: string, verb: string): boolean {
  return grant.actions === 'all' || grant.actions.has(`${uid}.${verb}`)
}
