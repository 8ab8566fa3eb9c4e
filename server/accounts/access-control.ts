/** Types that other features share with access. */

/** An action that can be granted: `api::article.article.find`. */
export type Action = Readonly<{
  /** `<group>.<controller>.<name>`, as roles and tokens store it. */
  id: string
  /** `api::article`, `plugin::users-permissions`. */
  group: string
  controller: string
  name: string
  /**
   * Whether a role's tree lists the action even if it is not granted. Actions that Strapi does not have are listed only
   * if they are granted.
   */
  listed: boolean
  /** The action's id under the previous uid of its content-type (`renamedFrom`). */
  formerId?: string
}>

/** The actions that can be granted, by id. */
export type Actions = ReadonlyMap<string, Action>

/** Returns the actions that a change grants and revokes. */
export const differenceOf = (before: readonly string[], after: readonly string[]) => ({
  granted: after.filter((action) => !before.includes(action)),
  revoked: before.filter((action) => !after.includes(action)),
})

/** A mailed code for a single use. Only the owner of the address can read it. */
export type CodeMessage = Readonly<{
  purpose: 'reset-password' | 'email-confirmation' | 'admin-invitation' | 'admin-reset-password'
  email: string
  code: string
}>

/** Sends a mail with a code. Resolves when the mail server has accepted it; rejects otherwise. */
export type DeliverCode = (message: CodeMessage) => Promise<void>
