import { jsonOf, send, type AdminFetch } from '../admin-client.js'

export type ApiClient = ReturnType<typeof clientOver>

/** Sends requests to a service such as `http://localhost:1337`, with a bearer token if one is given. */
export const createApiClient = (base: string, token?: string): ApiClient =>
  clientOver((path, init = {}) => send(`${base.replace(/\/$/, '')}${path}`, init, token))

/**
 * Creates a client for JSON responses. Sends `FormData` as a form, other bodies as JSON. Throws a `Refusal` if the
 * service rejects the request.
 */
export function clientOver(request: AdminFetch) {
  const send = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await request(path, init)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const sendBody = <T>(method: string, path: string, body: unknown): Promise<T> =>
    send(path, body instanceof FormData ? { method, body } : jsonOf(method, body))
  return {
    get: <T>(path: string) => send<T>(path, {}),
    post: <T>(path: string, body: unknown) => sendBody<T>('POST', path, body),
    put: <T>(path: string, body: unknown) => sendBody<T>('PUT', path, body),
    delete: (path: string) => send<void>(path, { method: 'DELETE' }),
  }
}
