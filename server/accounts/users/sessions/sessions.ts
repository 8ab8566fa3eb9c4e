import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { durable } from '../../../../engine/database/durability.js'
import { createBriefCache } from '../../brief-cache.js'
import { createMacs, digest } from '../../texts.js'
import type { Account } from '../user-accounts.js'

/**
 * A document of `_sessions`: a login on one device. It is valid until it expires, is ended, or its user's password
 * changes. It contains no secret.
 */
type SessionDocument = {
  _id: string
  /** Record id of the user. */
  user: number
  deviceId: string
  /** Number of refreshes so far. */
  generation: number
  refreshedAt: Date
  /** A digest of the password hash at login. */
  password: string
  /** Time at which the session expires unless it is refreshed. A TTL index then deletes it. */
  expiresAt: Date
  /** Time at which the session expires even if it is refreshed. */
  endsAt: Date
}

/** Maximum lifetime of a session in seconds: without a refresh (`idleS`), and in total (`maxS`). */
type SessionLife = Readonly<{ idleS: number; maxS: number }>

export type OpenSession = Readonly<{ sessionId: string; refreshToken: string }>

export type Sessions = ReturnType<typeof createSessions>

type Dependencies = Readonly<{
  db: Db
  secrets: readonly [string, ...string[]]
  life: SessionLife
  /** Returns the user of a session if they may still be logged in. */
  findUser: (id: number) => Promise<Account | undefined>
  now?: () => number
}>

/**
 * Manages sessions for `auth.mode=refresh` (docs/internals/decisions.md, "Sessions"). All instances of a database share
 * the sessions. If one instance ends a session, the session ends in the others too (docs/database.md, "Several
 * instances").
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
    /** Opens a session for a user. */
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
     * Exchanges a refresh token for the next one. The old token becomes invalid.
     * @returns `reused` if the token was exchanged before: somebody else may have it, so the session is ended
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
      // Several tabs that refresh at the same time get the same next token. So does a client that lost the response.
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

    /** Drops the cached state of one session, or of all sessions. */
    changed: (sessionId?: string) => active.forget(sessionId),

    /** Returns whether a session is active. The result is at most a second old. */
    isActive: async (sessionId: string) => (await active.get(sessionId)) === true,

    /** Ends sessions of a user: one session (`_id`), the sessions on a device (`deviceId`), or all sessions. */
    end: (user: number, which: Readonly<{ _id?: string; deviceId?: string }> = {}) =>
      end({ user, ...which }),
  }
}

/** Creates the indexes of sessions. A TTL index deletes expired ones. */
export async function prepareSessions(db: Db): Promise<void> {
  await db
    .collection(collection)
    .createIndexes([{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }, { key: { user: 1 } }])
}

const collection = '_sessions'

/** Time in milliseconds for which an exchanged token still returns the same next token. */
const graceMs = 10_000

const digestOf = ({ password }: Account): string => digest(password ?? '')

/** The content of a refresh token: its session, and the number of refreshes before the token was issued. */
type RefreshToken = Readonly<{ sessionId: string; generation: number }>

/**
 * Creates and reads refresh tokens: `<sessionId>.<generation>.<mac>`. They are derived from the secret and not stored,
 * so the database cannot leak them, and the newest token can be sent again if a response was lost.
 */
function createRefreshTokens(secrets: readonly [string, ...string[]]) {
  const macs = createMacs(secrets)
  return {
    make: ({ sessionId, generation }: RefreshToken): string => {
      const token = `${sessionId}.${generation}`
      return `${token}.${macs.make(`refresh-token:${token}`)}`
    },

    /** Returns the content of a token; undefined if its MAC is wrong. */
    read: (text: string): RefreshToken | undefined => {
      const [, token = '', sessionId = '', digits = '', mac = ''] = form.exec(text) ?? []
      return macs.accepts(`refresh-token:${token}`, mac)
        ? { sessionId, generation: Number(digits) }
        : undefined
    },
  }
}

const form = /^(([\w-]{24})\.(\d{1,9}))\.([\w-]{43})$/
