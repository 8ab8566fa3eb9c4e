/**
 * An error response. Test for it with `instanceof`, because its `name` is that of the service's error, or `HttpError`
 * if there is none.
 */
export class QuireError extends Error {
  readonly status: number
  /** Details of the error, for example the paths of invalid values. */
  readonly details: unknown
  /** Time to wait before a retry. Undefined if the response has no `Retry-After`. */
  readonly retryAfterMs: number | undefined

  constructor(
    body: Readonly<{ status: number; name: string; message: string; details?: unknown }>,
    retryAfterMs?: number,
  ) {
    super(body.message)
    this.name = body.name
    this.status = body.status
    this.details = body.details
    this.retryAfterMs = retryAfterMs
  }
}

/** Creates the error for a response with a parsed body. */
export function errorOf(response: Response, body: unknown): QuireError {
  const retryAfterMs = retryAfterOf(response.headers.get('Retry-After'))
  const { status, statusText } = response
  if (isObject(body) && isObject(body.error)) {
    const { name, message, details } = body.error
    if (typeof name === 'string' && typeof message === 'string')
      return new QuireError({ status, name, message, details }, retryAfterMs)
  }
  const message = `${status} ${statusText}`.trim()
  return new QuireError({ status, name: 'HttpError', message, details: body }, retryAfterMs)
}

/** Returns the milliseconds to wait. The header is a number of seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf(text: string | null): number | undefined {
  if (text === null || text.trim() === '') return undefined
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
