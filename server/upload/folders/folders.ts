import { createId } from '../../../engine/values/create-id.js'
import type { Db } from 'mongodb'
import { isDuplicateKey } from '../../../engine/database/duplicate-key.js'
import { writeConcern } from '../../../engine/database/durability.js'
import { inTurn } from '../../../engine/database/in-turn.js'
import { takeId } from '../../../engine/database/take-ids.js'
import { LeaseLost, withLease } from '../../../engine/database/with-lease.js'
import { fail, notDone } from '../../../engine/errors.js'
import { collectionOf } from '../../../engine/schema/content-type.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { Writer } from '../../accounts/caller.js'
import type { Services } from '../../lifecycle/services.js'
import { createFolderTree, type Folder, type FolderTree } from './folder-tree.js'
import { folderCollection } from './folder-types.js'

/** Folders in one another, at most. */
const maxFolderDepth = 20
/** Folders of the library, at most. */
export const maxFolders = 5000
/** Files that one deletion of folders may take with it; what has more is deleted in parts. */
const maxRemovedFiles = 1000

type Stored = Folder &
  Readonly<{
    createdAt: Date
    updatedAt: Date
    createdBy: Readonly<{ documentId: string }> | null
    updatedBy: Readonly<{ documentId: string }> | null
    publishedAt: null
    locale: null
  }>

type Place = Readonly<{ folder: Folder['parent']; folderPath: string }>
type StoredFile = Place & Readonly<{ _id: number }>

export type Folders = ReturnType<typeof createFolders>

/**
 * The folders of the media library. Where a folder is, its `parent` says, and where a file is, its `folder`; paths
 * follow, and those that a change which was cut off left behind are set right before the next one. Changes are made by
 * one process at a time (docs/decisions.md, "Folders are for admins").
 */
