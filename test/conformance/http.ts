import type { JsonValue, MultipartBody, RawBody, RequestBody } from './records.js'
import { sampleFiles } from './sample-files.js'

export type HttpCall = Readonly<{
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: RequestBody | undefined
  token?: string | undefined
}>

export type HttpAnswer = Readonly<{
  status: number
  headers: Headers
  text: string
  /** Undefined if the body is empty or not JSON. */
  json: JsonValue | undefined
}>

/** Sends one request and reads the whole response. Throws after a minute. */
export async function send(base: string, call: HttpCall): Promise<HttpAnswer> {
  const headers: Record<string, string> = { ...call.headers }
  if (call.token && !('Authorization' in headers)) headers['Authorization'] = `Bearer ${call.token}`
  const body = encode(call.body)
  if (typeof body === 'string' && !isRaw(call.body)) headers['Content-Type'] ??= 'application/json'
  const response = await fetch(base + call.path, {
    method: call.method ?? 'GET',
    headers,
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parseOrNothing(text) }
}

/** Like `send`, but returns status 599 if there is no response: a crash of the service must not end the run. */
export async function sendOrFail(base: string, call: HttpCall): Promise<HttpAnswer> {
  try {
    return await send(base, call)
  } catch (error) {
    return { status: 599, headers: new Headers(), text: failureCode(error), json: undefined }
  }
}

/** Returns the kind of a network error: `ECONNREFUSED`, `TimeoutError`. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause: unknown = error.cause
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}

function encode(body: RequestBody | undefined): string | FormData | undefined {
  if (body === undefined) return undefined
  if (isRaw(body)) return body.$raw
  return isMultipart(body) ? form(body) : JSON.stringify(body)
}

function form(body: MultipartBody): FormData {
  const data = new FormData()
  for (const part of body.$multipart) {
    const file = part.file === undefined ? undefined : sampleFiles[part.file]
    if (file) {
      const blob = new Blob([new Uint8Array(file.content())], { type: part.type ?? file.type })
      data.append(part.name, blob, part.filename ?? part.file)
    } else {
      const text = typeof part.value === 'string' ? part.value : JSON.stringify(part.value)
      data.append(part.name, text)
    }
  }
  return data
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null
const isRaw = (body: unknown): body is RawBody => isObject(body) && '$raw' in body
const isMultipart = (body: unknown): body is MultipartBody => isObject(body) && '$multipart' in body

function parseOrNothing(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
