import type { Collection, Db } from 'mongodb'
import mime from 'mime-types'
import { writeConcern } from '../../../engine/database/durability.js'
import type { Providers, StorageProvider } from '../storage-provider.js'
import { namesOf } from '../store-content.js'
import type { UnsettledContents } from '../unsettled-contents.js'
import { batchesOfFiles, type FileDocument } from './file-documents.js'

export type MoveParts = Readonly<{
  db: Db
  /** The entries of files. */
  files: Collection<FileDocument>
  providers: Providers
  contents: UnsettledContents
  to: StorageProvider
  /** Told of each file that could not be moved. */
  failed: (file: FileDocument, reason: string) => void
}>

/**
 * Moves the content of all files to a provider, one file after the other, beside a service that is in use; answers
 * how many. What was copied is on record until the entry names it, and what was moved stays where it was until
 * nobody has its former address any more (`upload.keepReplacedMs`); so it may be killed at any moment and
 * repeated. Variants are not moved: they are drawn again when they are asked for.
 */
export async function moveContents(parts: MoveParts): Promise<number> {
  const { files, to, failed } = parts
  let moved = 0
  for await (const batch of batchesOfFiles(files, { provider: { $ne: to.name } }))
    for (const file of batch)
      try {
        if (await moveFile(file, parts)) moved += 1
      } catch (error) {
        failed(file, error instanceof Error ? error.message : String(error))
      }
  return moved
}

/** Answers false of a file that was deleted or replaced meanwhile. */
async function moveFile(file: FileDocument, parts: MoveParts): Promise<boolean> {
  const { db, files, providers, contents, to } = parts
  const from = providers.byName(file.provider)
  if (from === undefined) throw new Error(`There is no provider "${file.provider}" here`)
  const former = namesOf(file)
  const begun = await contents.begin({ ...former, provider: to.name })
  try {
    for (const name of former.names) await copy(name, from, to)
    await begun.hold()
  } catch (error) {
    // It is not removed at once: what is there need not be copied again.
    begun.leave()
    if (await isStill(file, files)) throw error
    return false
  }
  begun.leave()
  // From here on the record is of what was there before, which goes when it is due and no entry names it there.
  await contents.supersede(former)
  const { matchedCount } = await files.updateOne(
    { _id: file._id, hash: file.hash, provider: file.provider },
    { $set: placeIn(to, file), $inc: { _revision: 1 } },
    await writeConcern(db, true),
  )
  if (matchedCount === 1) return true
  for (const name of former.names) await to.remove(name)
  return false
}

/** What an entry says of where its content is. */
function placeIn(
  to: StorageProvider,
  { hash, ext, formats }: FileDocument,
): Readonly<Record<string, string>> {
  const versions = Object.entries(formats ?? {}).map(
    ([key, version]) => [`formats.${key}.url`, to.url(`${version.hash}${version.ext}`)] as const,
  )
  return {
    provider: to.name,
    url: to.url(`${hash}${ext}`),
    ...(Object.fromEntries(versions) as Record<string, string>),
  }
}

/** Copies what is not there as it should be; throws where it is not there as it should be then. */
async function copy(name: string, from: StorageProvider, to: StorageProvider): Promise<void> {
  const [wanted, there] = await Promise.all([from.stat(name), to.stat(name)])
  if (wanted === undefined) throw new Error(`There is no ${name} in ${from.name}`)
  if (there?.size === wanted.size) return
  const content = await from.open(name)
  if (content === undefined) throw new Error(`There is no ${name} in ${from.name}`)
  await to.put(name, content, { mime: mime.lookup(name) || 'application/octet-stream' })
  const copied = await to.stat(name)
  if (copied?.size !== wanted.size)
    throw new Error(`${name} has ${copied?.size ?? 0} bytes in ${to.name}, not ${wanted.size}`)
}

async function isStill(
  { _id, hash, provider }: FileDocument,
  files: Collection<FileDocument>,
): Promise<boolean> {
  return (await files.findOne({ _id, hash, provider }, { projection: { _id: 1 } })) !== null
}
