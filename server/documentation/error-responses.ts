import { errorNames } from '../../engine/errors.js'
import type { JsonSchema, JsonSchemas } from '../http/documented.js'
import { members, nothing, object, text, whole } from '../http/routes/json-schemas.js'
import { reference, type DocumentBuilder } from './document-builder.js'

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is malformed, invalid, or exceeds a limit',
  401: 'Credentials are missing or invalid',
  403: 'The caller lacks the permission for this',
  404: 'There is no such resource',
  405: 'The path does not support this method',
  408: 'The body did not arrive in time',
  409: 'Other requests kept changing the document, or the request with this Idempotency-Key is still in progress',
  412: 'The document was changed since it was read',
  413: 'The body or the document is too large',
  415: 'The encoding of the body is not supported',
  416: 'The file does not have this range',
  422: 'The Idempotency-Key was used with another request',
  429: 'Too many requests',
  431: 'The request line and headers are too large',
  500: 'An error in the service itself. Details are in its log',
  502: 'Another service, which this request needs, sent a response that cannot be used',
  503: 'The database, a query or a queue has reached its limit. Try again',
}

const nameOf = (status: number): string => `Error${status}`

/** Returns the response for each error status: `Error404`, …. */
export function errorResponses(making: DocumentBuilder): JsonSchemas {
  return Object.fromEntries(
    [...errorNames].map(([status, names]) => [
      nameOf(status),
      {
        description: meanings[status] ?? names.join(', '),
        content: { 'application/json': { schema: errorSchema(making, status, names) } },
      },
    ]),
  )
}

/** All errors on all paths have this form (docs/internals/decisions.md, "Errors in one form"). */
function errorSchema(
  making: DocumentBuilder,
  status: number,
  names: readonly string[],
): JsonSchema {
  making.named('Error', () =>
    members({
      data: nothing,
      error: members({ status: whole, name: text, message: text }, { details: object }),
    }),
  )
  const error = { properties: { status: { const: status }, name: { enum: names } } }
  return { allOf: [reference('Error'), { properties: { error } }] }
}

/**
 * Returns references to the errors of an operation.
 *
 * @param guarded whether the operation requires a permission
 * @param named whether the path names something that may not exist (404)
 * @param further statuses in addition to the usual ones
 */
export function errorReferences(
  method: string,
  guarded: boolean,
  named: boolean,
  further: readonly number[] = [],
): JsonSchemas {
  const statuses = [
    400,
    ...(guarded ? [401, 403] : []),
    ...(named ? [404] : []),
    ...(method === 'GET' ? [] : [408, 409, 412, 413, 415]),
    ...[429, 431, 500, 503],
    ...further,
  ]
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  )
}
