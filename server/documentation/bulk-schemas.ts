import type { ContentType } from '../../engine/schema/content-type.js'
import type { JsonSchema, JsonSchemas } from '../http/documented.js'
import { list, members, nothing, object, text, whole } from '../http/routes/json-schemas.js'
import { dataSchema } from './body-schemas.js'
import { closedObject } from './closed-object.js'
import { entrySchema } from './entry-schemas.js'
import { reference, type DocumentBuilder } from './document-builder.js'

const maxOperations = 1000

/** Schema of `{ operations: [{ op: 'create', data: { … } }, …] }`. */
export function bulkBody(making: DocumentBuilder, type: ContentType): JsonSchema {
  const common = {
    locale: text,
    status: type.draftAndPublish ? { enum: ['published', 'draft'] } : undefined,
  }
  const ofOne = {
    documentId: text,
    ifMatch: { description: 'Same as the header If-Match of a single request', type: 'string' },
  }
  const operation = (
    names: readonly string[],
    further: JsonSchemas,
    required: readonly string[],
  ): JsonSchema => ({
    type: 'object',
    required: ['op', ...required],
    properties: { op: { enum: names }, ...further, ...common },
  })
  const actions = type.draftAndPublish ? ['publish', 'unpublish', 'discard-draft'] : []
  return {
    type: 'object',
    required: ['operations'],
    properties: {
      operations: {
        type: 'array',
        maxItems: maxOperations,
        items: {
          anyOf: [
            operation(['create'], { data: dataSchema(making, type, 'Create') }, ['data']),
            operation(['update'], { ...ofOne, data: dataSchema(making, type, 'Update') }, [
              'documentId',
              'data',
            ]),
            operation(['delete', ...actions], ofOne, ['documentId']),
          ],
        },
      },
    },
  }
}

/**
 * Schema of a bulk response: for each operation, its status and the members that the response to a single write has.
 */
export function bulkAnswer(making: DocumentBuilder, type: ContentType): JsonSchema {
  const answer = {
    status: whole,
    data: { anyOf: [entrySchema(making, type), nothing] },
    meta: object,
    // The `error` of an operation has the same form as in an error response.
    error: reference('Error/properties/error'),
  }
  return members({ data: list(closedObject(answer, ['status'])), meta: object })
}
