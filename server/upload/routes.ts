import { builtIn } from '../../engine/schema/registry.js'
import { fail } from '../../engine/errors.js'
import { isObject } from '../../engine/values/is-object.js'
import { writerOf } from '../accounts/caller.js'
import { requestedRead } from '../http/request/http-request.js'
import { revisionOf, taggedReply } from '../http/response/conditional-reply.js'
import { queryParameter, type EntrySchemas, type JsonSchema } from '../http/documented.js'
import { list, text } from '../http/routes/json-schemas.js'
import {
  granted,
  idOf,
  recordIdOf,
  reply,
  type HttpRequest,
  type Reply,
  type UploadedPart,
} from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import type { Services } from '../services.js'
import { resolveAttachment } from './attachment.js'
import { parseFileInfo } from './file-info.js'
import {
  createMediaLibrary,
  type Changer,
  type MediaLibrary,
  type MediaParts,
} from './media-library.js'
import type { StoredUpload } from './store-content.js'

export type UploadRoutes = ReturnType<typeof uploadRoutes>

/**
 * Routes `/api/upload` and `/api/upload/files` (docs/internals/decisions.md, "Uploaded files"). Bodies have no `data`
 * envelope (docs/internals/strapi-behaviour.md, "Files").
 */
export function uploadRoutes(services: Services, parts: MediaParts) {
  const library = createMediaLibrary(services, parts)
  const upload = {
    id: 'upload',
    summary: 'Upload files, or change a file with `id`',
    query: [queryParameter('id', 'Id of the file to change', text)],
    body: uploadBody,
    bodyType: 'multipart/form-data' as const,
    answers: { 200: file, 201: files },
    errors: [404],
    multipart: true,
    keep: library.keep,
    prepare: (parts: readonly UploadedPart[], search: string) =>
      library.storeParts(filesOf(parts), search),
    handle: (request: HttpRequest) => {
      const id = new URLSearchParams(request.search).get('id')
      return id === null ? receive(services, library, request) : change(library, request, id)
    },
  }
  const remove = (id: number, request: HttpRequest) => library.remove(id, changerOf(request))
  const routes = routesOf(
    { guard: granted('upload.content-api.find'), tag: 'Files' },
    {
      'POST /api/upload': { ...upload, guard: granted('upload.content-api.upload') },
      'GET /api/upload/files': {
        id: 'listFiles',
        summary: 'List files of the media library, without an envelope',
        lists: builtIn.file,
        answer: files,
        handle: async (request) => taggedReply(await library.find(requestedRead(request))),
      },
      'GET /api/upload/files/:id': {
        id: 'readFile',
        summary: 'A file',
        guard: granted('upload.content-api.findOne'),
        shows: builtIn.file,
        answer: file,
        handle: async (request) =>
          taggedReply(await library.findOne(idOf(request), requestedRead(request))),
      },
      'DELETE /api/upload/files/:id': {
        id: 'deleteFile',
        summary: 'Delete a file',
        guard: granted('upload.content-api.destroy'),
        answer: file,
        handle: async (request) => reply(200, await remove(idOf(request), request)),
      },
    },
  )
  return { routes, upload, remove }
}

async function receive(
  services: Services,
  library: MediaLibrary,
  request: HttpRequest,
): Promise<Reply> {
  const parts = storedOf(request)
  // A new file has no revision that `If-Match` could require.
  if (revisionOf(request) !== undefined) throw fail('precondition-failed')
  if (parts.length === 0) throw fail('validation', 'Files are empty')
  const body = bodyOf(request)
  const infos = parseFileInfo(body['fileInfo'], parts.length)
  const by = writerOf(request)
  const attach = await resolveAttachment(services, request.caller, by, body)
  const files = await library.create(parts, infos, by, async (ids) => attach?.(ids))
  return reply(201, files)
}

async function change(library: MediaLibrary, request: HttpRequest, id: string): Promise<Reply> {
  const parts = storedOf(request)
  if (parts.length > 1) throw fail('validation', 'Send one file to replace a file')
  const [info = {}] = parseFileInfo(bodyOf(request)['fileInfo'], 1)
  return reply(200, await library.update(recordIdOf(id), info, parts[0], changerOf(request)))
}

const changerOf = (request: HttpRequest): Changer => ({
  ...writerOf(request),
  ifRevision: revisionOf(request),
})

/** Throws if one of the files is empty. */
function filesOf(files: readonly UploadedPart[]) {
  const parts = files.filter((part) => part.field === 'files')
  if (parts.some((part) => part.size === 0)) throw fail('validation', 'Files are empty')
  return parts
}

/** Returns the files that were stored before the handler ran. */
const storedOf = ({ prepared }: HttpRequest) => prepared as readonly StoredUpload[]

const bodyOf = ({ body }: HttpRequest) => (isObject(body) ? body : {})

const file = ({ entry }: EntrySchemas): JsonSchema => entry(builtIn.file)
const files = (schemas: EntrySchemas): JsonSchema => list(file(schemas))
const uploadBody: JsonSchema = {
  type: 'object',
  properties: {
    files: list({ ...text, contentMediaType: 'application/octet-stream' }),
    fileInfo: {
      description:
        'JSON, an object for one file or a list for all: name, alternativeText, caption, focalPoint',
      ...text,
    },
    ref: {
      description: 'uid of the content-type of the entry to attach the files to',
      ...text,
    },
    refId: { description: 'Its documentId or id', ...text },
    field: { description: 'Its attribute', ...text },
  },
}
