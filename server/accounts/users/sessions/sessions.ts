import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { durable } from '../../../../engine/database/durability.js'
import { createBriefCache } from '../../brief-cache.js'
import { createMacs, digest } from '../../texts.js'
import type { Account } from '../user-accounts.js'

/** A document of `_sessions`: a login on one device. Ends when the user's password changes. Contains no secret. */
type SessionDocument = {
  _id: string
  user: number
  deviceId: string
  /** Number of refreshes. */
  generation: number
  refreshedAt: Date
  /** Digest of the password hash at login. */
  password: string
  /** Each refresh postpones this time. A TTL index deletes expired sessions. */
  expiresAt: Date
  /** The session ends at this time even if it is refreshed. */
  endsAt: Date
}

/** Maximum lifetime in seconds: without a refresh (`idleS`), and in total (`maxS`). */
type SessionLife = Readonly<{ idleS: number; maxS: number }>

export type OpenSession = Readonly<{ sessionId: string; refreshToken: string }>

export type Sessions = ReturnType<typeof createSessions>

type Dependencies = Readonly<{
  db: Db
  secrets: readonly [string, ...string[]]
  life: SessionLife
  /** Returns undefined if the user is not allowed to be logged in. */
  findUser: (id: number) => Promise<Account | undefined>
  now?: () => number
}>

/**
 * Manages sessions for `auth.mode=refresh` (docs/internals/decisions.md, "Sessions"). A session that one instance ends
 * is ended in all (docs/database.md, "Several instances").
 */
export function createSessions({ db, secrets, life, findUser, now = Date.now }: Dependencies) {
  const sessions = db.collection<SessionDocument>(collection)
  const tokens = createRefreshTokens(secrets)
  const isRunning = () => ({ expiresAt: { $gt: new Date(now()) } })
  const active = createBriefCache<string, true>({
    load: async (id) => {
      const found = await sessions.findOne({ _id: id, ...isRunning() }, { projection: { _id: 1 } })
      return found === null ? undefined : true
    },
  })
  const end = async (filter: Readonly<{ _id?: string; user?: number; deviceId?: string }>) => {
    await sessions.deleteMany(filter, durable)
    active.forget()
  }
  const opened = (token: RefreshToken): OpenSession => ({
    sessionId: token.sessionId,
    refreshToken: tokens.make(token),
  })
  const expiry = (endsAt: number) => new Date(Math.min(now() + life.idleS * 1000, endsAt))

  return {
    open: async (account: Account, deviceId: string): Promise<OpenSession> => {
      const token = { sessionId: randomBytes(18).toString('base64url'), generation: 0 }
      const endsAt = now() + life.maxS * 1000
      await sessions.insertOne(
        {
          _id: token.sessionId,
          user: account.id,
          deviceId,
          generation: 0,
          refreshedAt: new Date(now()),
          password: digestOf(account),
          expiresAt: expiry(endsAt),
          endsAt: new Date(endsAt),
        },
        durable,
      )
      return opened(token)
    },

    /**
     * Exchanges a refresh token for the next one. Returns `reused` and ends the session if the token was exchanged
     * before, because somebody else may have it.
     */
    refresh: async (text: string) => {
      const token = tokens.read(text)
      if (token === undefined) return 'invalid'
      const { sessionId, generation } = token
      const session = await sessions.findOne({ _id: sessionId, ...isRunning() })
      if (session === null) return 'invalid'
      const account = await findUser(session.user)
      if (account === undefined || digestOf(account) !== session.password) {
        await end({ _id: sessionId })
        return 'invalid'
      }
      const next = { sessionId, generation: generation + 1 }
      const { modifiedCount } = await sessions.updateOne(
        { _id: sessionId, generation },
        {
          $set: {
            generation: next.generation,
            refreshedAt: new Date(now()),
            expiresAt: expiry(session.endsAt.getTime()),
          },
        },
        durable,
      )
      if (modifiedCount === 1) return { ...opened(next), user: session.user }
      // Tabs that refresh at the same time, and clients that lost the response, get the same next token.
      const since = new Date(now() - graceMs)
      const isRecent = { _id: sessionId, generation: next.generation, refreshedAt: { $gt: since } }
      if ((await sessions.findOne(isRecent)) !== null)
        return { ...opened(next), user: session.user }
      if ((await sessions.findOne({ _id: sessionId })) === null) return 'invalid'
      await end({ _id: sessionId })
      return 'reused'
    },

    /** Returns the session id of a refresh token, even if the session has ended. */
    sessionOf: (text: string): string | undefined => tokens.read(text)?.sessionId,

    /** Drops the cached state of one session, or of all. */
    changed: (sessionId?: string) => active.forget(sessionId),

    /** Returns whether the session is active. The result is at most a second old. */
    isActive: async (sessionId: string) => (await active.get(sessionId)) === true,

    /** Ends one session (`_id`), the sessions on a device (`deviceId`), or all sessions of the user. */
    end: (user: number, which: Readonly<{ _id?: string; deviceId?: string }> = {}) =>
      end({ user, ...which }),
  }
}

/** Creates the indexes, including the TTL index that deletes expired sessions. */
export async function prepareSessions(db: Db): Promise<void> {
  await db
    .collection(collection)
    .createIndexes([{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }, { key: { user: 1 } }])
}

const collection = '_sessions'

/** Milliseconds for which an exchanged token still returns the same next token. */
const graceMs = 10_000

const digestOf = ({ password }: Account): string => digest(password ?? '')

/** `generation`: number of refreshes before the token was issued. */
type RefreshToken = Readonly<{ sessionId: string; generation: number }>

/**
 * Refresh tokens, `<sessionId>.<generation>.<mac>`, are derived from the secret and not stored. So the database cannot
 * leak them, and the newest one can be sent again if a response was lost.
 */
function createRefreshTokens(secrets: readonly [string, ...string[]]) {
  const macs = createMacs(secrets)
  return {
    make: ({ sessionId, generation }: RefreshToken): string => {
      const token = `${sessionId}.${generation}`
      return `${token}.${macs.make(`refresh-token:${token}`)}`
    },

    /** Returns undefined if the MAC is wrong. */
    read: (text: string): RefreshToken | undefined => {
      const [, token = '', sessionId = '', digits = '', mac = ''] = form.exec(text) ?? []
      return macs.accepts(`refresh-token:${token}`, mac)
        ? { sessionId, generation: Number(digits) }
        : undefined
    },
  }
}

const form = /^(([\w-]{24})\.(\d{1,9}))\.([\w-]{43})$/
