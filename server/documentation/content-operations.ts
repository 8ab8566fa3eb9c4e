import { apiNameOf, type ContentType } from '../../engine/schema/content-type.js'
import { allows, type ContentVerb } from '../../engine/schema/grant.js'
import type { JsonSchema } from '../http/documented.js'
import type { Method } from '../http/route.js'
import { aggregateParameters, groupsAnswer } from './aggregate-schemas.js'
import { bulkAnswer, bulkBody } from './bulk-schemas.js'
import { dataSchema } from './body-schemas.js'
import { entrySchema } from './entry-schemas.js'
import { errorResponse, usualErrors } from './error-responses.js'
import { reference, type Making } from './making.js'
import { localeParameter, readParameters, sharedParameter, writeParameters } from './parameters.js'

/** Operations by path and method, as a document holds them. */
export type Paths = Record<string, Record<string, JsonSchema>>

/** One operation that every content-type of a kind has. */
type ContentOperation = Readonly<{
  method: Method
  /** What follows the type's own path. */
  path: string
  /** `find`: the operation is `findArticle`. */
  id: string
  summary: (type: ContentType) => string
  /** Any of which has to be granted. */
  verbs: readonly ContentVerb[]
  /** Whether the type has it; default: every one. */
  applies?: (type: ContentType) => boolean
  describe: (making: Making, type: ContentType) => Described
}>

/** What an operation takes and answers, beside the errors that all have. */
type Described = Readonly<{
  parameters?: readonly JsonSchema[]
  requestBody?: JsonSchema
  responses: Readonly<Record<number, JsonSchema>>
  errors?: readonly number[]
}>

/** The operations of content that the caller may call: `/api/articles` and all below it, type by type. */
export function* contentPaths(making: Making): Generator<Paths> {
  const types = [...making.registry.byApiName.values()]
  for (const type of types.sort((one, other) => (one.uid < other.uid ? -1 : 1))) {
    const paths: Paths = {}
    const base = `${making.settings['api.rest.prefix']}/${apiNameOf(type)}`
    const operations = type.kind === 'singleType' ? singleOperations : collectionOperations
    for (const operation of operations) {
      if (operation.applies?.(type) === false) continue
      if (!operation.verbs.some((verb) => mayDo(making, type, verb))) continue
      const path = base + operation.path
      const methods = (paths[path] ??= {})
      methods[operation.method.toLowerCase()] = describeOperation(making, type, operation)
    }
    yield paths
  }
}

/** What is about drafts may be done where there are some. */
const mayDo = ({ view }: Making, type: ContentType, verb: ContentVerb): boolean =>
  allows(view.grant, type.uid, verb) && (type.draftAndPublish || !ofDrafts.has(verb))

const ofDrafts: ReadonlySet<ContentVerb> = new Set(['publish', 'createDraft', 'updateDraft'])

function describeOperation(
  making: Making,
  type: ContentType,
  operation: ContentOperation,
): JsonSchema {
  const { method, path, id, summary, describe } = operation
  const { parameters = [], requestBody, responses, errors = [] } = describe(making, type)
  const inPath = path.includes('{documentId}') ? [sharedParameter('documentId')] : []
  const failures = usualErrors({ method, guarded: true, named: true })
  return {
    operationId: id + making.nameOf(type),
    summary: summary(type),
    tags: [type.displayName],
    parameters: [...inPath, ...parameters, sharedParameter('format')],
    requestBody,
    responses: {
      ...responses,
      ...Object.fromEntries(
        [...failures, ...errors].map((status) => [status, errorResponse(status)]),
      ),
    },
  }
}

const json = (description: string, schema: JsonSchema, headers?: JsonSchema): JsonSchema => ({
  description,
  headers,
  content: { 'application/json': { schema } },
})

const tagged: JsonSchema = { ETag: { $ref: '#/components/headers/ETag' } }
const unchanged: JsonSchema = { $ref: '#/components/responses/NotModified' }

/** `{ data: [entry, …], meta: { pagination } }`. */
function listAnswer(making: Making, type: ContentType): JsonSchema {
  const list = making.part(type, 'List', () => ({
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: { type: 'array', items: entrySchema(making, type, making.view.format) },
      meta: {
        type: 'object',
        required: ['pagination'],
        properties: { pagination: reference('Pagination') },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  }))
  return orExplained(making, list)
}

/** `{ data: entry, meta: {} }`. */
function oneAnswer(making: Making, type: ContentType): JsonSchema {
  return making.part(type, 'Answer', () => ({
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: entrySchema(making, type, making.view.format),
      meta: { type: 'object', additionalProperties: false },
    },
    additionalProperties: false,
  }))
}

/** With `explain`, which full-access tokens may ask for, the plan stands in the place of the data. */
const orExplained = ({ view }: Making, schema: JsonSchema): JsonSchema =>
  view.fullAccess ? { anyOf: [schema, reference('Explained')] } : schema

const readsOne = (making: Making, type: ContentType): Described => ({
  parameters: readParameters(making, type, 'one'),
  responses: {
    200: json('The document', orExplained(making, oneAnswer(making, type)), tagged),
    304: unchanged,
  },
})

