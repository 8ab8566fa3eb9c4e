import express, { type Request, type RequestHandler, type Response } from 'express'
import { ApiError, fail } from '../../engine/errors.js'
import { checkTree, parseJson, parseJsonExactly } from './parse-json.js'

/** Reads the body of a request: undefined where there is none, or none of a type that is understood. */
export type BodyReader = (
  request: Request,
  response: Response,
  options?: Readonly<{
    exactNumbers?: boolean
    bodyLimit?: Readonly<{ bytes: number; bound: string }>
  }>,
) => Promise<unknown>

/**
 * JSON (`application/json`, `application/vnd.api+json`) and URL-encoded bodies up to `limit` bytes.
 * Throws `syntax`, `payload-too-large`, `unsupported-media-type` or `bad-request`.
 */
export function createBodyReader(limit: number): BodyReader {
  const readText = express.text({ type: jsonTypes, limit })
  /** By their limit; there are few. */
  const readers = new Map([[limit, readText]])
  const readerOf = (bytes: number): RequestHandler => {
    const reader = readers.get(bytes) ?? express.text({ type: jsonTypes, limit: bytes })
    readers.set(bytes, reader)
    return reader
  }
  const usual = { bytes: limit, bound: 'http.bodyLimit' }
  const readForm = express.urlencoded({ extended: true, limit, parameterLimit: maxParameters })
  return async (request, response, { exactNumbers = false, bodyLimit = usual } = {}) => {
    if (!bodyMethods.has(request.method)) return undefined
    const isJson = request.is(jsonTypes) !== false
    if (!isJson && request.is(formType) === false) return undefined
    const bounds = isJson ? bodyLimit : usual
    const reader = isJson ? readerOf(bodyLimit.bytes) : readForm
    await withinBytes(request, bounds, () => runMiddleware(reader, request, response)).catch(
      (error: unknown) => {
        throw isTooLarge(error) ? fail('payload-too-large', { bound: bounds.bound }) : error
      },
    )
    const { body } = request as { body: unknown }
    if (isJson && typeof body === 'string')
      return exactNumbers ? parseJsonExactly(body) : parseJson(body)
    checkTree(body)
    return body
  }
}

type Bounds = Readonly<{ bytes: number; bound: string }>

const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'payload-too-large'

/** Rejects as soon as a body is too large: its reader takes all of it, however long, before it says so. */
async function withinBytes(
  request: Request,
  { bytes, bound }: Bounds,
  read: () => Promise<void>,
): Promise<void> {
  const announced = request.headers['content-length']
  if (Number(announced ?? 0) > bytes) throw fail('payload-too-large', { bound })
  // Of what was announced no more comes.
  if (announced !== undefined) return read()
  let onData = (_chunk: Uint8Array): void => undefined
  const tooMuch = new Promise<never>((_resolve, reject) => {
    let received = 0
    onData = (chunk) => {
      received += chunk.byteLength
      if (received > bytes) reject(fail('payload-too-large', { bound }))
    }
  })
  request.on('data', onData)
  try {
    await Promise.race([read(), tooMuch])
  } finally {
    request.off('data', onData)
  }
}

/** Runs a middleware of Express's kind for its effect on the request; rejects with what it passes to `next`. */
export function runMiddleware(
  middleware: RequestHandler,
  request: Request,
  response: Response,
): Promise<void> {
  return new Promise((resolve, reject) => {
    void middleware(request, response, (error?: unknown) => {
      if (error === undefined || error === null) resolve()
      else reject(toApiError(error))
    })
  })
}

/**
 * Of one form. Lists are put together in time that grows with the square of their length, before it is known who
 * sends them: of 10,000 parameters that is seconds.
 */
const maxParameters = 1000

const formType = 'application/x-www-form-urlencoded'
const jsonTypes = ['application/json', 'application/vnd.api+json']

const bodyMethods = new Set(['POST', 'PUT', 'PATCH'])

/** body-parser's errors carry a status and say in `type` what was wrong. */
function toApiError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const { status, type } = error as { status?: unknown; type?: unknown }
  if (type === 'parameters.too.many')
    return fail('limit-exceeded', {
      what: 'The number of parameters of a form',
      bound: 'parameters',
      limit: maxParameters,
    })
  if (status === 413) return fail('payload-too-large', { bound: 'http.bodyLimit' })
  if (status === 415) return fail('unsupported-media-type', { message: error.message })
  if (status === 400) return fail('bad-request', { message: error.message })
  return error
}
