import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** Hashes a string that must not be readable in the database. */
export const digest = (text: string): string => hash('sha256', text, 'base64url')

/** Compares two strings in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export type Macs = ReturnType<typeof createMacs>

/** Creates and verifies MACs. The first secret creates; the others only verify. */
export function createMacs(secrets: readonly [string, ...string[]]) {
  const macOf = (secret: string, text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url')
  return {
    make: (text: string): string => macOf(secrets[0], text),
    accepts: (text: string, mac: string): boolean =>
      secrets.some((secret) => isSameText(macOf(secret, text), mac)),
  }
}
