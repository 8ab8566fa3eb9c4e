import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Request, Response } from 'express'
import multer, { MulterError } from 'multer'
import { fail } from '../../engine/errors.js'
import type { Settings } from '../settings/settings.js'
import { runMiddleware } from './body.js'
import { checkTree } from './parse-json.js'
import type { UploadedPart } from './route.js'

export type Multipart = Readonly<{ body: unknown; files: readonly UploadedPart[] }>
export type MultipartReader = (request: Request, response: Response) => Promise<Multipart>

/**
 * Receives the files of `multipart/form-data` into `directory`, a private one, within `upload.sizeLimit` and
 * `upload.maxFiles`; the text fields become the body. Throws `payload-too-large`, `limit-exceeded`, `bad-request`.
 */
export function createMultipartReader(settings: Settings, directory: string): MultipartReader {
  // A folder for each request, so that what a broken one leaves behind goes with it.
  const folders = new WeakMap<object, Promise<string>>()
  const folderOf = (request: object): Promise<string> => {
    const path = join(directory, randomUUID())
    const folder = folders.get(request) ?? mkdir(path, 0o700).then(() => path)
    folders.set(request, folder)
    return folder
  }
  const receive = multer({
    // The name on disk is ours: nothing of the client's name becomes a path.
    storage: multer.diskStorage({
      destination: (request, _file, done) => {
        folderOf(request).then(
          (path) => done(null, path),
          (error: Error) => done(error, ''),
        )
      },
      filename: (_request, _file, done) => done(null, randomUUID()),
    }),
    defParamCharset: 'utf8',
    limits: {
      fileSize: settings['upload.sizeLimit'],
      files: settings['upload.maxFiles'],
      fields: 100,
      fieldSize: settings['http.bodyLimit'],
      fieldNestingDepth: 20,
      fieldArrayIndexLimit: 100,
      headerPairs: 50,
    },
  }).any()
  return async (request, response) => {
    try {
      await runMiddleware(receive, request, response)
      const body: unknown = request.body
      checkTree(body)
      return { body, files: filesOf(request) }
    } catch (error) {
      await removeFolder(folders.get(request))
      throw toApiError(error, settings)
    }
  }
}

export const isMultipart = (request: Request): boolean =>
  request.is('multipart/form-data') === 'multipart/form-data'

/** Removes the temporary files that a handler has not moved away. */
export async function removeParts(files: readonly UploadedPart[]): Promise<void> {
  const folders = new Set(files.map((file) => dirname(file.path)))
  await Promise.all([...folders].map((folder) => rm(folder, { recursive: true, force: true })))
}

/** What is still being written there is gone with it, or finds it gone. */
async function removeFolder(folder: Promise<string> | undefined): Promise<void> {
  const path = await folder?.catch(() => undefined)
  if (path !== undefined) await rm(path, { recursive: true, force: true })
}

const filesOf = (request: Request): readonly UploadedPart[] =>
  (Array.isArray(request.files) ? request.files : []).map((file) => ({
    field: file.fieldname,
    fileName: file.originalname,
    mimeType: file.mimetype,
    path: file.path,
    size: file.size,
  }))

function toApiError(error: unknown, settings: Settings): unknown {
  if (error instanceof MulterError) {
    if (error.code === 'LIMIT_FILE_SIZE')
      return fail('payload-too-large', { bound: 'upload.sizeLimit' })
    if (error.code === 'LIMIT_FIELD_VALUE')
      return fail('payload-too-large', { bound: 'http.bodyLimit' })
    if (error.code === 'LIMIT_FILE_COUNT') {
      return fail('limit-exceeded', {
        what: 'The number of files',
        bound: 'upload.maxFiles',
        limit: settings['upload.maxFiles'],
      })
    }
    return fail('bad-request', { message: error.message })
  }
  // busboy's complaints about the form itself are bare errors; those of the file system have a code.
  if (error instanceof Error && error.constructor === Error && !('code' in error)) {
    return fail('bad-request', { message: error.message })
  }
  return error
}
