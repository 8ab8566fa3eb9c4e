import type { Configuration, Difference } from '../../server/configuration/configuration.js'
import { refusalLines } from '../../server/configuration/refusal-lines.js'
import type { Side } from './side.js'

/** Who asks: an admin by a JWT, or by address and password. */
export type AdminCredentials =
  Readonly<{ token: string }> | Readonly<{ email: string; password: string }>

/**
 * A running service.
 * @param url where it is: `https://site.example`
 */
export function remoteSide(url: string, credentials: AdminCredentials): Side {
  const base = url.replace(/\/+$/, '')
  let known: Promise<string> | undefined
  const token = (): Promise<string> =>
    (known ??=
      'token' in credentials
        ? Promise.resolve(credentials.token)
        : ask<{ token: string }>(`${base}/admin/login`, 'POST', credentials).then(
            (session) => session.token,
          ))
  const path = `${base}/admin/configuration`
  const put = async (given: Configuration, options: Readonly<Record<string, string>>) =>
    ask<Difference>(
      `${path}?${new URLSearchParams(options).toString()}`,
      'PUT',
      given,
      await token(),
    )
  return {
    read: async () => ask<Configuration>(path, 'GET', undefined, await token()),
    compare: (given, prune) => put(given, { dryRun: 'true', prune: String(prune) }),
    apply: (given, prune, digest) => put(given, { digest, prune: String(prune) }),
  }
}

async function ask<T>(url: string, method: string, body?: unknown, token?: string): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer = parse(text) as { data?: T; error?: unknown } | undefined
  if (response.ok && answer?.data !== undefined) return answer.data
  const said = refusalLines(answer?.error ?? `It answered ${text.slice(0, 100)}`)
  throw new Error(
    [`${method} ${url} was answered with ${response.status}:`, ...said].join('\n  - '),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
