import { createId } from '../../../engine/values/create-id.js'
import { isDuplicateKey } from '../../../engine/database/duplicate-key.js'
import { writeConcern } from '../../../engine/database/durability.js'
import { runInOrder } from '../../../engine/database/run-in-order.js'
import { takeId } from '../../../engine/database/take-ids.js'
import { fail, notDone } from '../../../engine/errors.js'
import type { Writer } from '../../accounts/caller.js'
import { found } from '../../http/route.js'
import type { Services } from '../../services.js'
import type { Settings } from '../../settings/settings.js'
import { filesIn } from '../files-in.js'
import { withLock, type Check } from '../with-lock.js'
import type { ManyIds } from './folder-bodies.js'
import { createFolderTree, type Folder, type FolderTree } from './folder-tree.js'
import { folderCollection } from './folder-types.js'

const maxFolderDepth = 20
const maxFolders = 5000
/** Maximum number of files that one request deletes with their folders. */
const maxRemovedFiles = 1000

/** Raises the limits of queries: lists of folders have no pages, and many folders can be selected by id. */
export const settingsOfFolders = (settings: Settings): Settings => ({
  ...settings,
  'api.rest.defaultLimit': maxFolders,
  'api.rest.maxLimit': maxFolders,
  'api.rest.maxArrayLength': 1000,
  'api.rest.maxCost': 0,
})

type Stored = Folder &
  Readonly<
    Record<'createdAt' | 'updatedAt', Date> &
      Record<'createdBy' | 'updatedBy', Folder['parent']> &
      Record<'publishedAt' | 'locale', null>
  >

type Place = Readonly<{ folder: Folder['parent']; folderPath: string }>
type StoredFile = Place & Readonly<{ _id: number }>

export type Folders = ReturnType<typeof createFolders>

/**
 * Folders of the media library (docs/internals/decisions.md, "Folders are for admins"). Paths are derived from `parent`
 * and `folder`; each change first corrects paths that an interrupted change left outdated.
 * @param singleProcess whether only this process can use the database
 */
