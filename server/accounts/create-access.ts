import { object, string, ValidationError } from 'yup'
import { emailAddress, emailRule } from '../../engine/values/email-address.js'
import type { Access } from '../http/authorizer.js'
import { adminPasswordRule } from './password-rule.js'
import type { Route } from '../http/route.js'
import type { Services } from '../lifecycle/services.js'
import type { Signals } from '../signals/signals.js'
import type { AccessControl, DeliverCode } from './access-control.js'
import { createAdminAccounts } from './admins/admin-accounts.js'
import { createAdminCallers, type AdminCallers } from './admins/admin-callers.js'
import { createAdmins } from './admins/admins.js'
import { createApiTokens, createHashKey, prepareApiTokens } from './tokens/api-tokens.js'
import { authRoutes } from './users/auth-routes.js'
import { createAuthorize } from './authorize.js'
import { ensureRoles } from './roles/first-roles.js'
import { createCodeMail } from './users/code-mail.js'
import { createJwts } from './jwt.js'
import { createBegunLogins } from './providers/begun-logins.js'
import { connectRoutes } from './providers/connect-routes.js'
import { createLoginTickets, prepareLoginTickets } from './providers/login-tickets.js'
import { providerTable, type ProviderTable } from './providers/provider-table.js'
import { readProviders } from './providers/read-providers.js'
import { createOneTimeCodes } from './users/one-time-codes.js'
import { grantable } from './permission-actions.js'
import { createRoleGrantStore, type RoleGrantStore } from './roles/role-grants.js'
import type { Secrets } from './secrets.js'
import { createSecurityLog } from './security-log.js'
import { createTokenCallers, type TokenCallers } from './tokens/token-callers.js'
import { createSessions, prepareSessions, type Sessions } from './users/sessions/sessions.js'
import { createUserAccounts } from './users/user-accounts.js'
import { createUserCallers, type UserCallers } from './users/user-callers.js'
import { createUserWrites } from './users/user-writes.js'

/** Who is calling and what they may do: what every route asks, what other features ask, and the routes of `/api/auth`. */
export type AccessFeature = Access &
  AccessControl &
  Readonly<{
    /** Makes what the service cannot be without: roles, indexes, the first admin of the configuration. */
    start: (firstAdmin?: Readonly<{ email: string; password: string }>) => Promise<void>
    routes: readonly Route[]
    /** What callers without credentials may do. */
    publicActions: () => Promise<readonly string[]>
    /** Resolves when no mail is under way. */
    settled: () => Promise<void>
  }>

type Options = Readonly<{
  secrets: Secrets
  deliver?: DeliverCode | undefined
  /** Where browsers reach the service. */
  publicUrl: string
  /** What is known of providers of logins; default: all that there are. */
  providers?: ProviderTable | undefined
  /** By which the changes of other instances arrive. */
  signals: Signals
}>

