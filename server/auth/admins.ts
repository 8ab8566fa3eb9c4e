import { MongoServerError, type Db } from 'mongodb'
import { ApiError, fail } from '../../engine/errors.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import type { Services } from '../services.js'
import type { Admin, AdminDraft, Admins } from './access-control.js'
import { toAdmin, type AdminAccounts } from './admin-accounts.js'
import type { Jwts } from './jwt.js'
import { verifyPassword } from './passwords.js'

type Dependencies = Readonly<{
  services: Services
  accounts: AdminAccounts
  jwts: Jwts
}>

/** The admin users: who they are, how one becomes one, and how one logs in (D28). */
export function createAdmins({ services, accounts, jwts }: Dependencies): Admins {
  const create = async ({ email, ...rest }: AdminDraft): Promise<Admin> => {
    const type = typeOf(services.registry(), builtIn.adminUser)
    const data = { ...rest, email: email.toLowerCase(), isActive: true, blocked: false }
    if ((await accounts.findByEmail(email)) !== undefined) throw emailTaken()
    const { id } = await services.documents
      .create(type, data, { grant: fullGrant, actor: null })
      .catch(async (error: unknown) => {
        // Another request may have been first since we looked.
        if (error instanceof ApiError && (await accounts.findByEmail(email)) !== undefined)
          throw emailTaken()
        throw error
      })
    const account = await accounts.findById(id)
    if (account === undefined) throw new Error('An admin user disappeared while it was made')
    return toAdmin(account)
  }

  return {
    list: accounts.list,
    count: accounts.count,
    find: async (id) => {
      const account = await accounts.findById(id)
      return account === undefined ? undefined : toAdmin(account)
    },
    create,
    createFirst: async (draft) => {
      if ((await accounts.count()) > 0 || !(await claimFirst(services.db))) return undefined
      try {
        if ((await accounts.count()) > 0) return undefined
        return await create(draft)
      } finally {
        await claims(services.db).deleteOne({ _id: 'first-admin' })
      }
    },
    verify: async (email, password) => {
      const account = await accounts.findByEmail(email)
      const matches = await verifyPassword(account?.password, password)
      const usable = account !== undefined && account.isActive && !account.blocked
      return matches && usable ? toAdmin(account) : undefined
    },
    issueToken: async (id) => jwts.sign('admin', id, (await accounts.findById(id))?.password),
  }
}

/** Longer than it takes to make one admin; a process that dies meanwhile keeps nobody out for longer. */
const claimMs = 10_000

/**
 * Lets one of several requests at once make the first admin. A claim is `_settings { _id: 'first-admin' }`
 * with its time, and ends by itself.
 */
async function claimFirst(db: Db): Promise<boolean> {
  const now = new Date()
  try {
    await claims(db).updateOne(
      { _id: 'first-admin', at: { $lt: new Date(now.getTime() - claimMs) } },
      { $set: { at: now } },
      { upsert: true },
    )
    return true
  } catch (error) {
    // The claim is there and not old: the filter missed it, and the insert found it.
    if (error instanceof MongoServerError && error.code === 11_000) return false
    throw error
  }
}

const claims = (db: Db) => db.collection<{ _id: string; at: Date }>('_settings')

const emailTaken = (): ApiError => fail('application', { message: 'Email already taken' })
