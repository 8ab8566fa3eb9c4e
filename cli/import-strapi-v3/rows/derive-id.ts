import { createHash } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = 23

/**
 * Derives the documentId of a row with an id in Strapi 3, in the usual format (docs/storage.md, "An entry version"). It
 * only depends on the arguments, so a second import results in the same addresses.
 * @param uid uid of the type in Quire
 * @param v3Id the id in hexadecimal
 */
export function deriveId(uid: string, v3Id: string): string {
  const hash = createHash('sha256').update(`${uid} ${v3Id}`).digest()
  const number = BigInt(`0x${hash.subarray(1, 17).toString('hex')}`)
  const rest = number.toString(36).padStart(digits, '0').slice(-digits)
  return `${letters.charAt((hash[0] ?? 0) % letters.length)}${rest}`
}
