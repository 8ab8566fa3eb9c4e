import { callOfCase } from './call-of-case.js'
import { captureNames } from './capture-names.js'
import { failureCode, send, type HttpAnswer } from './http.js'
import { normaliserFor } from './normalise.js'
import type { Names } from './placeholders.js'
import type { Answer, Case, JsonValue } from './records.js'
import type { Tokens } from './setup.js'

/** Sends one case's request, captures values from the response, and returns the normalised answer. */
export async function runCase(
  base: string,
  tokens: Tokens,
  names: Names,
  one: Case,
): Promise<Answer> {
  const answer = await sendCase(base, tokens, names, one)
  const body = bodyOf(one, answer, names)
  return {
    ...aboutCase(one),
    status: answer.status,
    contentType: answer.headers.get('content-type')?.split(';')[0] || null,
    ...(body === undefined ? {} : { body }),
    ...(one.checkHeaders
      ? { headers: Object.fromEntries(one.checkHeaders.map((h) => [h, answer.headers.get(h)])) }
      : {}),
  }
}

/** Sends one case's request and captures values from the response. The status is 0 if there is no response. */
export async function sendCase(
  base: string,
  tokens: Tokens,
  names: Names,
  one: Case,
): Promise<HttpAnswer> {
  let answer: HttpAnswer
  try {
    answer = await send(base, callOfCase(one, tokens, names))
  } catch (error) {
    const text = `<client error ${failureCode(error)}>`
    return { status: 0, headers: new Headers(), text, json: undefined }
  }
  captureNames(one, answer, names)
  return answer
}

/** The members of an answer that come from its case. */
export const aboutCase = (one: Case): Pick<Answer, 'id' | 'area' | 'request'> => ({
  id: one.id,
  area: one.area,
  request: requestOf(one),
})

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