function saves(
  making: Making,
  type: ContentType,
  mode: 'Create' | 'Update',
  answer: JsonSchema,
  header: string,
): Described {
  const publishes = mode === 'Create' ? 'create' : 'update'
  // Who may write drafts alone says so.
  const draftsOnly = !allows(making.view.grant, type.uid, publishes)
  const status = type.draftAndPublish
    ? [sharedParameter(draftsOnly ? 'draftStatus' : 'writtenStatus')]
    : []
  return {
    parameters: [...writeParameters(making, type), ...status, sharedParameter(header)],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['data'],
            properties: { data: dataSchema(making, type, mode) },
          },
        },
      },
    },
    responses: answer as Described['responses'],
    ...(mode === 'Create' ? { errors: [422] } : {}),
  }
}

function bulk(making: Making, type: ContentType): Described {
  const status = type.draftAndPublish ? [sharedParameter('writtenStatus')] : []
  return {
    parameters: [...writeParameters(making, type), ...status, sharedParameter('idempotencyKey')],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bulkBody(making, type) } },
    },
    responses: { 200: json('An answer for each', bulkAnswer(making, type)) },
    errors: [422],
  }
}

const removes = (type: ContentType): Described => ({
  parameters: [localeParameter(type, 'deletedLocale'), sharedParameter('ifMatch')],
  responses: { 204: { description: 'It is gone, or was not there' } },
})

const action = (
  name: 'publish' | 'unpublish' | 'discard-draft',
  id: string,
  base: string,
): ContentOperation => ({
  method: 'POST',
  path: `${base}/actions/${name}`,
  id,
  summary: ({ displayName }) => `${actionWords[name]} (${displayName})`,
  verbs: ['publish'],
  applies: ({ draftAndPublish }) => draftAndPublish,
  describe: (making, type) => ({
    parameters: [...writeParameters(making, type), sharedParameter('ifMatch')],
    responses: { 200: json('The version that is left to be shown', oneAnswer(making, type)) },
  }),
})

const actionWords = {
  publish: 'Publish the draft',
  unpublish: 'Take the published version back',
  'discard-draft': 'Make the draft what is published',
} as const

const actions = (base: string): readonly ContentOperation[] => [
  action('publish', 'publish', base),
  action('unpublish', 'unpublish', base),
  action('discard-draft', 'discardDraft', base),
]

const update = (path: string, mode: 'Create' | 'Update'): ContentOperation => ({
  method: 'PUT',
  path,
  id: 'update',
  summary: ({ displayName }) => `Change a document (${displayName}); what is not named stays`,
  verbs: ['update', 'updateDraft'],
  describe: (making, type) =>
    saves(making, type, mode, { 200: json('The document', oneAnswer(making, type)) }, 'ifMatch'),
})

const remove = (path: string): ContentOperation => ({
  method: 'DELETE',
  path,
  id: 'delete',
  summary: ({ displayName }) => `Delete a document (${displayName})`,
  verbs: ['delete'],
  describe: (_making, type) => removes(type),
})

/** What every collection type has; what else there is to do with one has its place here. */
const collectionOperations: readonly ContentOperation[] = [
  {
    method: 'GET',
    path: '',
    id: 'find',
    summary: ({ displayName }) => `List documents (${displayName})`,
    verbs: ['find'],
    describe: (making, type) => ({
      parameters: readParameters(making, type, 'list'),
      responses: {
        200: json('A page of the list', listAnswer(making, type), tagged),
        304: unchanged,
      },
    }),
  },
  {
    method: 'POST',
    path: '',
    id: 'create',
    summary: ({ displayName }) => `Make a document (${displayName})`,
    verbs: ['create', 'createDraft'],
    describe: (making, type) => {
      const answer = { 201: json('The new document', oneAnswer(making, type)) }
      return saves(making, type, 'Create', answer, 'idempotencyKey')
    },
  },
  {
    method: 'GET',
    path: '/{documentId}',
    id: 'findOne',
    summary: ({ displayName }) => `Read a document (${displayName})`,
    verbs: ['findOne'],
    describe: readsOne,
  },
  {
    method: 'GET',
    path: '/aggregate',
    id: 'aggregate',
    summary: ({ displayName }) =>
      `Groups of documents (${displayName}), and what is worked out of each`,
    verbs: ['find'],
    describe: (making, type) => ({
      parameters: aggregateParameters(making, type),
      responses: {
        200: json('A page of the groups', orExplained(making, groupsAnswer(making)), tagged),
        304: unchanged,
      },
    }),
  },
  {
    method: 'POST',
    path: '/bulk',
    id: 'bulk',
    summary: ({ displayName }) => `Many writes, each with its own answer (${displayName})`,
    verbs: ['create', 'update', 'delete', 'publish', 'createDraft', 'updateDraft'],
    describe: bulk,
  },
  update('/{documentId}', 'Update'),
  remove('/{documentId}'),
  ...actions('/{documentId}'),
]

const singleOperations: readonly ContentOperation[] = [
  {
    method: 'GET',
    path: '',
    id: 'find',
    summary: ({ displayName }) => `Read the document (${displayName})`,
    verbs: ['find'],
    describe: readsOne,
  },
  update('', 'Update'),
  remove(''),
  ...actions(''),
]
