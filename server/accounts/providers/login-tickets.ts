import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { isDuplicateKey } from '../../../engine/database/duplicate-key.js'
import type { ProviderName } from '../../settings/provider-settings.js'
import { digest } from '../texts.js'
import { loginLifeS } from './begun-logins.js'
import type { Profile } from './read-profile.js'

/** What `_provider_logins` holds: states that came back, and tickets, by their digests; the database forgets them. */
type LoginDocument = {
  /** `state:<digest>` or `ticket:<digest>`. */
  _id: string
  provider: ProviderName
  profile?: Profile
  expiresAt: Date
}

export type LoginTickets = ReturnType<typeof createLoginTickets>

/**
 * Tickets for logins that providers have answered for (docs/decisions.md, "Login by providers"): what the page that
 * finishes one is given as `access_token`. The same for all instances of a database.
 */
export function createLoginTickets(db: Db, now: () => number = Date.now) {
  const logins = db.collection<LoginDocument>(collection)
  const inS = (seconds: number): Date => new Date(now() + seconds * 1000)
  return {
    /** Whether a state comes back for the first time. */
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

    /** A ticket for what a provider has told. */
    issue: async (provider: ProviderName, profile: Profile): Promise<string> => {
      const ticket = randomBytes(32).toString('base64url')
      const _id = `ticket:${digest(ticket)}`
      await logins.insertOne({ _id, provider, profile, expiresAt: inS(ticketLifeS) })
      return ticket
    },

    /** What a ticket of a provider is for; undefined for one that is not, was used, or is over. */
    redeem: async (provider: ProviderName, ticket: string): Promise<Profile | undefined> => {
      const found = await logins.findOneAndUpdate(
        { _id: `ticket:${digest(ticket)}`, provider, expiresAt: { $gt: new Date(now()) } },
        { $min: { expiresAt: inS(graceS) } },
      )
      return found?.profile
    },
  }
}

/** Makes the index by which the database forgets what is over. */
export async function prepareLoginTickets(db: Db): Promise<void> {
  await db.collection(collection).createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 })
}

const collection = '_provider_logins'

/** How long a page has to come with its ticket. */
const ticketLifeS = 300

/** How long a ticket that was used is still taken: a page that asks twice, or whose answer was lost, is told the same. */
const graceS = 10
