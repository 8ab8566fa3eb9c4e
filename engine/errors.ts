/**
 * Every error a client can be answered with. Code, status, name and message live in this table and only here
 * (docs/decisions.md, "Errors in one form"; names and messages follow Strapi's, docs/coming-from-strapi.md,
 * "Error messages").
 */
type Params = Readonly<Record<string, unknown>>
type Entry = Readonly<{ status: number; name: string; message: (params: Params) => string }>

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const fixed = (status: number, name: string, message: string): Entry => ({
  status,
  name,
  message: () => message,
})
/** The message is the caller's: used where the text comes from a validator. */
const given = (status: number, name: string): Entry => ({
  status,
  name,
  message: ({ message }) => text(message),
})

const errors = {
  /** A key of a query or a body that nothing answers to, or that this caller may not name. */
  'invalid-key': {
    status: 400,
    name: 'ValidationError',
    message: ({ key, path }) =>
      path === undefined || path === null || path === ''
        ? `Invalid key ${text(key)}`
        : `Invalid key ${text(key)} at ${text(path)}`,
  },
  validation: given(400, 'ValidationError'),
  pagination: given(400, 'PaginationError'),
  application: given(400, 'ApplicationError'),
  'bad-request': given(400, 'BadRequestError'),
  syntax: given(400, 'SyntaxError'),
  'missing-data': fixed(400, 'ValidationError', 'Missing "data" payload in the request body'),
  /**
   * A bound of docs/decisions.md, "Everything is bounded" and "Nothing is dropped in silence": `bound` is the
   * setting's name, `limit` its value.
   */
  'limit-exceeded': {
    status: 400,
    name: 'ValidationError',
    message: ({ what, bound, limit }) =>
      `${text(what)} exceeds the limit of ${text(limit)} (${text(bound)})`,
  },
  unauthorized: fixed(401, 'UnauthorizedError', 'Missing or invalid credentials'),
  'unauthorized-because': given(401, 'UnauthorizedError'),
  forbidden: fixed(403, 'ForbiddenError', 'Forbidden'),
  'forbidden-because': given(403, 'ForbiddenError'),
  'not-found': fixed(404, 'NotFoundError', 'Not Found'),
  'not-found-because': given(404, 'NotFoundError'),
  'method-not-allowed': fixed(405, 'MethodNotAllowedError', 'Method Not Allowed'),
  timeout: fixed(408, 'RequestTimeoutError', 'The request was not completed in time'),
  /** A document that other writers kept changing (docs/storage.md, "Rule 2: compare and set"). */
  conflict: fixed(409, 'ConflictError', 'The document was changed by another request; try again'),
  'precondition-failed': fixed(
    412,
    'PreconditionFailedError',
    'The document was changed since it was read',
  ),
  /** `bound` is the setting's name. `message` says what is too large, if it is not the body. */
  'payload-too-large': {
    status: 413,
    name: 'PayloadTooLargeError',
    message: ({ bound, message = `request entity too large (${text(bound)})` }) => text(message),
  },
  'unsupported-media-type': given(415, 'UnsupportedMediaTypeError'),
  'range-not-satisfiable': fixed(416, 'RangeNotSatisfiableError', 'Range Not Satisfiable'),
  'idempotency-mismatch': fixed(
    422,
    'UnprocessableEntityError',
    'This Idempotency-Key was used with another request',
  ),
  'idempotency-underway': fixed(
    409,
    'ConflictError',
    'The request with this Idempotency-Key is still being done; ask again later',
  ),
  'rate-limit': fixed(429, 'RateLimitError', 'Too many requests, please try again later.'),
  'headers-too-large': fixed(
    431,
    'RequestHeaderFieldsTooLargeError',
    'The request line and headers are too large (http.maxHeaderSize)',
  ),
  internal: fixed(500, 'InternalServerError', 'Internal Server Error'),
  /** Another service, which was asked, answered with nonsense. */
  'bad-gateway': given(502, 'BadGatewayError'),
  /** The query ran longer than `api.rest.queryTimeoutMs`, the queue is full, or the database is away. */
  unavailable: given(503, 'ServiceUnavailableError'),
} satisfies Record<string, Entry>

export type ErrorCode = keyof typeof errors

/** The names that errors of each status may have. */
export const errorNames: ReadonlyMap<number, readonly string[]> = new Map(
  [...new Set(Object.values(errors).map(({ status }) => status))].map((status) => {
    const names = Object.values(errors).flatMap((error) =>
      error.status === status ? error.name : [],
    )
    return [status, [...new Set(names)]]
  }),
)

/** Characters of a client's own text that an error shows: a name may be as long as a URL. */
const maxShown = 1000

const brief = (shown: string, limit: number): string =>
  shown.length > limit ? `${shown.slice(0, limit)}…` : shown

function briefMembers(details: Params): Params {
  const isLong = (value: unknown): value is string =>
    typeof value === 'string' && value.length > maxShown
  return Object.values(details).some(isLong)
    ? Object.fromEntries(
        Object.entries(details).map(([name, value]) => [
          name,
          isLong(value) ? brief(value, maxShown) : value,
        ]),
      )
    : details
}

/** What crosses a thread instead of an error, which structured clone would strip of its fields. */
export type ErrorMessage = Readonly<{
  code: ErrorCode
  params: Params
  details?: Params | undefined
  headers?: Readonly<Record<string, string>> | undefined
}>

/** An error whose text is meant for the client. Anything else that is thrown is answered as a bare 500. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly params: Params
  readonly details: Params | undefined
  /** Response headers that belong to the error, e.g. `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor({ code, params, details, headers }: ErrorMessage) {
    const entry: Entry = errors[code]
    super(brief(entry.message(params), 2 * maxShown))
    this.name = entry.name
    this.code = code
    this.status = entry.status
    this.params = params
    this.details = details === undefined ? undefined : briefMembers(details)
    this.headers = headers ?? {}
  }

  /** The plain data from which `new ApiError(message)` makes the same error on another thread. */
  toMessage(): ErrorMessage {
    return { code: this.code, params: this.params, details: this.details, headers: this.headers }
  }
}

/**
 * Makes an error of the table; the caller throws it: `throw fail('invalid-key', { key }, { key, path })`. A text alone is
 * the `message`: `throw fail('validation', 'must be an object')`.
 * `details` becomes `error.details` of the answer (default `{}`).
 */
export function fail(
  code: ErrorCode,
  params: Params | string = {},
  details?: Params,
  headers?: Readonly<Record<string, string>>,
): ApiError {
  const named = typeof params === 'string' ? { message: params } : params
  return new ApiError({ code, params: named, details, headers })
}

/** The 400 of several failures: the message of the only one, or how many there are. */
export function failAll(errors: readonly Readonly<{ message: string }>[]): ApiError {
  const [first] = errors
  const message = errors.length === 1 ? first?.message : `${errors.length} errors occurred`
  return fail('validation', message, { errors })
}

/** The 503 of a write that was refused before anything was changed, which may be sent again after so many seconds. */
export function notDone(message: string, retryAfterS = 1): ApiError {
  return fail('unavailable', message, { outcome: 'not-done' }, { 'Retry-After': `${retryAfterS}` })
}
