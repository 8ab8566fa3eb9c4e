/** What other features share with access. */
import type { Caller } from './caller.js'

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

/** What the log says of each event that matters to who may do what. */
export const securityEvents = {
  login: 'A user logged in',
  'login-failed': 'A user did not log in',
  logout: 'A user logged out',
  'session-reused': 'A refresh token came a second time, and its session was ended',
  'user-registered': 'A user was registered',
  'user-created': 'A user was created',
  'user-changed': 'A user was changed',
  'user-removed': 'A user was removed',
  'email-confirmed': 'A user confirmed an address',
  'password-changed': 'A user changed the password',
  'password-reset': 'A user chose a new password by a code',
  'admin-login': 'An admin logged in',
  'admin-login-failed': 'An admin did not log in',
  'admin-registered': 'An admin was registered',
  'admin-created': 'An admin was created',
  'admin-invited': 'An admin was invited',
  'admin-changed': 'An admin was changed',
  'admin-password-reset': 'An admin chose a new password by a code',
  'admin-removed': 'An admin was removed',
  'token-created': 'An API token was created',
  'token-changed': 'An API token was changed',
  'token-regenerated': 'An API token was given a new key',
  'token-removed': 'An API token was removed',
  'role-created': 'A role was created',
  'role-changed': 'A role was changed',
  'role-removed': 'A role was removed',
}

/**
 * Tells of an event in the log, with who did it and from where. `about` holds ids and names of keys, never a
 * secret and nothing that a stranger has written: a password typed into the wrong field must not be kept.
 */
export type Report = (
  event: keyof typeof securityEvents,
  request: Readonly<{ id: string; ip: string; caller: Caller }>,
  about?: Readonly<Record<string, string | number | null | readonly string[]>>,
) => void

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
