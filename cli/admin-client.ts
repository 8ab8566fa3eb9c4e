import { refusalLines } from '../server/configuration/refusal-lines.js'

/** Who asks: an admin by a JWT, or by address and password. */
export type AdminCredentials =
  Readonly<{ token: string }> | Readonly<{ email: string; password: string }>

/** A running service (`https://site.example`), and who asks it. */
export type Remote = Readonly<{ url: string; credentials: AdminCredentials }>

/** Sends requests of an admin to a running service; throws what it refuses, in its words. */
export type AdminFetch = (path: string, init?: RequestInit) => Promise<Response>

export async function openAdminFetch({ url, credentials }: Remote): Promise<AdminFetch> {
  const base = url.replace(/\/+$/, '')
  const token = 'token' in credentials ? credentials.token : await logIn(base, credentials)
  return (path, init = {}) => send(`${base}${path}`, init, { Authorization: `Bearer ${token}` })
}

async function logIn(base: string, credentials: object): Promise<string> {
  const response = await send(`${base}/admin/login`, jsonOf('POST', credentials))
  return (await dataOf<{ token: string }>(response)).token
}

export const jsonOf = (method: string, body: object): RequestInit => ({
  method,
  body: new Blob([JSON.stringify(body)], { type: 'application/json' }),
})

/** What a response holds. @throws Error where it is none of a service */
export async function dataOf<T>(response: Response): Promise<T> {
  const text = await response.text()
  const data = parse(text)?.data
  if (data === undefined) throw refusal(response.url, response, text)
  return data as T
}

async function send(url: string, init: RequestInit, headers = {}): Promise<Response> {
  const response = await fetch(url, { ...init, headers })
  if (response.ok) return response
  throw refusal(`${init.method ?? 'GET'} ${url}`, response, await response.text())
}

function refusal(asked: string, { status }: Response, text: string): Error {
  const said = refusalLines(parse(text)?.error ?? `It answered ${text.slice(0, 100)}`)
  return new Error([`${asked} was answered with ${status}:`, ...said].join('\n  - '))
}

function parse(text: string): Readonly<{ data?: unknown; error?: unknown }> | undefined {
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
