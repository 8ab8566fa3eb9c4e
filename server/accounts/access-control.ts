/** An action that can be granted: `api::article.article.find`. */
export type Action = Readonly<{
  id: string
  /** A content-type or a plugin: `api::article`, `plugin::users-permissions`. */
  group: string
  controller: string
  name: string
  /** Whether a permissions tree shows the action even if it is not granted. False for actions unknown to Strapi. */
  listed: boolean
  /** Set if the content-type was renamed (`renamedFrom`): the action's id under the previous uid. */
  formerId?: string
}>

/** Grantable actions by id. */
export type Actions = ReadonlyMap<string, Action>

/** Returns the actions that a change grants and revokes. */
export const differenceOf = (before: readonly string[], after: readonly string[]) => ({
  granted: after.filter((action) => !before.includes(action)),
  revoked: before.filter((action) => !after.includes(action)),
})

/** A single-use code to mail to `email`. */
export type CodeMessage = Readonly<{
  purpose: 'reset-password' | 'email-confirmation' | 'admin-invitation' | 'admin-reset-password'
  email: string
  code: string
}>

/** Mails a code. Resolves when the mail server has accepted the mail. */
export type DeliverCode = (message: CodeMessage) => Promise<void>
