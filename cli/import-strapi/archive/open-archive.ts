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

type Reading = Readonly<{
  /** Which files the caller needs. A generated archive may skip all others. Default: all files. */
  only?: 'content' | 'assets'
  /** Receives the raw bytes of the archive. They are only complete if the archive is read to its end. */
  hash?: Hash
  /** Receives reports about data that a generated archive leaves out. */
  notes: Notes
}>

/**
 * An export: the result of `strapi export`, which is a tar and may be compressed or encrypted, or a generator of the
 * same files. Yields the files in the order of the archive.
 * @throws ArchiveError if the archive is damaged or cut off
 */
export type Archive = (reading: Reading) => AsyncGenerator<ArchiveFile>

/**
 * Opens an archive, and decrypts it with `key` if necessary. The first bytes determine the format, not the file name.
 * @throws ArchiveError if the file is not an archive, or if the key is missing or wrong
 */
export async function openArchive(file: string, key: string | undefined): Promise<Archive> {
  const start = await startOf(file)
  const isPacked = isGzip(start)
  if (isPacked || isTar(start)) return archiveOf(file, { isPacked })
  // Zstandard means a backup of Quire, because Strapi only compresses with gzip.
  if (isZstd(start)) throw archiveOfQuire()
  if (key === undefined)
    throw new ArchiveError(
      `${file} is not a tar archive, compressed or not. If it is encrypted (.enc), give the key of the export (--key)`,
    )
  const found = findDecryption(start, key)
  if (found === undefined)
    throw new ArchiveError(`${file} is not an export of Strapi, or the key (--key) is wrong`)
  return archiveOf(file, found)
}

const archiveOf =
  (file: string, { isPacked, decrypt = () => [] }: Form): Archive =>
  ({ hash }) =>
    tarFilesOf(file, { unpack: [...decrypt(), ...(isPacked ? [createGunzip()] : [])], hash })