export function createFolders(services: Services, { alone }: Readonly<{ alone: boolean }>) {
  const { db, log } = services
  const folders = db.collection<Stored>(folderCollection)
  const fileCollection = collectionOf(typeOf(services.registry(), builtIn.file), 'published')
  const files = db.collection<StoredFile>(fileCollection)
  let isPrepared = false
  const readTree = async (): Promise<FolderTree> =>
    createFolderTree(await folders.find().sort({ _id: 1 }).toArray())

  /** Runs a change when no other is made. `check` throws where another process may have begun one. */
  const change = <T>(by: Writer, task: (check: Check) => Promise<T>): Promise<T> =>
    inTurn(db, 'folders', () => changeAlone(by, task), by.time)

  const changeAlone = async <T>(by: Writer, task: (check: Check) => Promise<T>): Promise<T> => {
    const lost = (err: unknown): void => log.warn({ err }, 'The lock of the folders was lost')
    const lease = { db, collection: '_settings', _id: 'folders', alone, lost }
    try {
      return await withLease(
        lease,
        async (check) => {
          by.time?.begin()
          if (!isPrepared) await prepare(services, fileCollection)
          isPrepared = true
          await repath(await readTree(), check)
          return await task(check)
        },
        (tries) => {
          if (tries >= maxTries) throw notDone('Folders are being changed; try again')
        },
      )
    } catch (error) {
      if (error instanceof LeaseLost) throw notDone('Folders are being changed; try again')
      if (isDuplicateKey(error)) throw nameTaken()
      throw error
    }
  }

  /** Sets paths right: of the files of a folder first, so that one that is right has files whose paths are. */
  const repath = async (tree: FolderTree, check: Check): Promise<void> => {
    for (const { folder, path } of tree.misplaced()) {
      await check()
      const within = { 'folder.documentId': folder.documentId }
      await files.updateMany(within, { $set: { folderPath: path } }, await last(db))
      await folders.updateOne({ _id: folder._id }, { $set: { path } }, await last(db))
    }
  }

  return {
    tree: readTree,

    /** Makes a folder; answers its id. Throws `validation`. */
    create: (name: string, parentId: number | null, by: Writer): Promise<number> =>
      change(by, async (check) => {
        const tree = await readTree()
        const parent = parentId === null ? null : tree.byId.get(parentId)
        if (parent === undefined) throw invalid('parent folder does not exist')
        if (tree.byId.size >= maxFolders) throw beyond('The number of folders', maxFolders)
        if (parent !== null && tree.depthOf(parent) >= maxFolderDepth)
          throw beyond('The depth of folders', maxFolderDepth)
        if (tree.within(parent).some((other) => other.name === name)) throw nameTaken()
        const _id = await takeId(db, folderCollection)
        const now = new Date()
        const actor = by.actor === null ? null : { documentId: by.actor }
        await check()
        await folders.insertOne(
          {
            _id,
            documentId: createId(),
            name,
            pathId: _id,
            path: `${parent?.path ?? ''}/${_id}`,
            parent: parent === null ? null : { documentId: parent.documentId },
            createdAt: now,
            updatedAt: now,
            createdBy: actor,
            updatedBy: actor,
            publishedAt: null,
            locale: null,
          },
          await last(db),
        )
        return _id
      }),

    /** Gives a folder another name or place; what is undefined stays. Throws `not-found-because`, `validation`. */
    update: (
      id: number,
      { name, parent: parentId }: Readonly<{ name?: string; parent?: number | null }>,
      by: Writer,
    ): Promise<void> =>
      change(by, async (check) => {
        const tree = await readTree()
        const folder = tree.byId.get(id)
        if (folder === undefined) throw notFound()
        const parent = parentId === undefined ? parentIn(tree, folder) : folderOf(tree, parentId)
        if (parent === undefined) throw invalid('parent folder does not exist')
        if (isWithin(tree, parent, folder)) throw invalid('folder cannot be moved inside itself')
        const newName = name ?? folder.name
        const taken = (other: Folder) => other !== folder && other.name === newName
        if (tree.within(parent).some(taken)) throw nameTaken()
        checkDepth(tree, parent, folder)
        await check()
        await folders.updateOne(
          { _id: id },
          { $set: { name: newName, ...placed(parent), ...writtenBy(by) } },
          await last(db),
        )
        await repath(await readTree(), check)
      }),

    /** Moves folders and files into a folder, or to the root. Throws `validation`. */
    move: (
      {
        folderIds,
        fileIds,
      }: Readonly<{ folderIds: readonly number[]; fileIds: readonly number[] }>,
      destinationId: number | null,
      by: Writer,
    ): Promise<void> =>
      change(by, async (check) => {
        const tree = await readTree()
        const destination = folderOf(tree, destinationId)
        if (destination === undefined) throw invalid('destination folder does not exist')
        const moved = folderIds.flatMap((id) => tree.byId.get(id) ?? [])
        const inside = moved.filter((folder) => isWithin(tree, destination, folder))
        if (inside.length > 0)
          throw invalid(
            `folders cannot be moved inside themselves or one of its children: ${namesOf(inside)}`,
          )
        const taken = new Set(
          tree.within(destination).flatMap((one) => (moved.includes(one) ? [] : one.name)),
        )
        const repeated = moved.filter(({ name }, at) => {
          const isFirst = moved.findIndex((other) => other.name === name) === at
          return taken.has(name) || !isFirst
        })
        if (repeated.length > 0) throw invalid(`some folders already exists: ${namesOf(repeated)}`)
        for (const folder of moved) checkDepth(tree, destination, folder)
        const set = { ...placed(destination), ...writtenBy(by) }
        await check()
        for (const { _id } of moved) await folders.updateOne({ _id }, { $set: set }, await last(db))
        await repath(await readTree(), check)
        await place(fileIds, destination === null ? null : destination._id)
      }),

    /** Puts files into a folder, or at the root. Throws `validation` where there is no such folder. */
    place: (fileIds: readonly number[], folderId: number | null, by: Writer): Promise<void> =>
      change(by, () => place(fileIds, folderId)),

    /**
     * Removes folders with all that is in them; `removeFile` removes a file. Where it is cut off, what is left is where
     * it was. Throws `limit-exceeded` for more files than one deletion may take with it.
     */
    remove: (
      folderIds: readonly number[],
      removeFile: (id: number) => Promise<void>,
      by: Writer,
    ): Promise<void> =>
      change(by, async (check) => {
        const tree = await readTree()
        const removed = new Set(
          folderIds.flatMap((id) => {
            const folder = tree.byId.get(id)
            return folder === undefined ? [] : tree.below(folder)
          }),
        )
        const documentIds = [...removed].map(({ documentId }) => documentId)
        const within = { 'folder.documentId': { $in: documentIds } }
        const found = await files
          .find(within, { projection: { _id: 1 } })
          .limit(maxRemovedFiles + 1)
          .toArray()
        if (found.length > maxRemovedFiles)
          throw beyond('The number of files in these folders', maxRemovedFiles)
        for (const { _id } of found) {
          await check()
          await removeFile(_id)
        }
        await check()
        // The deepest first: whatever is left is in a folder that is there.
        for (const { _id } of [...removed].sort((a, b) => tree.depthOf(b) - tree.depthOf(a)))
          await folders.deleteOne({ _id }, await last(db))
        await files.updateMany(within, { $set: atRoot }, await last(db))
      }),
  }

  async function place(fileIds: readonly number[], folderId: number | null): Promise<void> {
    if (fileIds.length === 0) return
    const folder = folderId === null ? null : await folders.findOne({ _id: folderId })
    if (folder === null && folderId !== null) throw invalid('the folder does not exist')
    const set: Place =
      folder === null
        ? atRoot
        : { folder: { documentId: folder.documentId }, folderPath: folder.path }
    await files.updateMany({ _id: { $in: [...fileIds] } }, { $set: set }, await last(db))
    if (folder === null || (await folders.findOne({ _id: folder._id })) !== null) return
    // Somebody took the folder away: its files stand at the root.
    await files.updateMany(
      { 'folder.documentId': folder.documentId },
      { $set: atRoot },
      await last(db),
    )
  }
}