/** Puts the parts of access together. Nothing is read or written before `start`. */
export function createAccess(services: Services, options: Options): AccessFeature {
  const { secrets, deliver, publicUrl, providers = providerTable, signals } = options
  const { db, log, settings, registry } = services
  const jwts = createJwts(secrets.jwt, {
    user: settings['auth.jwtExpiresInS'],
    admin: adminLifetimeS,
    session: settings['auth.sessions.accessExpiresInS'],
  })
  const hashKey = createHashKey(secrets.apiTokenSalt)
  const drafts = settings['api.rest.publicDrafts'] ? 'with-find' : 'by-action'
  const roles = createRoleGrantStore(db, drafts)
  const accounts = createUserAccounts(db)
  const adminAccounts = createAdminAccounts(db)
  const mail = createCodeMail(log, deliver)
  const confirmation = mail.enabled && settings['auth.emailConfirmation']
  const sessions =
    settings['auth.mode'] === 'legacy'
      ? undefined
      : createSessions({
          db,
          secrets: secrets.jwt,
          life: {
            idleS: settings['auth.sessions.idleExpiresInS'],
            maxS: settings['auth.sessions.maxExpiresInS'],
          },
          findUser: async (id) => {
            const account = await accounts.findById(id)
            return account?.blocked === false && (account.confirmed || !confirmation)
              ? account
              : undefined
          },
        })
  const users = createUserCallers({ accounts, jwts, roles, confirmation, sessions })
  const tokenCallers = createTokenCallers({ db, log, registry, hashKey })
  const writes = createUserWrites({ services, accounts, userChanged: users.changed })
  const codes = createOneTimeCodes(secrets.jwt)
  const adminCallers = createAdminCallers(adminAccounts, jwts)
  const admins = createAdmins({
    services,
    jwts,
    codes,
    mail,
    accounts: adminAccounts,
    adminChanged: adminCallers.changed,
  })
  followCredentials(signals, { roles, users, tokens: tokenCallers, admins: adminCallers, sessions })
  const report = createSecurityLog(log)
  const parts = {
    settings,
    accounts,
    writes,
    jwts,
    sessions,
    roles,
    codes,
    mail,
    confirmation,
    report,
  }

  return {
    ...createAuthorize({
      tokens: tokenCallers,
      users,
      admins: adminCallers,
      roles,
      freshness: signals,
    }),
    actions: () => grantable(registry(), settings['auth.mode']),
    rolesChanged: roles.changed,
    userChanged: users.changed,
    endSessions: async (id) => sessions?.end(id),
    tokens: createApiTokens(db, hashKey, tokenCallers.changed),
    admins,
    report,
    routes: [
      ...authRoutes(parts),
      ...connectRoutes({
        ...parts,
        log,
        tickets: createLoginTickets(db),
        apiUrl: `${publicUrl}${settings['api.rest.prefix']}`,
        providers: readProviders(settings, providers),
        begun: createBegunLogins(secrets.jwt, { secure: publicUrl.startsWith('https://') }),
      }),
    ],
    settled: mail.settled,
    publicActions: async () => {
      const { actions } = (await roles.get()).public
      return actions === 'all' ? ['everything'] : [...actions].sort()
    },
    start: async (firstAdmin) => {
      await prepareApiTokens(db)
      if (sessions !== undefined) await prepareSessions(db)
      await prepareLoginTickets(db)
      await ensureRoles(services)
      roles.changed()
      if (firstAdmin !== undefined) {
        if ((await admins.count()) === 0) checkFirstAdmin(firstAdmin)
        const made = await admins.createFirst({ ...firstAdmin, firstname: null, lastname: null })
        if (made !== undefined) log.info({ email: made.email }, 'The first admin was created')
      } else if ((await admins.count()) === 0) log.warn(noAdmin)
    },
  }
}

const noAdmin =
  'There is no admin: ADMIN_EMAIL and ADMIN_PASSWORD make one at a start, and until then whoever calls POST /admin/register-admin becomes it'

/** What `/admin/register-admin` asks of the first admin; the message names the rule, and not the value. */
function checkFirstAdmin(admin: Readonly<{ email: string; password: string }>): void {
  try {
    firstAdminRule.validateSync(admin, { strict: true })
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new Error(
      `ADMIN_EMAIL and ADMIN_PASSWORD cannot make the first admin: ${error.message}`,
      { cause: error },
    )
  }
}

const firstAdminRule = object({
  email: string().matches(emailAddress, emailRule).max(254).required(),
  password: adminPasswordRule.required(),
})

/** A working day and night; admins log in again the next day. */
const adminLifetimeS = 86_400

/** What is kept of credentials, by the collection that it was read from. */
type Kept = Readonly<{
  roles: Pick<RoleGrantStore, 'changed'>
  users: Pick<UserCallers, 'changed'>
  tokens: Pick<TokenCallers, 'changed'>
  admins: Pick<AdminCallers, 'changed'>
  sessions?: Pick<Sessions, 'changed'> | undefined
}>

/** Forgets what is kept of credentials when it was written, whoever wrote it. */
function followCredentials(
  { follow }: Signals,
  { roles, users, tokens, admins, sessions }: Kept,
): void {
  follow('roles', 'credentials', () => roles.changed())
  follow('users', 'credentials', ({ id }) => users.changed(numberOrAny(id)))
  follow('admin_users', 'credentials', ({ id }) => admins.changed(numberOrAny(id)))
  follow('_api_tokens', 'credentials', ({ fields }) => {
    // Noted once a minute, and nothing that anybody decides by.
    if (fields?.length !== 1 || fields[0] !== 'lastUsedAt') tokens.changed()
  })
  if (sessions !== undefined)
    follow('_sessions', 'credentials', ({ id }) =>
      sessions.changed(typeof id === 'string' ? id : undefined),
    )
}

const numberOrAny = (id: unknown): number | undefined => (typeof id === 'number' ? id : undefined)
