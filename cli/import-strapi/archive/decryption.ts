import { createDecipheriv, scryptSync, type Decipher } from 'node:crypto'
import { Transform } from 'node:stream'
import { isGzip, isTar } from '../../../server/backup/archive/magic.js'

/** Strapi encrypts with AES in ECB mode. The key is derived with scrypt and Node's default cost parameters. */
const algorithm = 'aes-128-ecb'
const keyBytes = 16
const blockBytes = 16

/**
 * Newer exports begin with these bytes, including the zero byte, followed by the format version, the length of the
 * random salt, and the salt.
 */
const mark = Buffer.from('STRAPI2\0')
const version = 2
const saltBytes = 16
const headerBytes = mark.length + 2 + saltBytes

/** The fixed salts of older exports, which contain no salt. */
const legacySalts = ['', 'strapi-data-transfer']

/** The steps that convert the bytes of an export to a tar. */
export type Form = Readonly<{
  isPacked: boolean
  /** Transforms in the order of their use. */
  decrypt?: () => readonly Transform[]
}>

/**
 * Returns how to read a file if the key decrypts its beginning to a tar or a gzipped tar. Otherwise returns undefined.
 */
export function findDecryption(start: Buffer, text: string): Form | undefined {
  const ownSalt = saltIn(start)
  const skipped = ownSalt === undefined ? 0 : headerBytes
  for (const salt of ownSalt === undefined ? legacySalts : [ownSalt]) {
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
