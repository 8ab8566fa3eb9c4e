/**
 * What a caller may do, compiled when roles, tokens or the schema change and not per request.
 * An action is `<uid>.<verb>`: `api::article.article.find`.
 */
export type Grant = Readonly<{
  /** The same for the same permissions; plans are cached by it and never shared between grants. */
  key: string
  /** `all`: everything, now and later (full-access tokens and the service itself). */
  actions: 'all' | ReadonlySet<string>
}>

/** The verbs of a content-type that can be granted (docs/decisions.md, "Permissions are given one by one"). */
export type ContentVerb =
  'find' | 'findOne' | 'findDrafts' | SavingVerb | DraftVerb | 'delete' | 'publish'

/** What a POST and a PUT of content need. */
export type SavingVerb = 'create' | 'update'

/** What suffices instead where they write a draft alone. */
export type DraftVerb = `${SavingVerb}Draft`

/** The grant of a full-access token and of the service's own work. */
export const fullGrant: Grant = Object.freeze({ key: 'all', actions: 'all' })

export function allows(grant: Grant, uid: string, verb: string): boolean {
  return grant.actions === 'all' || grant.actions.has(`${uid}.${verb}`)
}
