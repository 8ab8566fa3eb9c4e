import { createHash } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = 23

/**
 * Derives a documentId (docs/internals/storage.md, "An entry version") from the Strapi 3 id of a row. The result only
 * depends on the arguments, so documents keep their documentIds in a second import.
 * @param v3Id the old id in hexadecimal
 */
export function deriveId(uid: string, v3Id: string): string {
  const hash = createHash('sha256').update(`${uid} ${v3Id}`).digest()
  const number = BigInt(`0x${hash.subarray(1, 17).toString('hex')}`)
  const rest = number.toString(36).padStart(digits, '0').slice(-digits)
  return `${letters.charAt((hash[0] ?? 0) % letters.length)}${rest}`
}
