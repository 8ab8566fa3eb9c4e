import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Request, Response } from 'express'
import multer, { MulterError, type Options } from 'multer'
import { fail, notDone } from '../../../engine/errors.js'
import type { Settings } from '../../settings/settings.js'
import { boundUpload } from './arrivals.js'
import { runMiddleware } from './body.js'
import { checkTree } from './parse-json.js'
import { discardPart, partStorage, type Receiving } from './part-storage.js'
import type { Route, UploadedPart } from '../route.js'
import type { TakeUploadSlot } from './upload-slots.js'

export type Multipart = Readonly<{
  body: unknown
  files: readonly UploadedPart[]
  /** Frees the upload slot, and removes the files that no handler has taken over. */
  over: () => Promise<void>
}>
export type MultipartReader = (
  request: Request,
  response: Response,
  keep: Route['keep'],
) => Promise<Multipart>

/**
 * Creates a reader for `multipart/form-data`. Waits for a slot, then stores each file as `keep` decides; by default in
 * `directory`, which must be private. If the request fails, removes everything. Limits: `upload.sizeLimit` per file,
 * `upload.maxFiles`, and `http.bodyLimit` for all text fields. Throws `timeout`, `payload-too-large`, `limit-exceeded`,
 * `bad-request`, or an error of `keep`.
 */
export function createMultipartReader(
  settings: Settings,
  directory: string,
  takeSlot: TakeUploadSlot,
): MultipartReader {
  const requests = new WeakMap<Request, Receiving>()
  const receivingOf = (request: Request): Receiving => {
    const receiving = requests.get(request)
    if (receiving === undefined) throw new Error('This request has no multipart reader')
    return receiving
  }
  const bodyLimit = settings['http.bodyLimit']
  const options: Options & FormHandler = {
    storage: partStorage(receivingOf),
    streamHandler: (request, form) => {
      boundFields(form, bodyLimit, receivingOf(request).fail)
      request.pipe(form)
    },
    defParamCharset: 'utf8',
    limits: {
      fileSize: settings['upload.sizeLimit'],
      files: settings['upload.maxFiles'],
      fields: 100,
      fieldSize: bodyLimit,
      fieldNestingDepth: 20,
      fieldArrayIndexLimit: 100,
      headerPairs: 50,
    },
  }
  const receive = multer(options).any()
  return async (request, response, keep) => {
    const leave = await takeSlot(request, response)
    let failed = (_error: Error): void => undefined
    // One folder per request, so that removing it removes all files of a failed request.
    const receiving: Receiving = {
      keep,
      folder: join(directory, randomUUID()),
      parts: new Map(),
      arriving: Promise.resolve(),
      fail: (error) => failed(error),
      over: new AbortController(),
    }
    // Each file of the request may add a listener to the signal; Node would warn about more than ten.
    setMaxListeners(0, receiving.over.signal)
    requests.set(request, receiving)
    let over = (): void => undefined
    try {
      // A destroyed request emits no more events, so the code below would wait forever.
      if (request.destroyed) throw new Error('The client has disconnected')
      await new Promise<void>((resolve, reject) => {
        failed = reject
        over = boundUpload(request, settings['upload.timeoutMs'], reject)
        runMiddleware(receive, request, response).then(resolve, reject)
      })
      const body: unknown = request.body
      checkTree(body)
      const files = filesOf(request, receiving)
      return { body, files, over: () => removeParts(files).finally(leave) }
    } catch (error) {
      receiving.over.abort()
      // Free the slot only when the aborted work has ended, because it may still use memory.
      void receiving.arriving.finally(leave)
      await removeParts([...receiving.parts.values()])
      await rm(receiving.folder, { recursive: true, force: true })
      throw toApiError(error, settings)
    } finally {
      over()
    }
  }
}

/** An option of multer that its types lack. */
type FormHandler = Readonly<{ streamHandler: (request: Request, form: Writable) => void }>

export const isMultipart = (request: Request): boolean =>
  request.is('multipart/form-data') === 'multipart/form-data'

async function removeParts(files: readonly UploadedPart[]): Promise<void> {
  await Promise.all(files.map(discardPart))
  const folders = new Set(files.flatMap((file) => (file.is === 'file' ? [dirname(file.path)] : [])))
  await Promise.all([...folders].map((folder) => rm(folder, { recursive: true, force: true })))
}

/** Returns the files in the order in which they were sent. */
const filesOf = (request: Request, { parts }: Receiving): readonly UploadedPart[] =>
  (Array.isArray(request.files) ? request.files : []).flatMap(({ filename }) => {
    const part = parts.get(filename)
    return part === undefined ? [] : [part]
  })

function toApiError(error: unknown, settings: Settings): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? error.code : undefined
  if (code === 'LIMIT_FILE_SIZE') return fail('payload-too-large', { bound: 'upload.sizeLimit' })
  if (code === 'LIMIT_FIELD_VALUE') return fail('payload-too-large', { bound: 'http.bodyLimit' })
  if (code === 'LIMIT_FILE_COUNT')
    return fail('limit-exceeded', {
      what: 'The number of files',
      bound: 'files of one upload',
      limit: settings['upload.maxFiles'],
    })
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return notDone('There is no disk space left to receive files', 10)
  // For a malformed body, busboy emits a plain `Error` without a code.
  const isOfForm = error.constructor === Error && code === undefined
  if (!isOfForm && !(error instanceof MulterError)) return error
  return fail('bad-request', error.message)
}

/**
 * Limits all text fields of a form together, including names. A limit per field would allow a hundred times as much
 * memory. Above `limit` bytes, calls `exceeded` with a 413 and destroys the parser.
 * @param form the form parser (busboy)
 */
function boundFields(form: Writable, limit: number, exceeded: (error: Error) => void): void {
  let bytes = 0
  form.on('field', (name: string | undefined, value: string) => {
    bytes += Buffer.byteLength(name ?? '') + Buffer.byteLength(value)
    if (bytes <= limit) return
    const error = fail('payload-too-large', { bound: 'http.bodyLimit' })
    exceeded(error)
    form.destroy(error)
  })
}
