import { underway } from '../../engine/database/own-collections.js'
import { readVersion } from '../content-types/definition-store.js'
import type { TarWriter } from './archive/write-tar.js'
import { ExportRefused, type ChosenMoment } from './choose-moment.js'
import type { Manifest } from './manifest.js'
import { createArchive } from './write-archive.js'
import { writeBackup, type BackupParts, type Written } from './write-backup.js'

/** What is exported, and where it goes. */
type ExportParts = Omit<BackupParts, 'reading'> &
  Readonly<{
    tar: Pick<TarWriter, 'add'>
    /** The version of this Quire. */
    quire: string
    /** Whether the secret that API tokens are hashed with is known elsewhere, too. */
    hasTokenSalt: boolean
  }>

/** What is in an archive. */
export type Exported = Pick<Manifest, 'exportedAt' | 'moment' | 'asked' | 'secrets'> &
  Written &
  Readonly<{
    /** Whether API tokens are good for nothing where only this archive is known. */
    tokensAreLost: boolean
    /** SHA-256 that identifies what is in it, however it is packed. */
    checksum: string
  }>

/** Writes an archive as of a moment; whoever made the tar finishes it. */
export async function exportAt(
  parts: ExportParts,
  { moment, reading }: ChosenMoment,
): Promise<Exported> {
  const { db, registry, selection, secrets, quire, tar } = parts
  // By other definitions than those that were read before, entries would be looked for elsewhere.
  if ((await readVersion(db, reading)) !== registry.version)
    throw new ExportRefused('The definitions were changed while the export began: run it again')
  const noted = await db.collection(underway).findOne({}, { ...reading, projection: { _id: 1 } })
  const { asked } = selection
  const about = { exportedAt: new Date().toISOString(), moment, asked, secrets }
  const archive = await createArchive(tar, { quire, unfinished: noted !== null, ...about })
  const written = await writeBackup({ ...parts, reading }, archive)
  const tokensAreLost = written.tokens > 0 && !secrets && !parts.hasTokenSalt
  const checksum = await archive.end({ ...written, tokensAreLost })
  return { ...about, ...written, tokensAreLost, checksum }
}
