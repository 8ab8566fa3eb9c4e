/** Types and functions of access control that other features use too. */

/** An action that can be granted: `api::article.article.find`. */
export type Action = Readonly<{
  /** The form in which roles and tokens store the action: `<group>.<controller>.<name>`. */
  id: string
  /** A content-type or a plugin: `api::article`, `plugin::users-permissions`. */
  group: string
  controller: string
  name: string
  /**
   * Whether the permissions tree of a role lists the action even if the role does not grant it. Actions that Strapi
   * does not have are listed only if they are granted.
   */
  listed: boolean
  /** The action's id under the previous uid of its content-type, if the type was renamed (`renamedFrom`). */
  formerId?: string
}>

/** The actions that can be granted, by id. */
export type Actions = ReadonlyMap<string, Action>

/** Returns the actions that a change grants and revokes. */
export const differenceOf = (before: readonly string[], after: readonly string[]) => ({
  granted: after.filter((action) => !before.includes(action)),
  revoked: before.filter((action) => !after.includes(action)),
})

/** A single-use code to mail to `email`. Only the owner of that address can read the code. */
export type CodeMessage = Readonly<{
  purpose: 'reset-password' | 'email-confirmation' | 'admin-invitation' | 'admin-reset-password'
  email: string
  code: string
}>

/** Mails a code. Resolves when the mail server has accepted the mail; rejects otherwise. */
export type DeliverCode = (message: CodeMessage) => Promise<void>
