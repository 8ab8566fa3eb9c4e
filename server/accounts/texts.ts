import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** Of what nobody is to read in the database. */
export const digest = (text: string): string => hash('sha256', text, 'base64url')

/** Compares two texts in a time that does not tell where they differ. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export type Macs = ReturnType<typeof createMacs>

/**
 * Makes MACs of texts, and checks them. The first secret makes them; those of the others, which were first before, are
 * still accepted.
 */
export function createMacs(secrets: readonly [string, ...string[]]) {
  const macOf = (secret: string, text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url')
  return {
    make: (text: string): string => macOf(secrets[0], text),
    accepts: (text: string, mac: string): boolean =>
      secrets.some((secret) => isSameText(macOf(secret, text), mac)),
  }
}
