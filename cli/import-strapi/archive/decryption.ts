import { createDecipheriv, scryptSync, type Decipher } from 'node:crypto'
import { Transform } from 'node:stream'
import { isGzip, isTar } from '../../../server/backup/archive/magic.js'

/** Strapi encrypts by AES in ECB mode; the key comes of the text that was given, by scrypt with Node's costs. */
const algorithm = 'aes-128-ecb'
const keyBytes = 16
const blockBytes = 16

/**
 * Since a salt of its own is in front of what is encrypted: a mark with a zero behind it, the version of the form, how
 * long the salt is, and the salt.
 */
const mark = Buffer.from('STRAPI2\0')
const version = 2
const saltBytes = 16
const headerBytes = mark.length + 2 + saltBytes

/** What the salt was before that, in different versions of Strapi. */
const formerSalts = ['', 'strapi-data-transfer']

/** How the bytes of an export become a tar. */
export type Form = Readonly<{
  isPacked: boolean
  /** What the bytes of an encrypted one go through, one after the other. */
  decrypt?: () => readonly Transform[]
}>

/**
 * The way in which the beginning of a file becomes a tar, or a compressed one, with this key; undefined where there is
 * none.
 */
export function findDecryption(start: Buffer, text: string): Form | undefined {
  const ownSalt = saltIn(start)
  const skipped = ownSalt === undefined ? 0 : headerBytes
  for (const salt of ownSalt === undefined ? formerSalts : [ownSalt]) {
    const key = scryptSync(text, salt, keyBytes)
    const begun = decipherOf(key)
      .setAutoPadding(false)
      .update(wholeBlocks(start.subarray(skipped)))
    if (!isGzip(begun) && !isTar(begun)) continue
    const decrypt = () => [...(skipped === 0 ? [] : [without(skipped)]), decipherOf(key)]
    return { isPacked: isGzip(begun), decrypt }
  }
  return undefined
}

function saltIn(start: Buffer): Buffer | undefined {
  const isMarked =
    start.length >= headerBytes &&
    mark.equals(start.subarray(0, mark.length)) &&
    start[mark.length] === version &&
    start[mark.length + 1] === saltBytes
  return isMarked ? start.subarray(mark.length + 2, headerBytes) : undefined
}

const decipherOf = (key: Buffer): Decipher => createDecipheriv(algorithm, key, null)

const wholeBlocks = (bytes: Buffer): Buffer =>
  bytes.subarray(0, bytes.length - (bytes.length % blockBytes))

/** Passes over the first bytes. */
function without(count: number): Transform {
  let left = count
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      const cut = Math.min(left, chunk.byteLength)
      left -= cut
      done(null, chunk.subarray(cut))
    },
  })
}
