import { errorOf, QuireError } from './quire-error.js'
import type { RequestOptions } from './methods.js'

export interface ClientOptions {
  /** Address of the API, with its prefix: `https://site.example/api`. */
  baseUrl: string
  /** An API token or a user's JWT; a function is asked before each request. Default: none, as anybody. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Default: the runtime's. */
  fetch?: typeof fetch | undefined
  /** Sent with each request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** How long a request may take, its repetitions included; default 30,000. */
  timeoutMs?: number | undefined
  /** How often a request that may be repeated is; default 2. */
  retries?: number | undefined
}

export type Outgoing = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `baseUrl`, with its query string. */
  path: string
  /** JSON, or a form. */
  body?: unknown
  options?: RequestOptions | undefined
}>

export type Send = (outgoing: Outgoing) => Promise<unknown>

/**
 * Sends requests and reads their answers. What may be repeated is asked again where the service is busy for a while
 * (503 with `Retry-After`) or the connection broke, as often as `retries` says and within the time that there is:
 * GETs, and writes with an `Idempotency-Key`. Such a write that is still being done for whoever asked before (409 with
 * `Retry-After`) is asked for again as long as there is time, because nothing failed. Rejects with a `QuireError` for an answer that refuses, with the
 * signal's reason where it ends, with a `TimeoutError` after `timeoutMs`, and with what `fetch` rejects with.
 */
export function createSend(given: ClientOptions): Send {
  const options = { ...given, baseUrl: new URL(given.baseUrl).href.replace(/\/+$/, '') }
  return async (outgoing) => {
    const { signal: outer, timeoutMs = options.timeoutMs ?? 30_000 } = outgoing.options ?? {}
    const { signal, release } = limitTime(timeoutMs, outer)
    try {
      return await sendAgain(options, outgoing, signal)
    } finally {
      release()
    }
  }
}

async function sendAgain(
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
      if (!isUnderway(error)) failures += 1
      await waitFor(waitMs, signal)
    }
  }
}

const mayRepeat = ({ method, options }: Outgoing): boolean =>
  method === 'GET' ||
  Object.keys(options?.headers ?? {}).some((name) => name.toLowerCase() === 'idempotency-key')

/** How long to wait before the next attempt; undefined: there is none. */
function waitAfter(error: unknown, failures: number): number | undefined {
  if (error instanceof QuireError)
    return error.status === 503 || isUnderway(error) ? error.retryAfterMs : undefined
  // `fetch` tells every broken connection so.
  return error instanceof TypeError ? 200 * 2 ** failures : undefined
}

/** Another conflict does not say when to ask again. */
const isUnderway = (error: unknown): boolean =>
  error instanceof QuireError && error.status === 409 && error.retryAfterMs !== undefined

async function sendOnce(
  { baseUrl, token, fetch: given, headers }: ClientOptions,
  { method, path, body, options }: Outgoing,
  signal: AbortSignal,
): Promise<unknown> {
  const [sentBody, bodyHeaders] = bodyOf(body)
  const credentials = typeof token === 'function' ? await token() : token
  // Found at each request, and called without a receiver, which browsers refuse.
  const ask = given ?? fetch
  const response = await ask(`${baseUrl}${path}`, {
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

/** A form says its own type, with the boundary of its parts. */
function bodyOf(body: unknown): readonly [FormData | string | null, Record<string, string>] {
  if (body === undefined) return [null, {}]
  if (body instanceof FormData) return [body, {}]
  return [JSON.stringify(body), { 'Content-Type': 'application/json' }]
}

/** JSON; a text that is none as it is, and nothing for no text. */
function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * A signal that ends with another or after a time, and what takes it back.
 * @param ms after which the signal's reason is a `TimeoutError`, as that of `AbortSignal.timeout`
 * @param outer whose reason it takes over
 */
function limitTime(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  const end = (): void => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`No answer within ${ms} ms`, 'TimeoutError'))
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
 * Resolves after a time; rejects with the signal's reason when it ends before.
 * @param signal of one request, which has not ended
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
