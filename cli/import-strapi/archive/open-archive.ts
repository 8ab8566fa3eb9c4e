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

/** Options of reading an archive. */
type Reading = Readonly<{
  /** The files that are needed, so that a generated archive need not create the others. Default: all. */
  only?: 'content' | 'assets'
  /** Receives the bytes of the archive itself. It gets all of them if the archive is read to its end. */
  hash?: Hash
  /** Collects what is left out before it becomes a file. Only generated archives use it. */
  notes?: Notes
}>

/** The result of `strapi export` (a tar, possibly compressed or encrypted), or a source with the same files. */
export type Archive = Readonly<{
  /**
   * Yields its files in their order, like `tarFilesOf`.
   * @throws ArchiveError if it is damaged or cut off
   */
  files: (reading?: Reading) => AsyncGenerator<ArchiveFile>
}>

/**
 * Opens an archive. Its first bytes determine its format, not its name.
 * @param key key of an encrypted archive
 * @throws ArchiveError if it is not an archive, or if the key is missing or wrong
 */
export async function openArchive(file: string, key: string | undefined): Promise<Archive> {
  const start = await startOf(file)
  const isPacked = isGzip(start)
  if (isPacked || isTar(start)) return archiveOf(file, { isPacked })
  // Strapi only compresses with gzip.
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