export function createFolders({ db, log, registry }: Services, singleProcess: boolean) {
  const folders = db.collection<Stored>(folderCollection)
  const files = filesIn<StoredFile>(db, registry())
  let isPrepared = false
  const last = () => writeConcern(db, true)
  const readTree = async (): Promise<FolderTree> =>
    createFolderTree(await folders.find().sort({ _id: 1 }).toArray())

  const lost = (err: unknown) => log.warn({ err }, 'The lock of the folders was lost')
  const busy = (): Error => notDone('Folders are being changed. Try again')
  const lock = { db, _id: 'folders', singleProcess, tries: 200, lost, busy }

  type Change<T> = (check: Check, tree: FolderTree) => Promise<T>
  /** Changes folders while holding their lock. `check` throws if the lock was lost. */
  const change = <T>(by: Writer, task: Change<T>): Promise<T> => {
    const begin = async (check: Check): Promise<T> => {
      by.time?.begin()
      await prepare()
      return task(check, await repath(check))
    }
    const run = () => withLock(lock, begin)
    return runInOrder(db, 'folders', run, by.time).catch((error: unknown) => {
      throw isDuplicateKey(error) ? nameTaken() : error
    })
  }

  /** Creates the indexes before the first change, because a service without folders needs none. */
  const prepare = async () => {
    if (isPrepared) return
    await folders.createIndex({ 'parent.documentId': 1, name: 1 }, { unique: true })
    await folders.createIndex({ documentId: 1 }, { unique: true })
    await files.createIndex({ 'folder.documentId': 1 })
    isPrepared = true
  }

  /** Corrects outdated paths. Writes the files in a folder first, so that they are correct if the folder's path is. */
  const repath = async (check: Check): Promise<FolderTree> => {
    const tree = await readTree()
    const misplaced = tree.misplaced()
    for (const { folder, path } of misplaced) {
      await check()
      const within = { 'folder.documentId': folder.documentId }
      await files.updateMany(within, { $set: { folderPath: path } }, await last())
      await folders.updateOne({ _id: folder._id }, { $set: { path } }, await last())
    }
    return misplaced.length === 0 ? tree : readTree()
  }

  const place = async (fileIds: readonly number[], folderId: number | null) => {
    if (fileIds.length === 0) return
    const folder = folderId === null ? null : await folders.findOne({ _id: folderId })
    if (folder === null && folderId !== null) throw fail('validation', 'the folder does not exist')
    const set: Place =
      folder === null
        ? atRoot
        : { folder: { documentId: folder.documentId }, folderPath: folder.path }
    await files.updateMany({ _id: { $in: [...fileIds] } }, { $set: set }, await last())
    if (folder === null || (await folders.findOne({ _id: folder._id })) !== null) return
    // The folder was deleted meanwhile, so move its files to the root.
    const within = { 'folder.documentId': folder.documentId }
    await files.updateMany(within, { $set: atRoot }, await last())
  }

  return {
    tree: readTree,

    /** Creates a folder. Returns its id. Throws `validation`. */
    create: (name: string, parentId: number | null, by: Writer): Promise<number> =>
      change(by, async (check, tree) => {
        const parent = folderOf(tree, parentId, 'parent folder')
        if (tree.byId.size >= maxFolders) throw beyond('The number of folders', maxFolders)
        if (tree.depthOf(parent) >= maxFolderDepth) throw tooDeep()
        if (tree.within(parent).some((other) => other.name === name)) throw nameTaken()
        const _id = await takeId(db, folderCollection)
        await check()
        await folders.insertOne(newFolder(_id, name, parent, by), await last())
        return _id
      }),

    /** Renames or moves a folder. Leaves undefined members unchanged. Throws `not-found-because`, `validation`. */
    update: (
      id: number,
      { name, parent: parentId }: Readonly<{ name?: string | undefined; parent?: ParentId }>,
      by: Writer,
    ): Promise<void> =>
      change(by, async (check, tree) => {
        const folder = found(tree.byId.get(id), 'folder not found')
        const parent =
          parentId === undefined ? tree.parentOf(folder) : folderOf(tree, parentId, 'parent folder')
        if (isWithin(tree, parent, folder))
          throw fail('validation', 'folder cannot be moved inside itself')
        const newName = name ?? folder.name
        const taken = (other: Folder) => other !== folder && other.name === newName
        if (tree.within(parent).some(taken)) throw nameTaken()
        checkDepth(tree, parent, folder)
        await check()
        const set = { name: newName, ...placed(parent), ...writtenBy(by) }
        await folders.updateOne({ _id: id }, { $set: set }, await last())
        await repath(check)
      }),

    /** Moves folders and files into a folder, or to the root. Throws `validation`. */
    move: (
      { folderIds, fileIds }: ManyIds,
      destinationId: number | null,
      by: Writer,
    ): Promise<void> =>
      change(by, async (check, tree) => {
        const destination = folderOf(tree, destinationId, 'destination folder')
        const moved = folderIds.flatMap((id) => tree.byId.get(id) ?? [])
        checkMove(tree, destination, moved)
        const set = { ...placed(destination), ...writtenBy(by) }
        await check()
        for (const { _id } of moved) await folders.updateOne({ _id }, { $set: set }, await last())
        await repath(check)
        await place(fileIds, destinationId)
      }),

    /** Puts files into a folder, or at the root. Throws `validation` if the folder does not exist. */
    place: (fileIds: readonly number[], folderId: number | null, by: Writer): Promise<void> =>
      change(by, () => place(fileIds, folderId)),

    /**
     * Deletes folders with their files. If it is interrupted, the files and folders that are not yet deleted stay where
     * they are. Throws `limit-exceeded` for too many files.
     */
    remove: (
      folderIds: readonly number[],
      removeFile: (id: number) => Promise<void>,
      by: Writer,
    ): Promise<void> =>
      change(by, async (check, tree) => {
        const given = folderIds.flatMap((id) => tree.byId.get(id) ?? [])
        const removed = [...new Set(given.flatMap(tree.below))]
        const documentIds = removed.map(({ documentId }) => documentId)
        const within = { 'folder.documentId': { $in: documentIds } }
        const inside = await files
          .find(within, { projection: { _id: 1 } })
          .limit(maxRemovedFiles + 1)
          .toArray()
        if (inside.length > maxRemovedFiles)
          throw beyond('The number of files in these folders', maxRemovedFiles)
        for (const { _id } of inside) {
          await check()
          await removeFile(_id)
        }
        await check()
        // The deepest first, so that every remaining folder has its parent.
        for (const { _id } of removed.sort((a, b) => tree.depthOf(b) - tree.depthOf(a)))
          await folders.deleteOne({ _id }, await last())
        await files.updateMany(within, { $set: atRoot }, await last())
      }),
  }
}

