import { journalCollection } from '../../engine/database/own-collections.js'
import { readVersion } from '../content-types/definition-store.js'
import type { TarWriter } from './archive/write-tar.js'
import { ExportRefused, type ChosenMoment } from './read-consistently.js'
import type { Manifest } from './manifest.js'
import { createArchive } from './write-archive.js'
import { writeBackup, type BackupParts, type Written } from './write-backup.js'

type ExportParts = Omit<BackupParts, 'reading'> &
  Readonly<{
    tar: Pick<TarWriter, 'add'>
    /** Version of Quire. */
    quire: string
    /** Whether the secret that hashes API tokens is configured, and so is outside the database. */
    hasTokenSalt: boolean
  }>

/** The content of an archive. */
export type Exported = Pick<Manifest, 'exportedAt' | 'moment' | 'asked' | 'secrets'> &
  Written &
  Readonly<{
    /** Whether the archive lacks the secret that hashes API tokens, so that they cannot be restored from it alone. */
    tokensAreLost: boolean
    /** SHA-256 of the content, independent of compression. */
    checksum: string
  }>

/** Writes to the tar what the database contains at one point in time. Call the tar's `finish` afterwards. */
export async function exportAt(
  parts: ExportParts,
  { moment, reading }: ChosenMoment,
): Promise<Exported> {
  const { db, registry, selection, secrets, quire, tar } = parts
  // If the definitions have changed, the registry may name the wrong collections.
  if ((await readVersion(db, reading)) !== registry.version)
    throw new ExportRefused('The definitions changed while the export started. Run it again')
  const inFlight = await db
    .collection(journalCollection)
    .findOne({}, { ...reading, projection: { _id: 1 } })
  const { asked } = selection
  const about = { exportedAt: new Date().toISOString(), moment, asked, secrets }
  const archive = await createArchive(tar, { quire, unfinished: inFlight !== null, ...about })
  const written = await writeBackup({ ...parts, reading }, archive)
  const tokensAreLost = written.tokens > 0 && !secrets && !parts.hasTokenSalt
  const checksum = await archive.end({ ...written, tokensAreLost })
  return { ...about, ...written, tokensAreLost, checksum }
}
