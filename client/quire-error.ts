/**
 * A refusal, as the service's envelope tells it. `name` is the envelope's (`ValidationError`, `NotFoundError`), so it is
 * found by `instanceof QuireError`. Of an answer that is not the service's (a proxy's page) `name` is `HttpError`.
 */
export class QuireError extends Error {
  readonly status: number
  /** What the envelope says beside the message: the paths of what is wrong. */
  readonly details: unknown
  /** `Retry-After`: how long to wait, where the answer says so. */
  readonly retryAfterMs: number | undefined

  constructor(
    said: Readonly<{ status: number; name: string; message: string; details?: unknown }>,
    retryAfterMs?: number,
  ) {
    super(said.message)
    this.name = said.name
    this.status = said.status
    this.details = said.details
    this.retryAfterMs = retryAfterMs
  }
}

/** The error that an answer is; `body`: what was read of it. */
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

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterOf(text: string | null): number | undefined {
  if (text === null || text.trim() === '') return undefined
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
