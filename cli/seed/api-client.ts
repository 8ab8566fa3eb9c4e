import { jsonOf, send } from '../admin-client.js'

/** JSON of an answer, as it is asked for. */
export type ApiClient = Readonly<{
  get: <T>(path: string) => Promise<T>
  post: <T>(path: string, body: unknown) => Promise<T>
  put: <T>(path: string, body: unknown) => Promise<T>
  delete: (path: string) => Promise<void>
}>

/**
 * Speaks to a service at `base` (`http://localhost:1337`) with a bearer token, or as nobody.
 * A body is JSON, or a form where it is `FormData`. Throws a `Refusal` for answers that are errors.
 */
export function createApiClient(base: string, token?: string): ApiClient {
  const ask = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await send(`${base.replace(/\/$/, '')}${path}`, init, token)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const sendBody = <T>(method: string, path: string, body: unknown): Promise<T> =>
    ask(path, body instanceof FormData ? { method, body } : jsonOf(method, body))
  return {
    get: (path) => ask(path, {}),
    post: (path, body) => sendBody('POST', path, body),
    put: (path, body) => sendBody('PUT', path, body),
    delete: (path) => ask(path, { method: 'DELETE' }),
  }
}
