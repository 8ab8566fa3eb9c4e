import { object, ValidationError } from 'yup'
import { emailRule } from './email-rule.js'
import { adminPasswordRule } from './password-rule.js'
import type { Services } from '../services.js'
import type { Signals } from '../signals/signals.js'
import type { DeliverCode } from './access-control.js'
import { createAdminAccounts } from './admins/admin-accounts.js'
import { createAdminCallers } from './admins/admin-callers.js'
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
import { grantable } from './permission-actions.js'
import { createRoleGrantStore } from './roles/role-grants.js'
import type { Secrets } from './secrets.js'
import { createSecurityLog } from './security-log.js'
import { createTokenCallers } from './tokens/token-callers.js'
import { createSessions, prepareSessions } from './users/sessions/sessions.js'
import { createMailedCodes } from './mailed-codes.js'
import { createMacs } from './texts.js'
import { createUserAccounts } from './users/user-accounts.js'
import { createUserCallers } from './users/user-callers.js'
import { createUserWrites } from './users/user-writes.js'

/** Identifies callers for all features, manages admins and API tokens, and provides the routes of `/api/auth`. */
export type AccessFeature = ReturnType<typeof createAccess>

type Options = Readonly<{
  secrets: Secrets
  deliver?: DeliverCode | undefined
  publicUrl: string
  providers?: ProviderTable | undefined
  /** Notifies this instance when any process wrote credentials. */
  signals: Signals
}>

/** Creates the access feature. Does not read or write the database before `start`. */
export function createAccess(services: Services, options: Options) {
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
  const tokens = createTokenCallers({ db, log, registry, hashKey })
  const writes = createUserWrites(services, accounts, users.changed)
  const macs = createMacs(secrets.jwt)
  const adminCallers = createAdminCallers(adminAccounts, jwts)
  const admins = createAdmins({
    services,
    jwts,
    macs,
    mail,
    accounts: adminAccounts,
    adminChanged: adminCallers.changed,
  })
  signals.follow('roles', 'credentials', roles.changed)
  signals.follow('users', 'credentials', ({ id }) => users.changed(numberOrAny(id)))
  signals.follow('admin_users', 'credentials', ({ id }) => adminCallers.changed(numberOrAny(id)))
  signals.follow('_api_tokens', 'credentials', ({ fields }) => {
    // Ignore writes of only `lastUsedAt`. They occur up to once a minute and do not affect permissions.
    if (fields?.length !== 1 || fields[0] !== 'lastUsedAt') tokens.changed()
  })
  if (sessions !== undefined)
    signals.follow('_sessions', 'credentials', ({ id }) =>
      sessions.changed(typeof id === 'string' ? id : undefined),
    )
  const report = createSecurityLog(log)
  const mailed = createMailedCodes(macs, mail, accounts.findByDocumentId, writes.update)
  const own = { accounts, writes, jwts, sessions, roles, codes: mailed, report }
  const parts = { ...own, settings, confirmation }

  return {
    ...createAuthorize({ tokens, users, admins: adminCallers, roles, freshness: signals }),
    /** Grantable actions, in the order of the permissions tree. */
    actions: () => grantable(registry(), settings['auth.mode']),
    rolesChanged: roles.changed,
    userChanged: users.changed,
    endSessions: async (id: number): Promise<void> => sessions?.end(id),
    tokens: createApiTokens(db, hashKey, tokens.changed),
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
    /** Creates missing roles and indexes, and the configured first admin. */
    start: async (firstAdmin?: Readonly<{ email: string; password: string }>): Promise<void> => {
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
  'There is no admin yet, and the first caller of POST /admin/register-admin becomes it. To create an admin at the start, set ADMIN_EMAIL and ADMIN_PASSWORD'

/** Throws if the admin violates the rules of `/admin/register-admin`. The message does not contain the values. */
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
  email: emailRule.max(254).required(),
  password: adminPasswordRule.required(),
})

const adminLifetimeS = 86_400

const numberOrAny = (id: unknown): number | undefined => (typeof id === 'number' ? id : undefined)
