import type { Collection, Db } from 'mongodb'
import mime from 'mime-types'
import { messageOf } from '../../../engine/errors/message-of.js'
import { writeConcern } from '../../../engine/database/durability.js'
import { LeaseLost } from '../../../engine/database/with-lease.js'
import { changeFile } from '../change-file.js'
import type { Providers, StorageProvider } from '../storage-provider.js'
import { namesOf } from '../store-content.js'
import { withLock, type Check } from '../with-lock.js'
import type { ContentNames, PendingContents } from '../pending-contents.js'
import { allFiles, type FileDocument } from './file-documents.js'

type MoveParts = Readonly<{
  db: Db
  files: Collection<FileDocument>
  providers: Providers
  contents: PendingContents
  to: StorageProvider
  /** Whether only this process can use the database. */
  singleProcess: boolean
  /** Called for each file that could not be moved. */
  failed: (file: FileDocument, reason: string) => void
}>

/**
 * Moves all content to a provider while the service runs. Returns the number of moved files. If it is killed, call it
 * again: each copy has a `_contents` record until the entry refers to it. The previous content stays for an hour,
 * because its address may be in use. Throws if another process is moving files, because two could undo each other's
 * moves.
 */
export async function moveContents(parts: MoveParts): Promise<number> {
  const { db, singleProcess } = parts
  const lock = { db, _id: 'moving-contents', singleProcess, tries: 0, busy }
  return withLock(lock, (check) => moveAll(parts, check))
}

const busy = (): Error =>
  new Error('Another process is moving files. If it was killed, try again in 5 seconds')

async function moveAll(parts: MoveParts, check: Check): Promise<number> {
  const { files, to, failed } = parts
  let moved = 0
  for await (const file of allFiles(files, { provider: { $ne: to.name } }))
    try {
      if (await moveFile(file, parts, check)) moved += 1
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      failed(file, messageOf(error))
    }
  return moved
}

/** Moves the content of a file. Returns false if the file was deleted, replaced or moved meanwhile. */
async function moveFile(file: FileDocument, parts: MoveParts, check: Check): Promise<boolean> {
  const { db, files, providers, contents, to } = parts
  const from = providers.byName(file.provider)
  if (from === undefined) throw new Error(`There is no provider "${file.provider}" here`)
  await check()
  // If another process has moved the file, do not overwrite its content.
  if (!(await isStill(file, files))) return false
  const previous = namesOf(file)
  const begun = await contents.begin({ ...previous, provider: to.name })
  try {
    for (const name of previous.names) await copy(name, from, to, check)
    await begun.hold()
    await check()
  } catch (error) {
    // If the file is unchanged, its copies stay for the next attempt to move it.
    begun.leave()
    if (error instanceof LeaseLost || (await isStill(file, files))) throw error
    await takeBack(previous, parts, check)
    return false
  }
  begun.leave()
  const isMoved = await changeFile(db, file._id, async (checkFile) => {
    if (!(await isStill(file, files))) return false
    // From now on, the record is about the previous content. When no entry refers to that any more, a sweep removes it.
    await contents.supersede(previous)
    await checkFile()
    const { matchedCount } = await files.updateOne(
      { _id: file._id, hash: file.hash, provider: file.provider },
      { $set: placeIn(to, file), $inc: { _revision: 1 } },
      await writeConcern(db, true),
    )
    return matchedCount === 1
  })
  if (!isMoved) await takeBack(previous, parts, check)
  return isMoved
}

/** Removes a copy when its file was deleted or replaced by a request that did not know about the copy. */
async function takeBack(
  { hash, names }: ContentNames,
  { files, to }: MoveParts,
  check: Check,
): Promise<void> {
  await check()
  const isThere = await files.findOne({ hash, provider: to.name }, { projection: idOnly })
  if (isThere === null) for (const name of names) await to.remove(name)
}

const idOnly = { _id: 1 } as const

/** Returns new values for the members of an entry that say where its content is stored. */
function placeIn(to: StorageProvider, { hash, ext, formats }: FileDocument) {
  const place: Record<string, string> = { provider: to.name, url: to.url(`${hash}${ext}`) }
  for (const [key, version] of Object.entries(formats ?? {}))
    place[`formats.${key}.url`] = to.url(`${version.hash}${version.ext}`)
  return place
}

/** Copies content unless the target has it in the same size. Throws if the copy is incomplete. */
async function copy(
  name: string,
  from: StorageProvider,
  to: StorageProvider,
  check: Check,
): Promise<void> {
  const [wanted, there] = await Promise.all([from.stat(name), to.stat(name)])
  if (wanted === undefined) throw new Error(`There is no ${name} in ${from.name}`)
  if (there?.size === wanted.size) return
  // Check the lock before `put`: if `put` fails, it deletes the content under this name.
  await check()
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
  return (await files.findOne({ _id, hash, provider }, { projection: idOnly })) !== null
}