type Check = () => Promise<void>

/** Tries of 50 ms. */
const maxTries = 200

const atRoot: Place = Object.freeze({ folder: null, folderPath: '/' })

const last = (db: Db) => writeConcern(db, true)

const writtenBy = ({ actor }: Writer) => ({
  updatedAt: new Date(),
  updatedBy: actor === null ? null : { documentId: actor },
})

const placed = (parent: Folder | null) => ({
  parent: parent === null ? null : { documentId: parent.documentId },
})

const folderOf = (tree: FolderTree, id: number | null): Folder | null | undefined =>
  id === null ? null : tree.byId.get(id)

const parentIn = (tree: FolderTree, { parent }: Folder): Folder | null =>
  [...tree.byId.values()].find(({ documentId }) => documentId === parent?.documentId) ?? null

const isWithin = (tree: FolderTree, folder: Folder | null, other: Folder): boolean =>
  folder !== null && tree.below(other).includes(folder)

/** Throws where what is moved into a folder would be deeper than folders may be. */
function checkDepth(tree: FolderTree, parent: Folder | null, moved: Folder): void {
  const own = tree.depthOf(moved)
  const height = Math.max(...tree.below(moved).map((folder) => tree.depthOf(folder) - own + 1))
  if ((parent === null ? 0 : tree.depthOf(parent)) + height > maxFolderDepth)
    throw beyond('The depth of folders', maxFolderDepth)
}

const namesOf = (folders: readonly Folder[]): string => folders.map(({ name }) => name).join(', ')

const invalid = (message: string): Error => fail('validation', { message })
const nameTaken = (): Error => invalid('A folder with this name already exists')
const notFound = (): Error => fail('not-found-because', { message: 'folder not found' })
const beyond = (what: string, limit: number): Error =>
  fail('limit-exceeded', { what, bound: 'the media library', limit })

/** The indexes that folders need; made before the first change, so that who has none has none of these either. */
async function prepare({ db }: Services, files: string): Promise<void> {
  const folders = db.collection(folderCollection)
  await folders.createIndex({ 'parent.documentId': 1, name: 1 }, { unique: true })
  await folders.createIndex({ documentId: 1 }, { unique: true })
  await db.collection(files).createIndex({ 'folder.documentId': 1 })
}
