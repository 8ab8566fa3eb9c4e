/**
 * All errors that a client can receive (docs/internals/decisions.md, "Errors in one form"). Names and messages follow
 * those of Strapi (docs/internals/strapi-behaviour.md, "Error messages").
 */
type Params = Readonly<Record<string, unknown>>
type Entry = Readonly<{ status: number; name: string; message: (params: Params) => string }>

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const fixed = (status: number, name: string, message: string): Entry => ({
  status,
  name,
  message: () => message,
})
/** An error whose message is passed as a parameter, for example the message of a validator. */
const given = (status: number, name: string): Entry => ({
  status,
  name,
  message: ({ message }) => text(message),
})

const errors = {
  /** A key of a query or body that is unknown, or that the client may not use. */
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
   * `bound` is the name of the exceeded setting, and `limit` its value (docs/internals/decisions.md, "Everything is
   * bounded" and "Nothing is dropped in silence").
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
  /**
   * Every attempt at the write failed because of concurrent changes (docs/internals/storage.md, "Rule 2: compare and
   * set").
   */
  conflict: fixed(409, 'ConflictError', 'The document was changed by another request. Try again'),
  'precondition-failed': fixed(
    412,
    'PreconditionFailedError',
    'The document was changed since it was read',
  ),
  /**
   * `bound` is the name of the exceeded setting. `message` is required if anything other than the body is too large.
   */
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
    'The request with this Idempotency-Key is still in progress. Try again later',
  ),
  'rate-limit': fixed(429, 'RateLimitError', 'Too many requests, please try again later.'),
  'headers-too-large': fixed(
    431,
    'RequestHeaderFieldsTooLargeError',
    'The request line and headers are too large (http.maxHeaderSize)',
  ),
  internal: fixed(500, 'InternalServerError', 'Internal Server Error'),
  /** A service that Quire called returned an invalid response. */
  'bad-gateway': given(502, 'BadGatewayError'),
  unavailable: given(503, 'ServiceUnavailableError'),
} satisfies Record<string, Entry>

export type ErrorCode = keyof typeof errors

/** Error names by status. */
export const errorNames: ReadonlyMap<number, readonly string[]> = new Map(
  [...new Set(Object.values(errors).map(({ status }) => status))].map((status) => {
    const names = Object.values(errors).flatMap((error) =>
      error.status === status ? error.name : [],
    )
    return [status, [...new Set(names)]]
  }),
)

/**
 * Maximum number of characters of client input in an error. For example, a name in a query may be as long as the URL.
 */
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

/** An error as plain data, for other threads. Structured clone would drop the error's own fields. */
export type ErrorMessage = Readonly<{
  code: ErrorCode
  params: Params
  details?: Params | undefined
  headers?: Readonly<Record<string, string>> | undefined
}>

/** An error that the client may see. Any other error becomes a 500 without details. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly params: Params
  readonly details: Params | undefined
  /** Headers to add to the response, such as `Retry-After`. */
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

  /** Returns plain data from which `new ApiError(message)` creates the same error on another thread. */
  toMessage(): ErrorMessage {
    return { code: this.code, params: this.params, details: this.details, headers: this.headers }
  }
}

/**
 * Creates an error without throwing it: `throw fail('invalid-key', { key }, { key, path })`.
 * @param params a string is used as the message: `throw fail('validation', 'must be an object')`
 * @param details `error.details` of the response
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

/** Creates one error with status 400 for several validation failures. */
export function failAll(errors: readonly Readonly<{ message: string }>[]): ApiError {
  const [first] = errors
  const message = errors.length === 1 ? first?.message : `${errors.length} errors occurred`
  return fail('validation', message, { errors })
}

/** Creates the error with status 503 for a write that was rejected before it changed anything. */
export function notDone(message: string, retryAfterS = 1): ApiError {
  return fail('unavailable', message, { outcome: 'not-done' }, { 'Retry-After': `${retryAfterS}` })
}
