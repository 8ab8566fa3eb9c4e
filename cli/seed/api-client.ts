/** JSON of an answer, as it is asked for. */
export type ApiClient = Readonly<{
  get: <T>(path: string) => Promise<T>
  post: <T>(path: string, body: unknown) => Promise<T>
  put: <T>(path: string, body: unknown) => Promise<T>
  delete: (path: string) => Promise<void>
}>

/** An answer that was not the one hoped for. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
    this.name = 'ApiFailure'
  }
}

/**
 * Speaks to a service at `base` (`http://localhost:1337`) with a bearer token, or as nobody.
 * A body is JSON, or a form where it is `FormData`. Throws `ApiFailure` for answers that are errors.
 */
export function createApiClient(base: string, token?: string): ApiClient {
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const isForm = body instanceof FormData
    const response = await fetch(`${base.replace(/\/$/, '')}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) {
      const told = `${method} ${path} was answered with ${response.status}`
      throw new ApiFailure(response.status, `${told}: ${text.slice(0, 500)}`)
    }
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
  return {
    get: async <T>(path: string) => (await send('GET', path)) as T,
    post: async <T>(path: string, body: unknown) => (await send('POST', path, body)) as T,
    put: async <T>(path: string, body: unknown) => (await send('PUT', path, body)) as T,
    delete: async (path) => {
      await send('DELETE', path)
    },
  }
}
