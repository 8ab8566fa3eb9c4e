import { hash, timingSafeEqual } from 'node:crypto'

/** Of what nobody is to read in the database. */
export const digest = (text: string): string => hash('sha256', text, 'base64url')

/** Compares two texts in a time that does not tell where they differ. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
