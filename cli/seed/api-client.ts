import { jsonOf, send } from '../admin-client.js'

export type ApiClient = ReturnType<typeof createApiClient>

/**
 * Speaks to a service at `base` (`http://localhost:1337`) with a bearer token, or as nobody.
 * Answers are JSON, as they are asked for. A body is JSON, or a form where it is `FormData`. Throws a `Refusal` for answers that are errors.
 */
export function createApiClient(base: string, token?: string) {
  const ask = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await send(`${base.replace(/\/$/, '')}${path}`, init, token)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const sendBody = <T>(method: string, path: string, body: unknown): Promise<T> =>
    ask(path, body instanceof FormData ? { method, body } : jsonOf(method, body))
  return {
    get: <T>(path: string) => ask<T>(path, {}),
    post: <T>(path: string, body: unknown) => sendBody<T>('POST', path, body),
    put: <T>(path: string, body: unknown) => sendBody<T>('PUT', path, body),
    delete: (path: string) => ask<void>(path, { method: 'DELETE' }),
  }
}
