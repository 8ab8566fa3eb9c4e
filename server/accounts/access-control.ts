/** What other features share with access. */

/** One thing that may be granted: `api::article.article.find`. */
export type Action = Readonly<{
  /** `<group>.<controller>.<name>`, as roles and tokens keep it. */
  id: string
  /** `api::article`, `plugin::users-permissions`. */
  group: string
  controller: string
  name: string
  /** Whether a role's tree names it although it is not granted; those that Strapi has not are shown where granted. */
  listed: boolean
}>

/** The actions that can be granted, by id. */
export type Actions = ReadonlyMap<string, Action>

/** Which actions a change gives and takes. */
export const differenceOf = (before: readonly string[], after: readonly string[]) => ({
  granted: after.filter((action) => !before.includes(action)),
  revoked: before.filter((action) => !after.includes(action)),
})

/** A code that lets its owner in once, to be sent to an address that only the owner reads. */
export type CodeMessage = Readonly<{
  purpose: 'reset-password' | 'email-confirmation' | 'admin-invitation' | 'admin-reset-password'
  email: string
  code: string
}>

/** Resolves when a code is on its way; rejects where it is not. */
export type DeliverCode = (message: CodeMessage) => Promise<void>
