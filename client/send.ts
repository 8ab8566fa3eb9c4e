import { errorOf, QuireError } from './quire-error.js'
import type { RequestOptions } from './methods.js'

export interface ClientOptions {
  /** Address of the API, including its path prefix: `https://site.example/api`. */
  baseUrl: string
  /**
   * An API token or a user's JWT. If it is a function, the client calls it before each request. Requests without a
   * token have the permissions of the public role.
   */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Default: the runtime's `fetch`. */
  fetch?: typeof fetch | undefined
  /** Headers to add to every request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Time limit of a request including its retries, in ms. Default: 30,000. */
  timeoutMs?: number | undefined
  /** Maximum number of retries. Only GETs and writes with an `Idempotency-Key` are retried. Default: 2. */
  retries?: number | undefined
}

export type Outgoing = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path relative to `baseUrl`, with the query string. */
  path: string
  /** A value to send as JSON, or a form. */
  body?: unknown
  options?: RequestOptions | undefined
}>

export type Send = (outgoing: Outgoing) => Promise<unknown>

/**
 * Creates a function that sends requests and parses their responses.
 *
 * GETs, and writes with an `Idempotency-Key`, are retried up to `retries` times, within the time limit. They are
 * retried if the service is busy (503 with `Retry-After`) or the connection breaks. If a previous request with the same
 * key is still in progress (409 with `Retry-After`), the write is retried until the time limit, because nothing has
 * failed.
 *
 * The function rejects with a `QuireError` for an error response, with the signal's reason if the signal aborts, with a
 * `TimeoutError` after `timeoutMs`, and with errors that `fetch` throws.
 */
export function createSend(given: ClientOptions): Send {
  const options = { ...given, baseUrl: new URL(given.baseUrl).href.replace(/\/+$/, '') }
  return async (outgoing) => {
    const { signal: outer, timeoutMs = options.timeoutMs ?? 30_000 } = outgoing.options ?? {}
    const { signal, release } = limitTime(timeoutMs, outer)
    try {
      return await sendWithRetries(options, outgoing, signal)
    } finally {
      release()
    }
  }
}

async function sendWithRetries(
  options: ClientOptions,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<unknown> {
  const retries = mayRepeat(outgoing) ? (options.retries ?? 2) : 0
  for (let failures = 0; ;) {
    try {
      return await sendOnce(options, outgoing, signal)
    } catch (error) {
      const waitMs = failures < retries && !signal.aborted ? waitAfter(error, failures) : undefined
      if (waitMs === undefined) throw error
      if (!isInFlight(error)) failures += 1
      await waitFor(waitMs, signal)
    }
  }
}

const mayRepeat = ({ method, options }: Outgoing): boolean =>
  method === 'GET' ||
  Object.keys(options?.headers ?? {}).some((name) => name.toLowerCase() === 'idempotency-key')

/** Returns the time to wait before the next attempt, in ms. Returns undefined if the request must not be retried. */
function waitAfter(error: unknown, failures: number): number | undefined {
  if (error instanceof QuireError)
    return error.status === 503 || isInFlight(error) ? error.retryAfterMs : undefined
  // `fetch` reports broken connections as a `TypeError`.
  return error instanceof TypeError ? 200 * 2 ** failures : undefined
}

/**
 * Whether a previous request with the same `Idempotency-Key` is still in progress. No other 409 has a `Retry-After`.
 */
const isInFlight = (error: unknown): boolean =>
  error instanceof QuireError && error.status === 409 && error.retryAfterMs !== undefined

async function sendOnce(
  { baseUrl, token, fetch: given, headers }: ClientOptions,
  { method, path, body, options }: Outgoing,
  signal: AbortSignal,
): Promise<unknown> {
  const [sentBody, bodyHeaders] = bodyOf(body)
  const credentials = typeof token === 'function' ? await token() : token
  // Read the global `fetch` at each request. Browsers require that it is called without a receiver.
  const fetchResponse = given ?? fetch
  const response = await fetchResponse(`${baseUrl}${path}`, {
    method,
    headers: {
      Accept: 'application/json',
      ...headers,
      ...(credentials !== undefined && { Authorization: `Bearer ${credentials}` }),
      ...bodyHeaders,
      ...options?.headers,
    },
    signal,
    body: sentBody,
  })
  const answer = parsed(await response.text())
  if (!response.ok) throw errorOf(response, answer)
  return answer
}

/**
 * Returns the encoded body and its headers. For a form, `fetch` sets `Content-Type` itself, because the header contains
 * the boundary between the form's parts.
 */
function bodyOf(body: unknown): readonly [FormData | string | null, Record<string, string>] {
  if (body === undefined) return [null, {}]
  if (body instanceof FormData) return [body, {}]
  return [JSON.stringify(body), { 'Content-Type': 'application/json' }]
}

/**
 * Parses the text of a response as JSON. Returns text that is not JSON unchanged, and undefined for an empty string.
 */
function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * Returns a signal that aborts after a time limit, or when the signal `outer` aborts. `release` removes the timer and
 * the listener.
 * @param ms time limit, after which the signal aborts with a `TimeoutError`, like `AbortSignal.timeout`
 * @param outer the caller's signal. If it aborts, the returned signal aborts with the same reason
 */
function limitTime(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  const end = (): void => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`No response within ${ms} ms`, 'TimeoutError'))
  }, ms)
  if (outer?.aborted === true) end()
  else outer?.addEventListener('abort', end, { once: true })
  const release = (): void => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', end)
  }
  return { signal: controller.signal, release }
}

/**
 * Resolves after a time. Rejects with the signal's reason if the signal aborts first.
 * @param signal must not be aborted yet
 */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
