import { fail } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { WriteTime } from '../../../engine/write-time.js'
import type { Services } from '../../services.js'
import type { Admin, AdminAccount, AdminAccounts } from './admin-accounts.js'
import type { Acceptance, AdminChange } from './admin-bodies.js'
import type { CodeMail } from '../users/code-mail.js'
import { claimWork } from '../claim-work.js'
import { createMailedCodes } from '../mailed-codes.js'
import type { Jwts } from '../jwt.js'
import type { Macs } from '../texts.js'
import { verifyPassword } from '../passwords.js'
import { unlessTaken } from '../unless-taken.js'

type AdminDraft = Readonly<{
  email: string
  password: string
  firstname: string | null
  lastname: string | null
}>

type Dependencies = Readonly<{
  services: Services
  accounts: AdminAccounts
  jwts: Jwts
  macs: Macs
  mail: CodeMail
  adminChanged: (id: number) => void
}>

/**
 * Manages admins and their logins (docs/internals/decisions.md, "Admins are apart"). A change that would leave no
 * active admin throws `validation`. Methods return undefined for an unknown id and for a wrong, used or expired code.
 */
export function createAdmins(dependencies: Dependencies) {
  const { services, accounts, jwts, macs, mail, adminChanged } = dependencies
  const { db, documents, registry } = services
  const type = () => typeOf(registry(), builtIn.adminUser)
  const write = { grant: fullGrant, actor: null }
  const alone = <T>(time: Time, work: () => Promise<T>): Promise<T> =>
    claimWork(db, 'admins', work, time)

  const find: (id: number) => Promise<Admin | undefined> = accounts.findById

  const unlessEmailTaken = <T>(email: string, own: number | null, write: () => Promise<T>) =>
    unlessTaken(
      async () => ((await accounts.findByEmail(email))?.id ?? own) !== own,
      'Email already taken',
      write,
    )

  const create = async (
    data: { email: string; [field: string]: unknown },
    time: Time,
  ): Promise<Admin> => {
    const email = data.email.toLowerCase()
    const { id } = await unlessEmailTaken(email, null, () =>
      documents.create(type(), { ...data, email, blocked: false }, { ...write, time }),
    )
    const admin = await find(id)
    if (admin === undefined) throw new Error('An admin user disappeared while it was created')
    return admin
  }

  const keepOneActive = async (account: AdminAccount): Promise<void> => {
    if (account.isActive && !account.blocked && !(await accounts.isActiveWithout(account.id)))
      throw fail('validation', 'You must have at least one active admin')
  }

  const change = async ({ id, documentId }: AdminAccount, data: object, time: Time) => {
    await documents.update(type(), documentId, data, { ...write, time })
    adminChanged(id)
    return find(id)
  }

  const mailed = createMailedCodes(macs, mail, accounts.findByDocumentId, (admin, data) =>
    documents.update(type(), admin.documentId, data, write),
  )
  const invite = async (admin: Admin): Promise<string> => {
    const code = await mailed.make('admin-invitation', admin)
    mail.send('admin-invitation', admin, () => Promise.resolve(code))
    return code
  }

  return {
    list: accounts.list,
    count: accounts.count,
    find,
    /** Throws `application` if the e-mail address is taken. */
    create: (draft: AdminDraft, time?: Time) => create({ ...draft, isActive: true }, time),

    /** Creates an inactive admin, and mails and returns the code that activates them. */
    invite: async (draft: Omit<AdminDraft, 'password'>, time?: Time) => {
      const admin = await create({ ...draft, isActive: false }, time)
      return { admin, registrationToken: await invite(admin) }
    },

    findInvited: (code: string): Promise<Admin | undefined> =>
      mailed.find('admin-invitation', code),

    accept: (code: string, acceptance: Acceptance, time?: Time) =>
      alone(time, async () => {
        const account = await mailed.find('admin-invitation', code)
        if (account === undefined) return undefined
        return change(account, { ...acceptance, isActive: true, registrationToken: null }, time)
      }),

    /**
     * Throws `application` if the e-mail address is taken, and `validation` if `currentPassword` is wrong. The password
     * is checked under the same lock as the change.
     */
    update: (id: number, data: AdminChange, { currentPassword, time }: UpdateOptions = {}) =>
      alone(time, async () => {
        const account = await accounts.findById(id)
        if (account === undefined) return undefined
        if (currentPassword !== undefined && !(await isOwn(account, currentPassword)))
          throw fail('validation', 'Invalid credentials')
        if (data.isActive === false || data.blocked === true) await keepOneActive(account)
        const email = (data.email ?? account.email).toLowerCase()
        const whole = { ...data, email, ...endedCodes(account, { ...data, email }) }
        const admin = await unlessEmailTaken(email, id, () => change(account, whole, time))
        if (admin === undefined) return undefined
        const isWaitedFor = account.registrationToken !== null && !changesEntry(data)
        // The pending invitation was mailed to the previous address.
        const isInvited = email !== account.email && isWaitedFor
        return { admin, registrationToken: isInvited ? await invite(admin) : undefined }
      }),

    remove: (id: number, time?: Time) =>
      alone(time, async (): Promise<Admin | undefined> => {
        const account = await accounts.findById(id)
        if (account === undefined) return undefined
        await keepOneActive(account)
        await documents.delete(type(), account.documentId, { ...write, time })
        adminChanged(id)
        return account
      }),

    /** Returns undefined if an admin already exists, even if a concurrent call created it. */
    createFirst: (draft: AdminDraft, time?: Time) =>
      alone(time, async () =>
        (await accounts.count()) > 0 ? undefined : create({ ...draft, isActive: true }, time),
      ),

    /** Returns undefined if e-mail address and password do not match, or if the admin is blocked or inactive. */
    verify: async (email: string, password: string): Promise<Admin | undefined> => {
      const account = await accounts.findByEmail(email)
      return (await isOwn(account, password)) ? account : undefined
    },

    /** Mails a reset code. Does nothing if the e-mail address is unknown or the admin is blocked or inactive. */
    forgotPassword: async (email: string) => {
      const account = await accounts.findByEmail(email)
      if (account !== undefined && isUsable(account)) mailed.send('admin-reset-password', account)
    },

    resetPassword: (code: string, password: string, time?: Time) =>
      alone(time, async () => {
        const account = await mailed.find('admin-reset-password', code)
        if (account === undefined || !isUsable(account)) return undefined
        return change(account, { password, resetPasswordToken: null }, time)
      }),

    issueToken: async (id: number) =>
      jwts.sign('admin', id, (await accounts.findById(id))?.password),
  }
}

type Time = WriteTime | undefined

type UpdateOptions = Readonly<{ currentPassword?: string | undefined; time?: Time }>

const isUsable = ({ isActive, blocked }: Admin): boolean => isActive && !blocked

/** Checks a login. Takes equally long if there is no account, so that the duration does not reveal this. */
const isOwn = async (account: AdminAccount | undefined, password: string): Promise<boolean> => {
  const matches = await verifyPassword(account?.password, password)
  return matches && account !== undefined && isUsable(account)
}

/** Returns whether a change makes a pending invitation obsolete. */
const changesEntry = ({ password, isActive }: AdminChange): boolean =>
  password !== undefined || isActive !== undefined

/**
 * Returns an update that sets the fields of invalidated codes to null. A new password or e-mail address invalidates
 * both the invitation and the reset code. Activating or deactivating the admin invalidates only the invitation.
 */
function endedCodes({ email }: AdminAccount, change: AdminChange & { email: string }): object {
  const moved = change.email !== email
  return {
    ...((moved || changesEntry(change)) && { registrationToken: null }),
    ...((moved || change.password !== undefined) && { resetPasswordToken: null }),
  }
}
