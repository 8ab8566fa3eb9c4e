import { createHash } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = 23

/**
 * Derives a documentId (docs/internals/storage.md, "An entry version") from the hexadecimal Strapi 3 id of a row. A
 * second import derives the same documentIds.
 */
export function deriveId(uid: string, v3Id: string): string {
  const hash = createHash('sha256').update(`${uid} ${v3Id}`).digest()
  const number = BigInt(`0x${hash.subarray(1, 17).toString('hex')}`)
  const rest = number.toString(36).padStart(digits, '0').slice(-digits)
  return `${letters.charAt((hash[0] ?? 0) % letters.length)}${rest}`
}
