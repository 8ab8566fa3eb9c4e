import express, { type Request, type RequestHandler, type Response } from 'express'
import { fail } from '../../engine/errors.js'
import { checkTree, parseJson, parseJsonExactly } from './parse-json.js'

/** Reads the body of a request: undefined where there is none, or none of a type that is understood. */
export type BodyReader = (
  request: Request,
  response: Response,
  options?: Readonly<{ exactNumbers?: boolean }>,
) => Promise<unknown>

/**
 * JSON (`application/json`, `application/vnd.api+json`) and URL-encoded bodies up to `limit` bytes.
 * Throws `syntax`, `payload-too-large`, `unsupported-media-type` or `bad-request`.
 */
export function createBodyReader(limit: number): BodyReader {
  const readText = express.text({ type: jsonTypes, limit })
  const readForm = express.urlencoded({ extended: true, limit, parameterLimit: maxParameters })
  return async (request, response, { exactNumbers = false } = {}) => {
    if (!bodyMethods.has(request.method)) return undefined
    await runMiddleware(readText, request, response)
    const text: unknown = request.body
    if (typeof text === 'string') return exactNumbers ? parseJsonExactly(text) : parseJson(text)
    await runMiddleware(readForm, request, response)
    const form: unknown = request.body
    checkTree(form)
    return form
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
