import { ApiError, fail } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { WriteTime } from '../../../engine/write/write-time.js'
import type { Services } from '../../lifecycle/services.js'
import type { Admin, AdminChange, Admins } from '../access-control.js'
import { toAdmin, type AdminAccount, type AdminAccounts } from './admin-accounts.js'
import type { CodeMail } from '../users/code-mail.js'
import { claimWork } from '../claim-work.js'
import type { Jwts } from '../jwt.js'
import type { OneTimeCodes } from '../users/one-time-codes.js'
import { verifyPassword } from '../passwords.js'

type Dependencies = Readonly<{
  services: Services
  accounts: AdminAccounts
  jwts: Jwts
  codes: OneTimeCodes
  mail: CodeMail
  adminChanged: (id: number) => void
}>

/**
 * The admin users: who they are, how one becomes one and ceases to be one, and how one logs in
 * (docs/decisions.md, "Admins are apart").
 */
export function createAdmins(dependencies: Dependencies): Admins {
  const { services, accounts, jwts, codes, mail, adminChanged } = dependencies
  const { db, documents, registry } = services
  const type = () => typeOf(registry(), builtIn.adminUser)
  const write = { grant: fullGrant, actor: null }
  const alone = <T>(time: WriteTime | undefined, work: () => Promise<T>): Promise<T> =>
    claimWork(db, 'admins', work, time)

  const find = async (id: number): Promise<Admin | undefined> => {
    const account = await accounts.findById(id)
    return account === undefined ? undefined : toAdmin(account)
  }

  const unlessTaken = async <T>(email: string, own: number | null, work: () => Promise<T>) => {
    const isTaken = async () => ((await accounts.findByEmail(email))?.id ?? own) !== own
    if (await isTaken()) throw emailTaken()
    return work().catch(async (error: unknown) => {
      // Another request may have been first since we looked.
      if (error instanceof ApiError && (await isTaken())) throw emailTaken()
      throw error
    })
  }

  const create = async (
    data: { email: string; [field: string]: unknown },
    time: WriteTime | undefined,
  ): Promise<Admin> => {
    const email = data.email.toLowerCase()
    const { id } = await unlessTaken(email, null, () =>
      documents.create(type(), { ...data, email, blocked: false }, { ...write, time }),
    )
    const admin = await find(id)
    if (admin === undefined) throw new Error('An admin user disappeared while it was made')
    return admin
  }

  const keepOneActive = async (account: AdminAccount): Promise<void> => {
    if (account.isActive && !account.blocked && !(await accounts.isActiveWithout(account.id)))
      throw fail('validation', { message: 'You must have at least one active admin' })
  }

  const change = async (
    { id, documentId }: AdminAccount,
    data: object,
    time: WriteTime | undefined,
  ) => {
    await documents.update(type(), documentId, data, { ...write, time })
    adminChanged(id)
    return find(id)
  }

  const findByCode = async (
    code: string,
    purpose: keyof typeof codeFields,
  ): Promise<AdminAccount | undefined> => {
    const account = await accounts.findByDocumentId(codes.documentIdOf(code))
    const stored = account?.[codeFields[purpose]] ?? null
    return codes.matches(purpose, code, stored) ? account : undefined
  }

  const makeInvitation = async (admin: Admin): Promise<string> => {
    const { code, stored } = codes.make('admin-invitation', admin.documentId, invitationMs)
    await documents.update(type(), admin.documentId, { registrationToken: stored }, write)
    mail.send('admin-invitation', admin, () => Promise.resolve(code))
    return code
  }

  return {
    list: accounts.list,
    count: accounts.count,
    find,
    create: (draft, time) => create({ ...draft, isActive: true }, time),

    invite: async (draft, time) => {
      const admin = await create({ ...draft, isActive: false }, time)
      return { admin, registrationToken: await makeInvitation(admin) }
    },

    findInvited: async (code) => {
      const account = await findByCode(code, 'admin-invitation')
      return account === undefined ? undefined : toAdmin(account)
    },

    accept: (code, acceptance, time) =>
      alone(time, async () => {
        const account = await findByCode(code, 'admin-invitation')
        if (account === undefined) return undefined
        const accepted = { ...acceptance, isActive: true, registrationToken: null }
        return change(account, accepted, time)
      }),

    update: (id, data, { currentPassword, time } = {}) =>
      alone(time, async () => {
        const account = await accounts.findById(id)
        if (account === undefined) return undefined
        if (currentPassword !== undefined && !(await isOwn(account, currentPassword)))
          throw fail('validation', { message: 'Invalid credentials' })
        if (data.isActive === false || data.blocked === true) await keepOneActive(account)
        const email = (data.email ?? account.email).toLowerCase()
        const whole = { ...data, email, ...endedCodes(account, { ...data, email }) }
        const admin = await unlessTaken(email, id, () => change(account, whole, time))
        if (admin === undefined) return undefined
        const isWaitedFor = account.registrationToken !== null && !changesEntry(data)
        return email !== account.email && isWaitedFor
          ? { admin, registrationToken: await makeInvitation(admin) }
          : { admin }
      }),

    remove: (id, time) =>
      alone(time, async () => {
        const account = await accounts.findById(id)
        if (account === undefined) return undefined
        await keepOneActive(account)
        await documents.delete(type(), account.documentId, { ...write, time })
        adminChanged(id)
        return toAdmin(account)
      }),

    createFirst: (draft, time) =>
      alone(time, async () =>
        (await accounts.count()) > 0 ? undefined : create({ ...draft, isActive: true }, time),
      ),

    verify: async (email, password) => {
      const account = await accounts.findByEmail(email)
      return (await isOwn(account, password)) && account !== undefined
        ? toAdmin(account)
        : undefined
    },

    forgotPassword: async (email) => {
      const account = await accounts.findByEmail(email)
      if (account === undefined || !isUsable(account)) return
      mail.send('admin-reset-password', account, async () => {
        const { documentId } = account
        const { code, stored } = codes.make('admin-reset-password', documentId, resetMs)
        await documents.update(type(), documentId, { resetPasswordToken: stored }, write)
        return code
      })
    },

    resetPassword: (code, password, time) =>
      alone(time, async () => {
        const account = await findByCode(code, 'admin-reset-password')
        if (account === undefined || !isUsable(account)) return undefined
        return change(account, { password, resetPasswordToken: null }, time)
      }),

    issueToken: async (id) => jwts.sign('admin', id, (await accounts.findById(id))?.password),
  }
}

