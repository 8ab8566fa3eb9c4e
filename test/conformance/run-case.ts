import { failureCode, send, type HttpAnswer } from './http.js'
import { normaliserFor } from './normalise.js'
import { fillIn, type Names } from './placeholders.js'
import type { Answer, Case, JsonValue } from './records.js'
import type { Tokens } from './setup.js'

/** Sends one case's request, learns what it captures, and returns its normalised answer. */
export async function runCase(
  base: string,
  tokens: Tokens,
  names: Names,
  one: Case,
): Promise<Answer> {
  const about = { id: one.id, area: one.area, request: requestOf(one) }
  let answer: HttpAnswer
  try {
    answer = await send(base, {
      method: one.method,
      path: encodeBlanks(fillIn(one.path, names)),
      headers: fillIn(one.headers ?? {}, names),
      body: fillIn(one.body, names),
      token: tokenOf(one, tokens, names),
    })
  } catch (error) {
    const body = `<client error ${failureCode(error)}>`
    return { ...about, status: 0, contentType: null, body }
  }
  capture(one, answer, names)
  const body = bodyOf(one, answer, names)
  return {
    ...about,
    status: answer.status,
    contentType: answer.headers.get('content-type')?.split(';')[0] || null,
    ...(body === undefined ? {} : { body }),
    ...(one.checkHeaders
      ? { headers: Object.fromEntries(one.checkHeaders.map((h) => [h, answer.headers.get(h)])) }
      : {}),
  }
}

function tokenOf({ as }: Case, tokens: Tokens, names: Names): string | undefined {
  if (as === 'public') return undefined
  return as === 'jwt' ? (names.jwt ?? 'no-jwt') : tokens[as]
}

function capture(one: Case, { json }: HttpAnswer, names: Names): void {
  for (const [name, path] of Object.entries(one.capture ?? {})) {
    const value = dig(json, path)
    if (value === undefined) continue
    if (typeof value === 'string' && /^[a-z0-9]{20,32}$/.test(value)) names.documents[name] = value
    else names.values[name] = value
  }
}

const dig = (value: JsonValue | undefined, path: string): JsonValue | undefined =>
  path
    .split('.')
    .reduce<JsonValue | undefined>(
      (inner, key) => (inner as Record<string, JsonValue> | null | undefined)?.[key],
      value,
    )

function bodyOf(one: Case, { json, text }: HttpAnswer, names: Names): JsonValue | undefined {
  if (one.statusOnly) return '<skipped>'
  const normaliser = normaliserFor(names)
  if (json === undefined) return normaliser.text(text.slice(0, 500))
  return normaliser.body(Array.isArray(json) ? tidyList(one, json as JsonValue[]) : json)
}

type Row = Readonly<Record<string, JsonValue>>

function tidyList({ sortBody, omit = [] }: Case, list: readonly JsonValue[]): JsonValue {
  if (sortBody === undefined && omit.length === 0) return list
  const rows = [...(list as readonly Row[])]
  if (sortBody !== undefined)
    rows.sort((a, b) => (textOf(a[sortBody]) < textOf(b[sortBody]) ? -1 : 1))
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => !omit.includes(key))),
  )
}

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)

// fetch() percent-encodes other characters itself; these its URL parser would strip.
const encodeBlanks = (path: string): string => path.replace(/[\t\r\n ]/g, encodeURIComponent)

/** The request as the answers file shows it, long texts cut. */
function requestOf({ as, method, path, headers, body }: Case): Answer['request'] {
  return {
    as,
    method,
    path: cut(path),
    ...(headers ? { headers } : {}),
    ...(body === undefined ? {} : { body: cutJson(body) }),
  }
}

const longest = 400
const cut = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest)}…(${text.length})` : text
function cutJson(body: unknown): unknown {
  const text = JSON.stringify(body)
  return text.length > longest ? cut(text) : body
}
