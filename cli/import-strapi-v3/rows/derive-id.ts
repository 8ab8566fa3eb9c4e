import { createHash } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = 23

/**
 * The documentId of what had an id in a Strapi 3, in the form of all others (docs/storage.md, "An entry version"): the
 * same whenever and wherever it is imported, so that a second import gives the same addresses.
 * @param uid of the type here
 * @param formerId in hexadecimal
 */
export function deriveId(uid: string, formerId: string): string {
  const hash = createHash('sha256').update(`${uid} ${formerId}`).digest()
  const number = BigInt(`0x${hash.subarray(1, 17).toString('hex')}`)
  const rest = number.toString(36).padStart(digits, '0').slice(-digits)
  return `${letters.charAt((hash[0] ?? 0) % letters.length)}${rest}`
}
