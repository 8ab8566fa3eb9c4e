import type { Db } from 'mongodb'
import type { StorageProvider } from '../../../server/upload/storage-provider.js'
import type { ArchiveFile } from '../../../server/backup/archive/tar-files.js'
import { kindOf } from '../archive/exported.js'
import type { Archive } from '../archive/open-archive.js'
import type { Notes } from '../notes.js'
import { onProgress } from '../../progress.js'
import { putContent } from '../../media/put-content.js'
import { stagedAssets } from '../staging/staged.js'

type Parts = Readonly<{
  db: Db
  archive: Archive
  notes: Notes
  storage: StorageProvider
  /** `upload.sizeLimit`, in bytes. */
  sizeLimit: number
}>

/**
 * Puts the content of files where new content goes, each as a stream. What is there already in the right size is left;
 * so one that was cut off goes on.
 */
export async function writeAssets(
  parts: Parts,
): Promise<Readonly<{ files: number; bytes: number }>> {
  const { archive, notes } = parts
  let files = 0
  let bytes = 0
  for await (const file of archive.files({ only: 'assets', notes })) {
    if (kindOf(file.name) !== 'assets') continue
    if (!(await writeAsset(parts, file))) continue
    files += 1
    bytes += file.size
    onProgress(`Storing files: ${files}, ${Math.round(bytes / 1e6)} MB`)
  }
  await tellMissing(parts)
  return { files, bytes }
}

const assetName = ({ name }: ArchiveFile): string => name.slice('assets/uploads/'.length)

/** Answers whether it is there afterwards, for each file whose content it is. */
async function writeAsset(
  { db, notes, storage, sizeLimit }: Parts,
  file: ArchiveFile,
): Promise<boolean> {
  const from = assetName(file)
  const [first, ...others] = await stagedAssets(db).find({ from }).sort({ _id: 1 }).toArray()
  if (first === undefined) {
    notes.leftOut('files of the archive that no row speaks of', file.name.slice(0, 200))
    return false
  }
  await stagedAssets(db).updateMany({ from }, { $set: { isThere: true } })
  if (file.size > sizeLimit) {
    notes.leftOut('content of files that is larger than upload.sizeLimit', file.name)
    return false
  }
  await putContent(storage, first._id, file.size, () => Promise.resolve(file.content))
  for (const { _id } of others)
    await putContent(storage, _id, file.size, () => storage.open(first._id))
  return true
}

/** What rows speak of and the archive does not have: it was exported without files, or Strapi did not find them. */
async function tellMissing({ db, notes }: Parts): Promise<void> {
  for await (const { from, keptAt } of stagedAssets(db).find({ isThere: { $ne: true } }))
    if (keptAt === undefined) notes.leftOut('content of files that is not in the archive', from)
    else
      notes.leftOut(
        `content of files that is not in the archive: it was kept by "${keptAt.provider}"`,
        `${from} at ${keptAt.url}`,
      )
}
