import { errorNames } from '../../engine/errors.js'
import type { JsonSchema, JsonSchemas } from '../http/documented.js'
import { members, nothing, object, text, whole } from '../http/routes/json-schemas.js'
import { reference, type Making } from './making.js'

const meanings: Readonly<Record<number, string>> = {
  400: 'What was sent is not understood, not valid, or beyond a bound',
  401: 'Credentials are missing, or nobody has them',
  403: 'The caller may not do this',
  404: 'There is nothing of this kind',
  405: 'The path knows other methods',
  408: 'The body did not arrive in time',
  409: 'Other writers kept changing the document, or the request with this Idempotency-Key is still being done',
  412: 'The document was changed since it was read',
  413: 'The body, or its document, is larger than it may be',
  415: 'The body is in an encoding that is not understood',
  416: 'The file has no such range',
  422: 'The Idempotency-Key was used with another request',
  429: 'There were too many requests',
  431: 'The request line and headers are too large',
  500: 'A fault of the service itself',
  502: 'Another service, which was asked, answered with nonsense',
  503: 'The database, a query or a queue is over its limit; it may be tried again',
}

const nameOf = (status: number): string => `Error${status}`

/** Returns the responses of all error statuses, by name. */
export function errorResponses(making: Making): JsonSchemas {
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

/** Returns the schema of an error. All errors on all paths have this form (docs/decisions.md, "Errors in one form"). */
function errorSchema(making: Making, status: number, names: readonly string[]): JsonSchema {
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
 * Returns references to the error responses of an operation.
 * @param guarded whether access is restricted
 * @param named whether its path names something that may not exist
 * @param further additional statuses
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
