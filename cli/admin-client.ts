import { refusalLines } from '../server/configuration/refusal-lines.js'
import { openSession } from './admin-session.js'
import { fetchFromService } from './fetch-from-service.js'

/** The credentials of an admin: a JWT, or an email address and a password. */
export type AdminCredentials =
  | Readonly<{ token: string; from: '--token' | 'QUIRE_ADMIN_TOKEN' }>
  | Readonly<{ email: string; password: string }>

/** The URL of a running service (`https://site.example`), and the credentials of an admin. */
export type Remote = Readonly<{ url: string; credentials: AdminCredentials }>

/** Sends a request as an admin. Throws an error with the service's message if the service rejects the request. */
export type AdminFetch = (path: string, init?: RequestInit) => Promise<Response>

/**
 * Returns a function that sends requests as an admin. Without a token, it uses the session that an earlier command
 * saved, and logs in if there is none or if the service rejects it.
 */
export async function openAdminFetch({ url, credentials }: Remote): Promise<AdminFetch> {
  const base = url.replace(/\/+$/, '')
  if ('token' in credentials)
    return (path, init = {}) =>
      send(`${base}${path}`, init, credentials.token).catch(
        explaining(
          401,
          `${credentials.from} is not the token of an admin of this service, or has expired`,
        ),
      )
  const session = openSession(base, credentials)
  const renew = async (): Promise<string> => {
    const issued = await logIn(base, credentials).catch(explaining(400, notAdmin))
    await session.keep(issued)
    return issued
  }
  const kept = await session.read()
  let token = kept ?? (await renew())
  return async (path, init = {}) => {
    const used = token
    try {
      return await send(`${base}${path}`, init, used)
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 401) || used !== kept) throw error
      token = await renew()
      return send(`${base}${path}`, init, token)
    }
  }
}

const notAdmin =
  'ADMIN_EMAIL and ADMIN_PASSWORD are not the login of an admin of this service. The service uses them only to create the first admin. It responded'

/** Returns a handler that rethrows an error. If it is a refusal with this status, its message begins with `reason`. */
const explaining =
  (status: number, reason: string) =>
  (error: unknown): never => {
    if (!(error instanceof Refusal) || error.status !== status) throw error
    throw new Refusal(status, `${reason}: ${error.message}`)
  }

/** Logs in, and returns the issued JWT. */
export async function logIn(base: string, credentials: object): Promise<string> {
  const response = await send(`${base}/admin/login`, jsonOf('POST', credentials))
  return (await dataOf<{ token: string }>(response)).token
}

export const jsonOf = (method: string, body: unknown): RequestInit => ({
  method,
  body: new Blob([JSON.stringify(body)], { type: 'application/json' }),
})

/** Returns the `data` member of a JSON response. Throws if there is none. */
export async function dataOf<T>(response: Response): Promise<T> {
  const text = await response.text()
  const data = parse(text)?.data
  if (data === undefined) throw refusal(response.url, response, text)
  return data as T
}

/** Sends a request, and returns its response. Throws `Refusal` for an error status, `Error` if no service responds. */
export async function send(url: string, init: RequestInit, token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const response = await fetchFromService(url, { ...init, headers })
  if (response.ok) return response
  throw refusal(`${init.method ?? 'GET'} ${url}`, response, await response.text())
}

/** Thrown if the service rejected a request. Contains the messages of the response. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
    this.name = 'Refusal'
  }
}

function refusal(request: string, { status }: Response, text: string): Refusal {
  const reasons = refusalLines(parse(text)?.error ?? `It answered ${text.slice(0, 100)}`)
  const answered = `${request}: the service responded with ${status}`
  const [only = '', ...more] = reasons
  if (more.length === 0) return new Refusal(status, `${only} (${answered})`)
  return new Refusal(
    status,
    [`The service refused the request (${answered}):`, ...reasons].join('\n  - '),
  )
}

function parse(text: string): Readonly<{ data?: unknown; error?: unknown }> | undefined {
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
