import { builtIn } from '../../../engine/schema/registry.js'
import { ApiError, fail } from '../../../engine/errors.js'
import { writerOf } from '../../accounts/caller.js'
import { revisionOf } from '../../http/response/conditional-reply.js'
import { queryParameter, type EntrySchemas, type JsonSchema } from '../../http/documented.js'
import { inData, list, members, object, text, whole } from '../../http/routes/json-schemas.js'
import {
  dataReply,
  reply,
  type HttpRequest,
  type Json,
  type Reply,
  type Route,
} from '../../http/route.js'
import { routesOf } from '../../http/routes/routes-of.js'
import type { Services } from '../../services.js'
import type { Documents } from '../../content/documents.js'
import { createAdminMedia, type AdminMedia } from './admin-media.js'
import {
  changedFolder,
  moved,
  newFolder,
  removed,
  readFolderChange,
  readMoved,
  readNewFolder,
  readRemoved,
} from './folder-bodies.js'
import type { FileEntry } from '../media-library.js'
import type { Folder, FolderTree } from './folder-tree.js'
import { createFolders, type Folders } from './folders.js'
import type { UploadRoutes } from '../routes.js'
import { isObject } from '../../../engine/values/is-object.js'
import { infosIn } from '../file-info.js'

type Parts = Readonly<{ folders: Folders; media: AdminMedia }> &
  Pick<UploadRoutes, 'upload' | 'remove'>

/**
 * Media library routes of Strapi's panel (docs/internals/decisions.md, "Folders are for admins").
 * @param documents must read the content-types of `withFolders`, with the limits of `settingsOfFolders`
 * @param singleProcess whether only this process can use the database
 */
export function adminUploadRoutes(
  services: Services,
  { upload, remove }: UploadRoutes,
  documents: Documents,
  singleProcess: boolean,
): readonly Route[] {
  const folders = createFolders(services, singleProcess)
  const media = createAdminMedia(documents, services)
  const parts = { folders, media, upload, remove }
  return routesOf(
    { guard: 'admin', tag: 'Media library (admins)' },
    {
      'POST /upload': {
        ...upload,
        id: 'uploadAsAdmin',
        answers: { 200: file, 201: (schemas) => list(file(schemas)) },
        handle: (request) => receive(parts, request),
      },
      'GET /upload/files': {
        id: 'listFilesAsAdmin',
        summary: 'List files with their folders',
        query: search,
        answer: (schemas) => members({ results: list(file(schemas)), pagination: object }),
        handle: async (request) => reply(200, await media.files(request)),
      },
      'GET /upload/files/:id': {
        id: 'readFileAsAdmin',
        summary: 'Show a file with its folder',
        answer: file,
        handle: async (request) => reply(200, await media.file(request)),
      },
      'DELETE /upload/files/:id': {
        id: 'deleteFileAsAdmin',
        summary: 'Delete a file',
        answer: file,
        handle: async (request) => {
          const file = await media.file(request)
          await remove(file.id, request)
          return reply(200, file)
        },
      },
      'GET /upload/folders': {
        id: 'listFolders',
        summary: 'Folders of the media library',
        query: search,
        answer: inData(list(folder)),
        handle: async (request) => dataReply(await media.folders(request)),
      },
      'POST /upload/folders': {
        id: 'createFolder',
        summary: 'Make a folder',
        body: newFolder,
        answers: { 201: inData(folder) },
        handle: async (request) => {
          const { name, parent } = readNewFolder(request.body)
          const id = await folders.create(name, parent, writerOf(request))
          const [data] = await media.foldersOf([id])
          return dataReply(data, 201)
        },
      },
      'GET /upload/folders/:id': {
        id: 'readFolder',
        summary: 'A folder',
        answer: inData(folder),
        handle: async (request) => dataReply(await media.folder(request)),
      },
      'PUT /upload/folders/:id': {
        id: 'changeFolder',
        summary: 'Rename a folder, or move it',
        body: changedFolder,
        answer: inData(folder),
        handle: async (request) => {
          const { id } = await media.folder(request, '')
          await folders.update(Number(id), readFolderChange(request.body), writerOf(request))
          const [data] = await media.foldersOf([Number(id)])
          return dataReply(data)
        },
      },
      'GET /upload/folder-structure': {
        id: 'readFolderStructure',
        summary: 'Show the tree of folders',
        answer: inData(list(object)),
        handle: async () => dataReply(structureOf(await folders.tree())),
      },
      'POST /upload/actions/bulk-move': {
        id: 'moveFiles',
        summary: 'Move files and folders',
        body: moved,
        answer: many,
        handle: async (request) => {
          const { fileIds, folderIds, destination } = readMoved(request.body)
          await folders.move({ fileIds, folderIds }, destination, writerOf(request))
          const files = await media.filesOf(fileIds)
          return dataReply({ files, folders: await media.foldersOf(folderIds) })
        },
      },
      'POST /upload/actions/bulk-delete': {
        id: 'deleteFiles',
        summary: 'Delete files, and folders with their content',
        body: removed,
        answer: many,
        handle: (request) => removeMany(parts, request),
      },
    },
  )
}

