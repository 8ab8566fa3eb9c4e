export type RequestOptions = Readonly<{
  token?: string
  /** Forms, strings and bytes are sent as they are, everything else as JSON. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}>

export type Answer = Readonly<{
  status: number
  headers: Headers
  text: string
  /** Undefined if the response is not JSON. */
  body: unknown
}>

export type Send = (method: string, path: string, options?: RequestOptions) => Promise<Answer>

/**
 * Returns a function that sends requests to the service at `url`, such as `send('GET', '/api/articles', { token })`.
 */
export function sender(url: string): Send {
  return async (method, path, { token, body, headers, signal } = {}) => {
    const raw = body instanceof FormData || typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined || raw ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
