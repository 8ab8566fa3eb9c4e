import { errorOf, QuireError } from './quire-error.js'
import type { RequestOptions } from './methods.js'

export interface ClientOptions {
  /** The URL of the API, including the path prefix: `https://site.example/api`. */
  baseUrl: string
  /**
   * An API token, a user's JWT, or a function that returns one, called before each request. Without it, requests are
   * public.
   */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Default: the runtime's `fetch`. */
  fetch?: typeof fetch | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Time limit of a request including its retries, in ms. Default: 30,000. */
  timeoutMs?: number | undefined
  /** Maximum number of retries of GETs and of writes with an `Idempotency-Key`. Default: 2. */
  retries?: number | undefined
}

export type Outgoing = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path relative to `baseUrl`, with the query string. */
  path: string
  /** A value to send as JSON, or a form. */
  body?: unknown
  options?: RequestOptions | undefined
}>

export type Send = (outgoing: Outgoing) => Promise<unknown>

/**
 * Creates a function that sends requests and parses responses. Retries GETs and writes with an `Idempotency-Key` if the
 * service is busy (503 with `Retry-After`) or the connection breaks. Also retries while a request with the same key is
 * in progress (409 with `Retry-After`), and does not count these attempts. Rejects with a `QuireError`, the signal's
 * reason, a `TimeoutError` or an error of `fetch`.
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

/** Returns how long to wait before a retry, in ms. Undefined if the request must not be retried. */
function waitAfter(error: unknown, failures: number): number | undefined {
  if (error instanceof QuireError)
    return error.status === 503 || isInFlight(error) ? error.retryAfterMs : undefined
  // `fetch` reports broken connections as a `TypeError`.
  return error instanceof TypeError ? 200 * 2 ** failures : undefined
}

/** Whether a request with the same `Idempotency-Key` is in progress. Only a 409 for this reason has a `Retry-After`. */
const isInFlight = (error: unknown): boolean =>
  error instanceof QuireError && error.status === 409 && error.retryAfterMs !== undefined

async function sendOnce(
  { baseUrl, token, fetch: given, headers }: ClientOptions,
  { method, path, body, options }: Outgoing,
  signal: AbortSignal,
): Promise<unknown> {
  const [sentBody, bodyHeaders] = bodyOf(body)
  const credentials = typeof token === 'function' ? await token() : token
  // Browsers require that `fetch` is called without a receiver.
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
 * Returns the body and its headers. `fetch` sets the `Content-Type` of a form itself, because it contains the boundary
 * between the form's parts.
 */
function bodyOf(body: unknown): readonly [FormData | string | null, Record<string, string>] {
  if (body === undefined) return [null, {}]
  if (body instanceof FormData) return [body, {}]
  return [JSON.stringify(body), { 'Content-Type': 'application/json' }]
}

/** Parses JSON. Returns other text unchanged, and undefined for an empty string. */
function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Returns a signal that aborts after a time limit, or with `outer`. `release` removes its timer and listener. */
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
 * Waits for `ms` milliseconds. Rejects with the reason of `signal` if it aborts earlier. `signal` must not be aborted
 * yet.
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