/** Null for the root, undefined for no change. */
type ParentId = number | null | undefined

const atRoot: Place = Object.freeze({ folder: null, folderPath: '/' })

const writtenBy = ({ actor }: Writer) => ({
  updatedAt: new Date(),
  updatedBy: actor === null ? null : { documentId: actor },
})

function newFolder(_id: number, name: string, parent: Folder | null, by: Writer): Stored {
  const { updatedAt, updatedBy } = writtenBy(by)
  return {
    _id,
    documentId: createId(),
    name,
    pathId: _id,
    path: `${parent?.path ?? ''}/${_id}`,
    ...placed(parent),
    createdAt: updatedAt,
    createdBy: updatedBy,
    updatedAt,
    updatedBy,
    publishedAt: null,
    locale: null,
  }
}

const placed = (parent: Folder | null) => ({
  parent: parent === null ? null : { documentId: parent.documentId },
})

/**
 * Returns the folder with this id; null for the root. Throws `validation` if the folder does not exist.
 * @param what how the error calls the folder: `parent folder`
 */
function folderOf(tree: FolderTree, id: number | null, what: string): Folder | null {
  const folder = id === null ? null : tree.byId.get(id)
  if (folder === undefined) throw fail('validation', `${what} does not exist`)
  return folder
}

const isWithin = (tree: FolderTree, folder: Folder | null, other: Folder): boolean =>
  folder !== null && tree.below(other).includes(folder)

/** Throws if folders cannot be moved into `to`; null means the root. */
function checkMove(tree: FolderTree, to: Folder | null, moved: readonly Folder[]): void {
  const inside = moved.filter((folder) => isWithin(tree, to, folder))
  if (inside.length > 0)
    throw fail(
      'validation',
      `folders cannot be moved inside themselves or one of its children: ${namesOf(inside)}`,
    )
  const there = tree.within(to).filter((one) => !moved.includes(one))
  const names = [...there, ...moved].map(({ name }) => name)
  const repeated = moved.filter(({ name }, at) => names.indexOf(name) !== there.length + at)
  if (repeated.length > 0)
    throw fail('validation', `some folders already exists: ${namesOf(repeated)}`)
  for (const folder of moved) checkDepth(tree, to, folder)
}

/** Throws if a move would nest folders too deeply. */
function checkDepth(tree: FolderTree, parent: Folder | null, moved: Folder): void {
  const deepest = Math.max(...tree.below(moved).map(tree.depthOf))
  const height = deepest - tree.depthOf(moved) + 1
  if (tree.depthOf(parent) + height > maxFolderDepth) throw tooDeep()
}

const namesOf = (folders: readonly Folder[]): string => folders.map(({ name }) => name).join(', ')

const nameTaken = (): Error => fail('validation', 'A folder with this name already exists')
const beyond = (what: string, limit: number): Error =>
  fail('limit-exceeded', { what, bound: 'the media library', limit })
const tooDeep = (): Error => beyond('The depth of folders', maxFolderDepth)