/** Uploads or changes files, then puts them into the requested folders. */
async function receive({ folders, media, upload }: Parts, request: HttpRequest): Promise<Reply> {
  const { body, places } = takePlaces(request.body)
  const folderIds = places.filter((place): place is number => typeof place === 'number')
  if (folderIds.length > 0) {
    const { byId } = await folders.tree()
    if (folderIds.some((id) => !byId.has(id))) throw fail('validation', 'the folder does not exist')
  }
  const { status, body: stored } = await upload.handle({ ...request, body })
  const all = (Array.isArray(stored) ? stored : [stored]) as readonly FileEntry[]
  const ids = all.map(({ id }) => id)
  // The files are stored. If the requested folder of a file was deleted meanwhile, the file stays where it is.
  const by = { actor: writerOf(request).actor }
  for (const [at, id] of ids.entries()) {
    const place = places[at]
    if (place === undefined) continue
    await folders.place([id], place, by).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'validation') throw error
    })
  }
  const files = await media.filesOf(ids)
  return reply(status, Array.isArray(stored) ? files : files[0])
}

/** Deletes files and folders. Ignores those that no longer exist. */
async function removeMany({ folders, media, remove }: Parts, request: HttpRequest): Promise<Reply> {
  // One revision cannot apply to several files.
  if (revisionOf(request) !== undefined) throw fail('precondition-failed')
  const { fileIds, folderIds } = readRemoved(request.body)
  const files = await media.filesOf(fileIds)
  const removed = await media.foldersOf(folderIds)
  const removeFile = async (id: number) => {
    try {
      await remove(id, request)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
    }
  }
  for (const { id } of files) await removeFile(id)
  await folders.remove(folderIds, removeFile, writerOf(request))
  return dataReply({ files, folders: removed })
}

/** Returns the tree of folders in `parent`, sorted by name. */
function structureOf(tree: FolderTree, parent: Folder | null = null): Json {
  return tree.within(parent).map((folder) => ({
    id: folder._id,
    name: folder.name,
    children: structureOf(tree, folder),
  }))
}

const folder: JsonSchema = {
  type: 'object',
  required: ['id', 'documentId', 'name', 'path', 'pathId'],
  properties: { id: whole, documentId: text, name: text, path: text, pathId: whole },
}
const file = ({ entryWith }: EntrySchemas): JsonSchema =>
  entryWith(builtIn.file, 'AdminFile', {
    folderPath: text,
    folder: { anyOf: [object, { type: 'null' }] },
  })
const many = (schemas: EntrySchemas): JsonSchema =>
  inData(members({ files: list(file(schemas)), folders: list(folder) }))
const search = [queryParameter('_q', 'Text to find in the name', text)]

/**
 * Removes `folder` from each `fileInfo` (`{"name":"cat.png","folder":5}`). Returns the new body and each file's
 * `folder`; null means the root. Leaves malformed parts to the upload's handler. Throws `validation` if a `folder` is
 * no id.
 */
function takePlaces(body: unknown): Readonly<{ body: unknown; places: Places }> {
  const given = isObject(body) ? (body['fileInfo'] ?? null) : null
  if (!isObject(body) || given === null) return { body, places: [] }
  const infos = infosIn(given, (text) => text)
  const places = infos.map((info) => (isObject(info) ? placeOf(info['folder']) : undefined))
  const fileInfo = infos.map((info) => {
    if (!isObject(info)) return info
    return Object.fromEntries(Object.entries(info).filter(([key]) => key !== 'folder'))
  })
  return { body: { ...body, fileInfo }, places }
}

type Places = readonly (number | null | undefined)[]

function placeOf(folder: unknown): number | null | undefined {
  if (folder === undefined || folder === null) return folder
  const text = typeof folder === 'number' || typeof folder === 'string' ? String(folder) : ''
  if (!/^\d{1,15}$/.test(text)) throw fail('validation', 'folder must be an id')
  return Number(text)
}
