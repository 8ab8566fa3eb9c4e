import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { durable } from '../../../../engine/database/durability.js'
import { createBriefCache } from '../../brief-cache.js'
import { createMacs, digest } from '../../texts.js'
import type { Account } from '../user-accounts.js'

/**
 * What `_sessions` holds: a login on one device, until it is over, was ended, or its user has another password.
 * Nothing of it is a secret.
 */
type SessionDocument = {
  _id: string
  /** Record id of the user. */
  user: number
  deviceId: string
  /** How often it was refreshed. */
  generation: number
  refreshedAt: Date
  /** A digest of the password's hash as it was. */
  password: string
  /** When it ends if nobody refreshes it; the database forgets it then. */
  expiresAt: Date
  /** When it ends in any case. */
  endsAt: Date
}

/** Seconds that a session lasts without being refreshed, and at most. */
type SessionLife = Readonly<{ idleS: number; maxS: number }>

export type OpenSession = Readonly<{ sessionId: string; refreshToken: string }>

export type Sessions = ReturnType<typeof createSessions>

type Dependencies = Readonly<{
  db: Db
  secrets: readonly [string, ...string[]]
  life: SessionLife
  /** The user of a session, where they may still be logged in. */
  findUser: (id: number) => Promise<Account | undefined>
  now?: () => number
}>

/**
 * Sessions of `auth.mode=refresh` (docs/decisions.md, "Sessions"), the same for all instances of a database: what is
 * ended in one has ended in the others (docs/database.md, "Several instances").
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
    /** Begins a session of a user, as they are now. */
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
     * Exchanges a refresh token for the next one; it is worth nothing from then on.
     * @returns `reused`: one that was exchanged before came again, so somebody else may have it; the session is ended
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
      // Tabs that refresh at once, and a client whose answer was lost, are told the same.
      const since = new Date(now() - graceMs)
      const isRecent = { _id: sessionId, generation: next.generation, refreshedAt: { $gt: since } }
      if ((await sessions.findOne(isRecent)) !== null)
        return { ...opened(next), user: session.user }
      if ((await sessions.findOne({ _id: sessionId })) === null) return 'invalid'
      await end({ _id: sessionId })
      return 'reused'
    },

    /** The session that a refresh token is of, whether it still is one or not. */
    sessionOf: (text: string): string | undefined => tokens.read(text)?.sessionId,

    /** One session was changed elsewhere, or any. */
    changed: (sessionId?: string) => active.forget(sessionId),

    /** Whether a session is running; at most a second old. */
    isActive: async (sessionId: string) => (await active.get(sessionId)) === true,

    /** Ends one session of a user, those on a device, or all of them. */
    end: (user: number, which: Readonly<{ _id?: string; deviceId?: string }> = {}) =>
      end({ user, ...which }),
  }
}

/** Makes the indexes of sessions; the database forgets those that are over. */
export async function prepareSessions(db: Db): Promise<void> {
  await db
    .collection(collection)
    .createIndexes([{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }, { key: { user: 1 } }])
}

const collection = '_sessions'

/** How long a token that was just exchanged is answered with the same next one. */
const graceMs = 10_000

const digestOf = ({ password }: Account): string => digest(password ?? '')

/** What a refresh token says: which session it is of, and how often that was refreshed when it was made. */
type RefreshToken = Readonly<{ sessionId: string; generation: number }>

/**
 * Texts of refresh tokens: `<sessionId>.<generation>.<mac>`. They are made of the secret and kept nowhere, so that
 * the database cannot give one away, and the newest of a session can be told again to a client whose answer was
 * lost.
 */
function createRefreshTokens(secrets: readonly [string, ...string[]]) {
  const macs = createMacs(secrets)
  return {
    make: ({ sessionId, generation }: RefreshToken): string => {
      const token = `${sessionId}.${generation}`
      return `${token}.${macs.make(`refresh-token:${token}`)}`
    },

    /** What a text says; undefined for one that was not made here. */
    read: (text: string): RefreshToken | undefined => {
      const [, token = '', sessionId = '', digits = '', mac = ''] = form.exec(text) ?? []
      return macs.accepts(`refresh-token:${token}`, mac)
        ? { sessionId, generation: Number(digits) }
        : undefined
    },
  }
}

const form = /^(([\w-]{24})\.(\d{1,9}))\.([\w-]{43})$/
