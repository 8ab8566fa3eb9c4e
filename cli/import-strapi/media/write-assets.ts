import type { AnyBulkWriteOperation, Db, Document } from 'mongodb'
import type { Registry } from '../../../engine/schema/registry.js'
import { batchesOf } from '../../../engine/values/batches.js'
import { filesIn } from '../../../server/upload/files-in.js'
import { providerNames, type StorageProvider } from '../../../server/upload/storage-provider.js'
import type { ArchiveFile } from '../../../server/backup/archive/tar-files.js'
import { kindOf } from '../archive/exported.js'
import type { Archive } from '../archive/open-archive.js'
import type { Notes } from '../notes.js'
import { onProgress } from '../../progress.js'
import { putContent } from '../../media/put-content.js'
import { stagedAssets, type StagedAsset } from '../staging/staged.js'

type Parts = Readonly<{
  db: Db
  registry: Registry
  archive: Archive
  notes: Notes
  storage: StorageProvider
  /** The setting `upload.sizeLimit`, in bytes. */
  sizeLimit: number
}>

/** Streams the content of files to the storage provider, except content that exists there with the same size. */
export async function writeAssets(
  parts: Parts,
): Promise<Readonly<{ files: number; bytes: number }>> {
  const { archive, notes } = parts
  let files = 0
  let bytes = 0
  for await (const file of archive({ only: 'assets', notes })) {
    if (kindOf(file.name) !== 'assets') continue
    if (!(await writeAsset(parts, file))) continue
    files += 1
    bytes += file.size
    onProgress(`Storing files: ${files}, ${Math.round(bytes / 1e6)} MB`)
  }
  await keepAddresses(parts)
  return { files, bytes }
}

/** Stores an asset once for each file that uses it. Returns false if the asset is too large. */
async function writeAsset(
  { db, notes, storage, sizeLimit }: Parts,
  file: ArchiveFile,
): Promise<boolean> {
  const from = file.name.slice('assets/uploads/'.length)
  const [first, ...others] = await stagedAssets(db).find({ from }).sort({ _id: 1 }).toArray()
  if (first === undefined) {
    notes.leftOut('files in the archive without a record', file.name.slice(0, 200))
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

/**
 * If a file's content is not in the archive, keeps the file's absolute URL. If the file has no absolute URL, reports
 * it: either it was exported without content, or Strapi did not find the content.
 */
async function keepAddresses({ db, registry, notes }: Parts): Promise<void> {
  const missing = stagedAssets(db).find({ isThere: { $ne: true } })
  for await (const some of batchesOf(missing, 1000, ({ keptAt }) => keptAt?.url.length ?? 0)) {
    const changes = some.flatMap((asset) => addressOf(asset, notes))
    if (changes.length > 0)
      await filesIn<Document>(db, registry).bulkWrite(changes, { ordered: false })
  }
}

function addressOf(
  { from, keptAt }: StagedAsset,
  notes: Notes,
): readonly AnyBulkWriteOperation<Document>[] {
  if (keptAt === undefined) {
    notes.leftOut('content of files that is not in the archive', from)
    return []
  }
  const { provider, url, documentId, field } = keptAt
  notes.adapted(
    `content of files that is not in the archive and stays with the provider "${provider}"`,
    `${from} at ${url.slice(0, 1000)}`,
  )
  // Replace a provider name that Quire uses itself. Otherwise Quire would look for the content in its own storage.
  const isOurs = ['', ...providerNames].includes(provider)
  const keeper = field === 'url' ? { provider: isOurs ? 'elsewhere' : provider } : {}
  return [{ updateOne: { filter: { documentId }, update: { $set: { [field]: url, ...keeper } } } }]
}
