import { writeConcern } from '../../../engine/database/durability.js'
import { ApiError } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { Timeline } from '../../../engine/timeline.js'
import type { HttpRequest, Json } from '../../http/route.js'
import type { Services } from '../../services.js'
import { unlessTaken } from '../unless-taken.js'
import type { Account, UserAccounts } from './user-accounts.js'

export type UserWrites = ReturnType<typeof createUserWrites>

/** The time limit of a write, and the timeline of its stages. */
export type WriteTiming = Pick<HttpRequest, 'time' | 'timeline'>

/** Writes users for the auth routes. */
export function createUserWrites(
  services: Services,
  accounts: UserAccounts,
  userChanged: (id: number) => void,
) {
  const userType = () => typeOf(services.registry(), builtIn.user)
  const own = { grant: fullGrant, actor: null }

  const show = async (id: number, timeline?: Timeline): Promise<Json> => {
    const { bytes } = await services.documents.findOne(
      userType(),
      { id },
      { search: '', grant: fullGrant, envelope: 'bare', timeline },
    )
    return JSON.parse(new TextDecoder().decode(bytes)) as Json
  }

  return {
    show,

    /** Throws `application` if the name or the address is taken. */
    register: async (
      data: Readonly<{ username: string; email: string; [attribute: string]: unknown }>,
      { time, timeline }: WriteTiming,
    ): Promise<number> => {
      const { id } = await unlessTaken(
        () => accounts.isTaken(data.username, data.email),
        'Email or Username are already taken',
        () => services.documents.create(userType(), data, { ...own, time, timeline }),
      )
      return id
    },

    update: async (
      { id, documentId }: Pick<Account, 'id' | 'documentId'>,
      data: unknown,
    ): Promise<void> => {
      await services.documents.update(userType(), documentId, data, own)
      userChanged(id)
    },

    /** Returns false without writing if the user was written since `account` was read. */
    updateUnchanged: async (
      account: Account,
      data: unknown,
      { time, timeline }: WriteTiming,
    ): Promise<boolean> => {
      const { id, documentId, revision } = account
      const write = { ...own, ifRevision: revision, time, timeline }
      try {
        await services.documents.update(userType(), documentId, data, write)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'precondition-failed') return false
        throw error
      }
      userChanged(id)
      return true
    },

    /** Writes only the hash and `_revision`, not even `updatedAt`. Does nothing if the user was written meanwhile. */
    replaceHash: async (
      { id, revision, password: before }: Account,
      password: string,
    ): Promise<void> => {
      const set = { password, _revision: Math.max(revision + 1, Date.now()) }
      const isSame = { _id: id, _revision: revision, password: before }
      const { db } = services
      const users = db.collection<{ _id: number; _revision: number; password: string | null }>(
        'users',
      )
      const { matchedCount } = await users.updateOne(
        isSame,
        { $set: set },
        await writeConcern(db, true),
      )
      if (matchedCount > 0) userChanged(id)
    },
  }
}
