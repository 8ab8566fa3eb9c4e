import type { Hash } from 'node:crypto'
import { createGunzip } from 'node:zlib'
import { isGzip, isTar, isZstd } from '../../../server/backup/archive/magic.js'
import { archiveOfQuire } from '../../../server/backup/archive/other-archives.js'
import {
  ArchiveError,
  startOf,
  tarFilesOf,
  type ArchiveFile,
} from '../../../server/backup/archive/tar-files.js'
import type { Notes } from '../notes.js'
import { findDecryption, type Form } from './decryption.js'

/** What is read of an archive, and who is told of it. */
type Reading = Readonly<{
  /** What is looked at, so that what is made while it is read need not make the rest; everything where it is not said. */
  only?: 'content' | 'assets'
  /** Gets the bytes of the archive itself, all of them where it is gone through to the end. */
  hash?: Hash
  /** Told what is left out before it is a file: only what is no archive on a disk has any of it. */
  notes?: Notes
}>

/** What `strapi export` wrote (a tar, perhaps compressed, perhaps encrypted), or what has the same files. */
export type Archive = Readonly<{
  /**
   * Its files, in their order, as `tarFilesOf` has them.
   * @throws ArchiveError where it is damaged or cut off
   */
  files: (reading?: Reading) => AsyncGenerator<ArchiveFile>
}>

/**
 * Looks at how a file was written: by its first bytes, whatever it is called.
 * @param key of an encrypted one
 * @throws ArchiveError where it is none, or the key is missing or another one
 */
export async function openArchive(file: string, key: string | undefined): Promise<Archive> {
  const start = await startOf(file)
  const isPacked = isGzip(start)
  if (isPacked || isTar(start)) return archiveOf(file, { isPacked })
  // Strapi compresses by gzip alone.
  if (isZstd(start)) throw archiveOfQuire()
  if (key === undefined)
    throw new ArchiveError(
      `${file} is no tar, nor a compressed one: where it is encrypted (.enc), give the key that it was exported with (--key)`,
    )
  const found = findDecryption(start, key)
  if (found === undefined)
    throw new ArchiveError(
      `${file} is no export of Strapi's that this key (--key) opens: the key is another one, or the file is`,
    )
  return archiveOf(file, found)
}

const archiveOf = (file: string, { isPacked, decrypt = () => [] }: Form): Archive => ({
  files: ({ hash } = {}) =>
    tarFilesOf(file, { unpack: [...decrypt(), ...(isPacked ? [createGunzip()] : [])], hash }),
})
