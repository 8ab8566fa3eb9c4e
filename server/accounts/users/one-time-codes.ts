import { randomBytes } from 'node:crypto'
import { createMacs } from '../texts.js'

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>

/**
 * Codes that are mailed to a user and come back once. A code names the user, `<documentId>.<random>`, so that
 * it is found without a search; only its hash is stored, with its end: `<ms>.<hash>` (docs/decisions.md,
 * "Secrets are kept as hashes").
 */
export function createOneTimeCodes(secrets: readonly [string, ...string[]]) {
  const macs = createMacs(secrets)
  return {
    make: (purpose: string, documentId: string, lifeMs: number) => {
      const code = `${documentId}.${randomBytes(32).toString('base64url')}`
      return { code, stored: `${Date.now() + lifeMs}.${macs.make(`${purpose}:${code}`)}` }
    },

    /** The user whom a code names; anybody can write such a name. */
    documentIdOf: (code: string): string => code.slice(0, Math.max(0, code.indexOf('.'))),

    /** Whether a code is the one that was stored, under any of the secrets, and still valid. */
    matches: (purpose: string, code: string, stored: string | null): boolean => {
      const [end = '0', expected = ''] = stored?.split('.') ?? []
      return Number(end) > Date.now() && macs.accepts(`${purpose}:${code}`, expected)
    },
  }
}