/** Where an admin keeps the hash of a code, by what the code is for. */
const codeFields = {
  'admin-invitation': 'registrationToken',
  'admin-reset-password': 'resetPasswordToken',
} as const

const invitationMs = 7 * 86_400_000
const resetMs = 3_600_000

const isUsable = ({ isActive, blocked }: Admin): boolean => isActive && !blocked

/** Whether somebody who may log in has this password; it takes as long where there is nobody. */
const isOwn = async (account: AdminAccount | undefined, password: string): Promise<boolean> => {
  const matches = await verifyPassword(account?.password, password)
  return matches && account !== undefined && isUsable(account)
}

/** Whoever is given a password, or switched on or off, is not waited for any more. */
const changesEntry = ({ password, isActive }: AdminChange): boolean =>
  password !== undefined || isActive !== undefined

/** Codes are for the address that they were mailed to, and for as long as nobody else sees to the account. */
function endedCodes({ email }: AdminAccount, change: AdminChange & { email: string }): object {
  const moved = change.email !== email
  return {
    ...(moved || changesEntry(change) ? { registrationToken: null } : {}),
    ...(moved || change.password !== undefined ? { resetPasswordToken: null } : {}),
  }
}

const emailTaken = (): ApiError => fail('application', { message: 'Email already taken' })
