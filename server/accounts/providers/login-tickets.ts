import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { isDuplicateKey } from '../../../engine/database/duplicate-key.js'
import type { ProviderName } from '../../settings/provider-settings.js'
import { digest } from '../texts.js'
import { loginLifeS } from './begun-logins.js'
import type { Profile } from './read-profile.js'

/** A used OAuth state, or a ticket and its profile. A TTL index deletes expired documents. */
type LoginDocument = {
  /** `state:<digest>` or `ticket:<digest>`. */
  _id: string
  provider: ProviderName
  profile?: Profile
  expiresAt: Date
}

export type LoginTickets = ReturnType<typeof createLoginTickets>

/**
 * Tickets of logins that a provider has confirmed (docs/internals/decisions.md, "Login by providers"). The page that
 * finishes a login receives the ticket as `access_token`. Every instance accepts it.
 */
export function createLoginTickets(db: Db, now: () => number = Date.now) {
  const logins = db.collection<LoginDocument>(collection)
  const inS = (seconds: number): Date => new Date(now() + seconds * 1000)
  return {
    /** Marks a state as used. Returns false if it was used before. */
    takeState: async (provider: ProviderName, state: string): Promise<boolean> => {
      const _id = `state:${digest(state)}`
      try {
        await logins.insertOne({ _id, provider, expiresAt: inS(loginLifeS) })
        return true
      } catch (error) {
        if (isDuplicateKey(error)) return false
        throw error
      }
    },

    issue: async (provider: ProviderName, profile: Profile): Promise<string> => {
      const ticket = randomBytes(32).toString('base64url')
      const _id = `ticket:${digest(ticket)}`
      await logins.insertOne({ _id, provider, profile, expiresAt: inS(ticketLifeS) })
      return ticket
    },

    /** Returns undefined if the ticket is unknown, used or expired. */
    redeem: async (provider: ProviderName, ticket: string): Promise<Profile | undefined> => {
      const found = await logins.findOneAndUpdate(
        { _id: `ticket:${digest(ticket)}`, provider, expiresAt: { $gt: new Date(now()) } },
        { $min: { expiresAt: inS(graceS) } },
      )
      return found?.profile
    },
  }
}

/** Creates the TTL index. */
export async function prepareLoginTickets(db: Db): Promise<void> {
  await db.collection(collection).createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 })
}

const collection = '_provider_logins'

const ticketLifeS = 300

/** Seconds that a used ticket stays valid, for a page that lost the response or sends it twice. */
const graceS = 10
