import { refusalLines } from '../../server/configuration/refusal-lines.js'
import { createApiClient } from '../seed/api-client.js'
import type { AdminCredentials } from '../config/remote-side.js'

/** Sends requests of an admin to a running service; throws what it refuses, in its words. */
export type AdminFetch = (path: string, init?: RequestInit) => Promise<Response>

export async function openAdminFetch(
  url: string,
  credentials: AdminCredentials,
): Promise<AdminFetch> {
  const base = url.replace(/\/+$/, '')
  const token = 'token' in credentials ? credentials.token : await logIn(base, credentials)
  return async (path, init = {}) => {
    const response = await fetch(`${base}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${token}` },
    })
    if (response.ok) return response
    const text = await response.text()
    const said = refusalLines(errorIn(text) ?? text.slice(0, 200))
    throw new Error([`${path} was answered with ${response.status}:`, ...said].join('\n  - '))
  }
}

async function logIn(base: string, body: object): Promise<string> {
  const { data } = await createApiClient(base).post<{ data: { token: string } }>(
    '/admin/login',
    body,
  )
  return data.token
}

function errorIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { error?: unknown }).error
  } catch {
    return undefined
  }
}
