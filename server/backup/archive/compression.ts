import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { isGzip, isTar, isZstd } from './magic.js'
import { archiveOfStrapi } from './other-archives.js'
import { ArchiveError, startOf } from './tar-files.js'

/** Functions of `node:zlib` that are absent before Node 22.15. */
type Zstd = Readonly<{
  createZstdCompress?: () => Transform
  createZstdDecompress?: () => Transform
}>

const { createZstdCompress, createZstdDecompress } = zlib as Zstd

const noZstd =
  'This version of Node does not support Zstandard (.zst). Use Node 22.15 or later, or .tar.gz'

/** Archive formats, named after file extensions. */
export const archiveForms = ['tar', 'tar.gz', 'tar.zst'] as const
export type ArchiveForm = (typeof archiveForms)[number]

/** Returns the streams that compress a tar. Throws ArchiveError if this version of Node does not support the format. */
export function packingOf(form: ArchiveForm): readonly Transform[] {
  if (form === 'tar') return []
  if (form === 'tar.gz') return [zlib.createGzip()]
  if (createZstdCompress === undefined) throw new ArchiveError(noZstd)
  return [createZstdCompress()]
}

/** Returns the format of a file name. Throws ArchiveError for unknown extensions. */
export function formOf(file: string): ArchiveForm {
  if (/\.tar$/i.test(file)) return 'tar'
  if (/\.(?:tar\.gz|tgz)$/i.test(file)) return 'tar.gz'
  if (/\.(?:tar\.zst|tzst)$/i.test(file)) return 'tar.zst'
  throw new ArchiveError(`The name ${file} must end in .tar, .tar.gz or .tar.zst`)
}

/**
 * Returns a factory of decompressing streams. Detects the format from the first bytes, not from the name. Throws
 * ArchiveError if the file is not a tar.
 */
export async function decompressionOf(file: string): Promise<() => readonly Transform[]> {
  const start = await startOf(file)
  if (isTar(start)) return () => []
  if (isGzip(start)) return () => [zlib.createGunzip()]
  if (file.endsWith('.enc')) throw archiveOfStrapi()
  if (!isZstd(start)) throw new ArchiveError(`${file} is not a .tar, .tar.gz or .tar.zst archive`)
  if (createZstdDecompress === undefined) throw new ArchiveError(noZstd)
  return () => [createZstdDecompress()]
}
