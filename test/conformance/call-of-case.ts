import type { HttpCall } from './http.js'
import { fillIn, type Names } from './placeholders.js'
import type { Case } from './records.js'
import type { Tokens } from './setup.js'

/** Returns the request of a case, with its placeholders filled in and the credentials of its caller. */
export const callOfCase = (one: Case, tokens: Tokens, names: Names): HttpCall => ({
  method: one.method,
  path: encodeBlanks(fillIn(one.path, names)),
  headers: fillIn(one.headers ?? {}, names),
  body: fillIn(one.body, names),
  token: tokenOf(one, tokens, names),
})

function tokenOf({ as }: Case, tokens: Tokens, names: Names): string | undefined {
  if (as === 'public') return undefined
  return as === 'jwt' ? (names.jwt ?? 'no-jwt') : tokens[as]
}

// The URL parser of `fetch` would remove these characters; it encodes all others that need it.
const encodeBlanks = (path: string): string => path.replace(/[\t\r\n ]/g, encodeURIComponent)
