import type { ClientSession, Db } from 'mongodb'
import type { TarWriter } from './archive/write-tar.js'
import { ExportRefused, type ChosenMoment } from './choose-moment.js'
import type { Manifest } from './manifest.js'
import { createArchive } from './write-archive.js'
import { isUnfinished, writeBackup, type BackupParts, type Written } from './write-backup.js'

/** What is exported, and where it goes. */
export type ExportParts = Omit<BackupParts, 'session'> &
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
  { moment, session }: ChosenMoment,
): Promise<Exported> {
  const { db, registry, selection, secrets, quire, tar } = parts
  await refuseOthers(db, session, registry.version)
  const unfinished = await isUnfinished({ db, session })
  const exportedAt = new Date().toISOString()
  const { asked } = selection
  const manifest: Manifest = {
    quire,
    exportedAt,
    moment,
    unfinished,
    asked,
    secrets,
  }
  const archive = await createArchive(tar, manifest)
  const written = await writeBackup({ ...parts, session }, archive)
  const tokensAreLost = written.tokens > 0 && !secrets && !parts.hasTokenSalt
  const checksum = await archive.end({ ...written, tokensAreLost })
  return { exportedAt, moment, asked, secrets, ...written, tokensAreLost, checksum }
}

/** By others than those that were read before, entries would be looked for elsewhere. */
async function refuseOthers(
  db: Db,
  session: ClientSession | undefined,
  version: number,
): Promise<void> {
  const found = await db
    .collection<{ _id: string; value: number }>('_schemas')
    .findOne({ _id: 'version' }, session === undefined ? {} : { session })
  if ((found?.value ?? 0) !== version)
    throw new ExportRefused('The definitions were changed while the export began: run it again')
}
