/** JSON as it comes back from a server. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A body that is not plain JSON: a string to send unchanged, or a multipart form. */
export type RawBody = Readonly<{ $raw: string }>
export type MultipartBody = Readonly<{ $multipart: readonly MultipartPart[] }>
type MultipartPart = Readonly<{
  name: string
  /** Name in `sample-files.ts`; without it the part is a field with `value`. */
  file?: string
  type?: string
  filename?: string
  value?: JsonValue
}>
export type RequestBody = JsonValue | RawBody | MultipartBody

/** The credentials that a case sends: one of the API tokens, the seeded user's JWT, or none. */
type Credentials = 'public' | 'full' | 'readonly' | 'custom' | 'jwt'

/** One request of `cases.json`. Strings may contain placeholders (`placeholders.ts`). */
export type Case = Readonly<{
  id: string
  area: string
  /** `pre` runs on the empty service, `read` after the seed, `write` last, in the file's order. */
  phase: 'pre' | 'read' | 'write'
  as: Credentials
  method: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: RequestBody
  /** Placeholder name -> path of its value in the response (`data.documentId`). */
  capture?: Readonly<Record<string, string>>
  /** Key to sort a bare array by before the comparison, because the order of several uploads varies. */
  sortBody?: string
  /** Keys to remove from objects of a bare array. */
  omit?: readonly string[]
  statusOnly?: boolean
  checkHeaders?: readonly string[]
}>

/** One line of `*.jsonl`: a case and its normalised answer. */
export type Answer = Readonly<{
  id: string
  area: string
  request: Readonly<{ as: string; method: string; path: string }>
  /** 0 = no response. */
  status: number
  contentType: string | null
  body?: JsonValue
  headers?: Readonly<Record<string, string | null>>
}>
