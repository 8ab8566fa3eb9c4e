import { builtIn } from '../../engine/schema/registry.js'
import type { Documented, EntrySchemas, JsonSchema } from '../http/documented.js'
import { list, text } from '../http/json-schemas.js'

const file = ({ entry }: EntrySchemas): JsonSchema => entry(builtIn.file)
const files = (schemas: EntrySchemas): JsonSchema => list(file(schemas))
const tag = 'Files'

/** What a multipart request holds. */
export const uploadBody: JsonSchema = {
  type: 'object',
  properties: {
    files: {
      type: 'array',
      items: { type: 'string', contentMediaType: 'application/octet-stream' },
    },
    fileInfo: {
      description: 'JSON, of one file or a list of all: name, alternativeText, caption, focalPoint',
      type: 'string',
    },
    ref: {
      description: 'uid of the content-type of an entry that they are attached to',
      type: 'string',
    },
    refId: { description: 'Its documentId or id', type: 'string' },
    field: { description: 'Its attribute', type: 'string' },
  },
}

/** What the API's document says of the media library. */
export const uploadDescriptions = {
  upload: {
    id: 'upload',
    summary: 'Upload files; with `id`, change that file',
    tag,
    query: [{ name: 'id', description: 'Of the file that is changed', schema: text }],
    body: uploadBody,
    bodyType: 'multipart/form-data',
    answers: { 200: file, 201: files },
    errors: [404],
  },
  list: {
    id: 'listFiles',
    summary: 'The files of the media library, without an envelope',
    tag,
    lists: builtIn.file,
    answers: { 200: files },
  },
  read: { id: 'readFile', summary: 'A file', tag, shows: builtIn.file, answers: { 200: file } },
  remove: { id: 'deleteFile', summary: 'Delete a file', tag, answers: { 200: file } },
  content: {
    id: 'readContent',
    summary: 'The content of a file',
    tag,
    answers: {
      200: { mediaType: '*/*' },
      206: { mediaType: '*/*' },
      302: 'empty',
      304: 'empty',
    },
    errors: [401, 403, 412, 416],
  },
} as const satisfies Record<string, Documented>
