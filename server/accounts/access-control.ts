/** What the features around access ask of it; `createAccess` makes it. Types only, so that they share no code. */
import type { AdminIdentity, Caller } from './caller.js'
import type { WriteTime } from '../../engine/write/write-time.js'

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

export type AccessControl = Readonly<{
  /** Every action of the live registry, in the order of a role's tree. */
  actions: () => readonly Action[]
  /** To be called after roles were written: the next request sees them. */
  rolesChanged: () => void
  /** To be called after a user was written; without an id, after several. */
  userChanged: (id?: number) => void
  /** Ends the sessions of a user, who was blocked, removed, or given another password. */
  endSessions: (id: number) => Promise<void>
  tokens: ApiTokens
  admins: Admins
  report: Report
}>

/** What is told of in the log because it matters to who may do what. */
export type SecurityEvent =
  | 'login'
  | 'login-failed'
  | 'logout'
  | 'session-reused'
  | 'user-registered'
  | 'user-created'
  | 'user-changed'
  | 'user-removed'
  | 'email-confirmed'
  | 'password-changed'
  | 'password-reset'
  | 'admin-login'
  | 'admin-login-failed'
  | 'admin-registered'
  | 'admin-created'
  | 'admin-invited'
  | 'admin-changed'
  | 'admin-password-reset'
  | 'admin-removed'
  | 'token-created'
  | 'token-changed'
  | 'token-regenerated'
  | 'token-removed'
  | 'role-created'
  | 'role-changed'
  | 'role-removed'

/**
 * Tells of an event in the log, with who did it and from where. `about` holds ids and names of keys, never a
 * secret and nothing that a stranger has written: a password typed into the wrong field must not be kept.
 */
export type Report = (
  event: SecurityEvent,
  request: Readonly<{ id: string; ip: string; caller: Caller }>,
  about?: Readonly<Record<string, string | number | null | readonly string[]>>,
) => void

/** A code that lets its owner in once, to be sent to an address that only the owner reads. */
export type CodeMessage = Readonly<{
  purpose: 'reset-password' | 'email-confirmation' | 'admin-invitation' | 'admin-reset-password'
  email: string
  code: string
}>

/** Resolves when a code is on its way; rejects where it is not. */
export type DeliverCode = (message: CodeMessage) => Promise<void>

export type TokenKind = 'full-access' | 'read-only' | 'custom'

/** An API token as management sees it; the text of its key is known only when it is made. */
export type ApiToken = Readonly<{
  id: number
  name: string
  description: string
  type: TokenKind
  /** Action ids of a custom token; empty for the other kinds. */
  permissions: readonly string[]
  /** In ms from the moment it was made; null = for ever. */
  lifespan: number | null
  expiresAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
  updatedAt: Date
}>

export type TokenDraft = Pick<
  ApiToken,
  'name' | 'description' | 'type' | 'permissions' | 'lifespan'
>

/** The store of API tokens. `update`, `remove` and `regenerate` answer undefined where there is no such token. */
export type ApiTokens = Readonly<{
  list: () => Promise<readonly ApiToken[]>
  find: (id: number) => Promise<ApiToken | undefined>
  /** Throws `application` for a name that is taken. */
  create: (draft: TokenDraft, owner: string | null) => Promise<MadeToken>
  update: (
    id: number,
    change: Partial<Omit<TokenDraft, 'lifespan'>>,
  ) => Promise<ApiToken | undefined>
  remove: (id: number) => Promise<ApiToken | undefined>
  /** A new key for the same token; its life begins again. */
  regenerate: (id: number) => Promise<MadeToken | undefined>
}>

/** `accessKey` is shown to its owner now, and never again. */
export type MadeToken = Readonly<{ token: ApiToken; accessKey: string }>

export type Admin = AdminIdentity &
  Readonly<{
    firstname: string | null
    lastname: string | null
    username: string | null
    isActive: boolean
    blocked: boolean
    createdAt: Date
    updatedAt: Date
  }>

export type AdminDraft = Readonly<{
  email: string
  password: string
  firstname: string | null
  lastname: string | null
}>

/** What may change of an admin; what is absent stays. */
export type AdminChange = Partial<
  Pick<Admin, 'firstname' | 'lastname' | 'username' | 'email' | 'isActive' | 'blocked'>
> &
  Readonly<{ password?: string }>

/** `registrationToken` is there where an admin who is invited has another address, to which the former code did not go. */
type ChangedAdmin = Readonly<{ admin: Admin; registrationToken?: string }>

/** What an invited admin adds. */
export type Acceptance = Pick<AdminDraft, 'password'> &
  Partial<Pick<AdminDraft, 'firstname' | 'lastname'>>

/** The admin users. At least one of them is always active: what would end that throws `validation`. */
export type Admins = Readonly<{
  list: (page: Readonly<{ start: number; limit: number }>) => Promise<readonly Admin[]>
  count: () => Promise<number>
  find: (id: number) => Promise<Admin | undefined>
  /** Throws `application` for an address that is taken. */
  create: (draft: AdminDraft, time?: WriteTime) => Promise<Admin>
  /** An admin who is not active yet, and the code that makes them so; it is mailed as well. Throws as `create`. */
  invite: (
    draft: Omit<AdminDraft, 'password'>,
    time?: WriteTime,
  ) => Promise<Readonly<{ admin: Admin; registrationToken: string }>>
  /** The admin whom a code invites; undefined for a code that is wrong, used or over. */
  findInvited: (registrationToken: string) => Promise<Admin | undefined>
  /** Makes an invited admin active; undefined as above. */
  accept: (
    registrationToken: string,
    acceptance: Acceptance,
    time?: WriteTime,
  ) => Promise<Admin | undefined>
  /**
   * A new password ends the admin's JWTs; codes end with the address or the password that they were for. Undefined
   * where there is no such admin. Throws `application` as `create`, and `validation` where the admin has another
   * password than `currentPassword`, if that is given: what it is compared with is what is replaced.
   */
  update: (
    id: number,
    change: AdminChange,
    options?: Readonly<{ currentPassword?: string | undefined; time?: WriteTime | undefined }>,
  ) => Promise<ChangedAdmin | undefined>
  remove: (id: number, time?: WriteTime) => Promise<Admin | undefined>
  /** Only while there is no admin: `undefined` otherwise, also for the slower of two at once. */
  createFirst: (draft: AdminDraft, time?: WriteTime) => Promise<Admin | undefined>
  /** The admin of an address and a password; undefined for anybody else, blocked and inactive ones included. */
  verify: (email: string, password: string) => Promise<Admin | undefined>
  /** Mails a code for a new password, where the address is that of an active admin; resolves alike where it is not. */
  forgotPassword: (email: string) => Promise<void>
  /** A new password by such a code, once; undefined for a code that is wrong, used or over. */
  resetPassword: (code: string, password: string, time?: WriteTime) => Promise<Admin | undefined>
  /** A JWT for `/admin`. */
  issueToken: (id: number) => Promise<string>
}>
