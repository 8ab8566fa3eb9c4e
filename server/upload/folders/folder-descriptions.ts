import { builtIn } from '../../../engine/schema/registry.js'
import {
  asAdmin,
  type Documented,
  type EntrySchemas,
  type JsonSchema,
} from '../../http/documented.js'
import { inData, list, members, text, whole } from '../../http/json-schemas.js'
import { uploadDescriptions } from '../upload-descriptions.js'
import { changedFolder, moved, newFolder, removed } from './folder-bodies.js'

const object = { type: 'object' }
const folder: JsonSchema = {
  type: 'object',
  required: ['id', 'documentId', 'name', 'path', 'pathId'],
  properties: { id: whole, documentId: text, name: text, path: text, pathId: whole },
}
/** A file with its place. */
const file = ({ entryWith }: EntrySchemas): JsonSchema =>
  entryWith(builtIn.file, 'AdminFile', {
    folderPath: text,
    folder: { anyOf: [object, { type: 'null' }] },
  })
const many = (schemas: EntrySchemas): JsonSchema =>
  inData(members({ files: list(file(schemas)), folders: list(folder) }))
const tag = 'Media library (admins)'
/** Of lists, as Strapi's panel asks for them. */
const search = [{ name: '_q', description: 'Text that occurs in the name', schema: text }]

/** What the API's document says of the media library of admins. */
export const folderDescriptions = {
  upload: {
    ...asAdmin(uploadDescriptions.upload),
    tag,
    answers: { 200: file, 201: (schemas: EntrySchemas) => list(file(schemas)) },
  },
  files: {
    id: 'listFilesAsAdmin',
    summary: 'Files with their folders',
    tag,
    query: search,
    answers: {
      200: (schemas: EntrySchemas) => members({ results: list(file(schemas)), pagination: object }),
    },
  },
  file: { id: 'readFileAsAdmin', summary: 'A file with its folder', tag, answers: { 200: file } },
  removeFile: { id: 'deleteFileAsAdmin', summary: 'Delete a file', tag, answers: { 200: file } },
  folders: {
    id: 'listFolders',
    summary: 'Folders of the media library',
    tag,
    query: search,
    answers: { 200: inData(list(folder)) },
  },
  create: {
    id: 'createFolder',
    summary: 'Make a folder',
    tag,
    body: newFolder,
    answers: { 201: inData(folder) },
  },
  folder: { id: 'readFolder', summary: 'A folder', tag, answers: { 200: inData(folder) } },
  change: {
    id: 'changeFolder',
    summary: 'Rename a folder, or move it',
    tag,
    body: changedFolder,
    answers: { 200: inData(folder) },
  },
  structure: {
    id: 'readFolderStructure',
    summary: 'All folders in one another',
    tag,
    answers: { 200: inData(list(object)) },
  },
  move: {
    id: 'moveFiles',
    summary: 'Move files and folders',
    tag,
    body: moved,
    answers: { 200: many },
  },
  remove: {
    id: 'deleteFiles',
    summary: 'Delete files, and folders with all that is in them',
    tag,
    body: removed,
    answers: { 200: many },
  },
} as const satisfies Record<string, Documented>
