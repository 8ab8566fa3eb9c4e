import { finished, type Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request, RequestHandler, Response } from 'express'
import qs from 'qs'
import { fail } from '../../../engine/errors.js'
import { JsonScanner } from '../../../engine/values/scan-json.js'
import { hasBody } from './arrivals.js'
import { clientKeyOf } from './request-client.js'
import type { BodyBudget } from './body-budget.js'
import { checkTree, parseJsonInTurns } from './parse-json.js'
import type { BodyLimit } from '../route.js'

/** A parsed body and its length in bytes. The value is undefined if there is no body, or its type is not supported. */
export type ReceivedBody = Readonly<{ value: unknown; bytes: number }>

/** Reads the body of a request. */
export type BodyReader = (
  request: Request,
  response: Response,
  options?: Readonly<{ exactNumbers?: boolean | undefined; bodyLimit?: BodyLimit | undefined }>,
) => Promise<ReceivedBody>

/**
 * Returns a reader for JSON and URL-encoded bodies up to `limit` bytes. Checks depth, number of values and memory
 * before parsing. Throws `syntax`, `validation`, `limit-exceeded`, `payload-too-large`, `unsupported-media-type`,
 * `unavailable` or `bad-request`.
 */
export function createBodyReader(limit: number, budget: BodyBudget): BodyReader {
  const usual: BodyLimit = { bytes: limit, bound: 'http.bodyLimit' }
  return async (request, response, { exactNumbers = false, bodyLimit = usual } = {}) => {
    if (!bodyMethods.has(request.method) || !hasBody(request)) return noBody
    const isJson = request.is(jsonTypes) !== false
    if (!isJson && request.is(formType) === false) return noBody
    const hold = budget.open(clientKeyOf(request), response)
    const scanner = isJson ? new JsonScanner({ itemLimit: bodyLimit.itemLimit }) : undefined
    let values = 0
    // A route's own limit may exceed `http.bodyLimit`, but only for JSON bodies.
    const limits = isJson || bodyLimit.bytes < limit ? bodyLimit : usual
    const { text, bytes } = await receiveText(request, limits, (chunk) => {
      scanner?.push(chunk)
      const added = (scanner?.values ?? 0) - values
      values += added
      hold(memoryPerByte * chunk.length + memoryPerValue * added)
    })
    const value = isJson ? await parseJsonInTurns(text, exactNumbers) : parseForm(text)
    return { value, bytes }
  }
}

/** Result for a request without a body, and for a multipart form, which `MultipartReader` reads. */
export const noBody: ReceivedBody = { value: undefined, bytes: 0 }

/** Each byte is in memory twice: as received, and as part of the text. */
const memoryPerByte = 2
/** Approximate bytes per parsed JSON value or key: `[]` takes 40, a key with its value up to 130. */
const memoryPerValue = 64

/** Receives a body as UTF-8 text. Passes each decompressed chunk to `take` first, and rejects if it throws. */
async function receiveText(
  request: Request,
  { bytes: limit, bound, isCompressible = true }: BodyLimit,
  take: (chunk: Uint8Array) => void,
): Promise<Readonly<{ text: string; bytes: number }>> {
  const { headers } = request
  if (Number(headers['content-length'] ?? 0) > limit) throw fail('payload-too-large', { bound })
  checkCharset(headers['content-type'] ?? '')
  const stream = decompressed(request, isCompressible)
  const decoder = new StringDecoder('utf8')
  let text = ''
  let bytes = 0
  await new Promise<void>((resolve, reject) => {
    const end = (error?: Error): void => {
      stream.off('data', onData)
      stopWaiting()
      if (stream !== request) {
        request.unpipe()
        stream.on('error', () => undefined).destroy()
      }
      if (error === undefined) return resolve()
      // Release the text. Otherwise the error's stack would keep it in memory until the request ends.
      text = ''
      reject(toError(error))
    }
    const onData = (chunk: Uint8Array): void => {
      try {
        bytes += chunk.length
        if (bytes > limit) throw fail('payload-too-large', { bound })
        take(chunk)
        text += decoder.write(chunk)
      } catch (error) {
        end(error as Error)
      }
    }
    const stopWaiting = finished(stream, { writable: false }, (error) => {
      end(error ? fail('bad-request', error.message) : undefined)
    })
    if (stream !== request) request.once('close', () => request.complete || stream.destroy())
    stream.on('data', onData)
  })
  text += decoder.end()
  return { text: text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text, bytes }
}

const byteOrderMark = 0xfeff

function decompressed(request: Request, isCompressible: boolean): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return request
  const create = isCompressible ? decompressors.get(encoding) : undefined
  if (create === undefined)
    throw fail('unsupported-media-type', `unsupported content encoding "${encoding}"`)
  return request.pipe(create())
}

const decompressors = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
] as const) as ReadonlyMap<string, typeof createGunzip>

/** Rejects charsets other than UTF-8 and its subset ASCII. JSON is always UTF-8 (RFC 8259). */
function checkCharset(contentType: string): void {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? []
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw fail('unsupported-media-type', `unsupported charset "${charset.toUpperCase()}"`)
}

/** Parses a URL-encoded form like Express's `urlencoded` with `extended`. */
function parseForm(text: string): unknown {
  const parameters = text.split('&', maxParameters + 1).length
  if (parameters > maxParameters)
    throw fail('limit-exceeded', {
      what: 'The number of parameters of a form',
      bound: 'parameters',
      limit: maxParameters,
    })
  let value: unknown
  try {
    value = qs.parse(text, {
      allowPrototypes: true,
      depth: 32,
      strictDepth: true,
      arrayLimit: Math.max(100, parameters),
      parameterLimit: maxParameters,
    })
  } catch (error) {
    throw fail('bad-request', (error as Error).message)
  }
  checkTree(value)
  return value
}

/** The time that qs takes grows with the square of a list's length: 10,000 items take seconds. */
const maxParameters = 1000

/** Runs an Express middleware outside of Express's chain. Settles when the middleware calls `next`. */
export function runMiddleware(
  middleware: RequestHandler,
  request: Request,
  response: Response,
): Promise<void> {
  return new Promise((resolve, reject) => {
    void middleware(request, response, (error?: unknown) => {
      if (error === undefined || error === null) resolve()
      else reject(toError(error))
    })
  })
}

/** Returns an error as it is, and wraps any other value in one. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

const formType = 'application/x-www-form-urlencoded'
const jsonTypes = ['application/json', 'application/vnd.api+json']

const bodyMethods = new Set(['POST', 'PUT', 'PATCH'])
