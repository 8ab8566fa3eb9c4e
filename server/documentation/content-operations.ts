import { apiNameOf, byUid, type ContentType } from '../../engine/schema/content-type.js'
import { allows, type ContentVerb } from '../../engine/schema/grant.js'
import type { JsonSchema } from '../http/documented.js'
import { members } from '../http/routes/json-schemas.js'
import type { Method } from '../http/route.js'
import { aggregateParameters, groupsAnswer } from './aggregate-schemas.js'
import { bulkAnswer, bulkBody } from './bulk-schemas.js'
import { dataSchema } from './body-schemas.js'
import { entrySchema } from './entry-schemas.js'
import { errorReferences } from './error-responses.js'
import { orExplained, pageOf, type DocumentBuilder } from './document-builder.js'
import { localeParameter, readParameters, sharedParameter, writeParameters } from './parameters.js'

/** OpenAPI operations by path and method. */
export type Paths = Record<string, Record<string, JsonSchema>>

/** An operation that either all collection types have, or all single types. */
type ContentOperation = Readonly<{
  /** Beginning of the `operationId`: `find` for `findArticle`. */
  id: string
  /** `%s` is replaced by the type's display name. */
  summary: string
  /** The operation is documented if the caller has the permission for at least one of these. */
  verbs: readonly ContentVerb[]
  describe: (making: DocumentBuilder, type: ContentType) => Described
}>

/** Description of an operation, without the errors that every operation can return. */
type Described = Readonly<{
  parameters?: readonly JsonSchema[]
  requestBody?: JsonSchema
  responses: Readonly<Record<number, JsonSchema>>
  errors?: readonly number[]
}>

/** Yields the content operations that the caller may use, type by type: `/api/articles` and everything below it. */
export function* contentPaths(making: DocumentBuilder): Generator<Paths> {
  const types = [...making.registry.byApiName.values()]
  for (const type of types.sort(byUid)) {
    const paths: Paths = {}
    const base = `${making.settings['api.rest.prefix']}/${apiNameOf(type)}`
    const operations = type.kind === 'singleType' ? singleOperations : collectionOperations
    for (const [name, operation] of Object.entries(operations)) {
      if (!operation.verbs.some((verb) => mayDo(making, type, verb))) continue
      const [method, path] = name.split(' ') as [Method, string]
      const methods = (paths[base + path] ??= {})
      methods[method.toLowerCase()] = describeOperation(making, type, operation, method, path)
    }
    yield paths
  }
}

/** Returns whether the caller may perform an operation. False for operations on drafts if the type has no drafts. */
const mayDo = ({ view }: DocumentBuilder, type: ContentType, verb: ContentVerb): boolean =>
  allows(view.grant, type.uid, verb) && (type.draftAndPublish || !ofDrafts.has(verb))

const ofDrafts: ReadonlySet<ContentVerb> = new Set(['publish', 'createDraft', 'updateDraft'])

function describeOperation(
  making: DocumentBuilder,
  type: ContentType,
  { id, summary, describe }: ContentOperation,
  method: Method,
  path: string,
): JsonSchema {
  const { parameters = [], requestBody, responses, errors } = describe(making, type)
  const inPath = path.includes('{documentId}') ? [sharedParameter('documentId')] : []
  return {
    operationId: id + making.nameOf(type),
    summary: summary.replace('%s', () => type.displayName),
    tags: [type.displayName],
    parameters: [...inPath, ...parameters, sharedParameter('format')],
    requestBody,
    responses: { ...responses, ...errorReferences(method, true, true, errors) },
  }
}

const json = (description: string, schema: JsonSchema, headers?: JsonSchema): JsonSchema => ({
  description,
  headers,
  content: { 'application/json': { schema } },
})

const tagged: JsonSchema = { ETag: { $ref: '#/components/headers/ETag' } }
const unchanged: JsonSchema = { $ref: '#/components/responses/NotModified' }

/** Schema of `{ data: [entry, …], meta: { pagination } }`. */
const listAnswer = (making: DocumentBuilder, type: ContentType): JsonSchema =>
  making.part(type, 'List', () => pageOf(entrySchema(making, type)))

/** Schema of `{ data: entry, meta: {} }`. */
const oneAnswer = (making: DocumentBuilder, type: ContentType): JsonSchema =>
  making.part(type, 'Answer', () =>
    members({
      data: entrySchema(making, type),
      meta: { type: 'object', additionalProperties: false },
    }),
  )

type Describe = ContentOperation['describe']

const answersOf = { list: listAnswer, one: oneAnswer, groups: groupsAnswer }

const reads =
  (what: keyof typeof answersOf, description: string): Describe =>
  (making, type) => ({
    parameters:
      what === 'groups' ? aggregateParameters(making, type) : readParameters(making, type, what),
    responses: {
      200: json(description, orExplained(making, answersOf[what](making, type)), tagged),
      304: unchanged,
    },
  })

const readsOne = reads('one', 'The document')

const saves =
  (mode: 'Create' | 'Update'): Describe =>
  (making, type) => {
    const isNew = mode === 'Create'
    // Callers who may write only drafts must send `status=draft`.
    const draftsOnly = !allows(making.view.grant, type.uid, isNew ? 'create' : 'update')
    const status = type.draftAndPublish
      ? [sharedParameter(draftsOnly ? 'draftStatus' : 'writtenStatus')]
      : []
    const header = sharedParameter(isNew ? 'idempotencyKey' : 'ifMatch')
    const properties = { data: dataSchema(making, type, mode) }
    const answer = oneAnswer(making, type)
    return {
      parameters: [...writeParameters(making, type), ...status, header],
      requestBody: jsonBody({ type: 'object', required: ['data'], properties }),
      responses: isNew
        ? { 201: json('The new document', answer) }
        : { 200: json('The document', answer) },
      errors: isNew ? [422] : [],
    }
  }

const jsonBody = (schema: JsonSchema): JsonSchema => ({
  required: true,
  content: { 'application/json': { schema } },
})

function bulk(making: DocumentBuilder, type: ContentType): Described {
  const status = type.draftAndPublish ? [sharedParameter('writtenStatus')] : []
  return {
    parameters: [...writeParameters(making, type), ...status, sharedParameter('idempotencyKey')],
    requestBody: jsonBody(bulkBody(making, type)),
    responses: { 200: json('A result for each operation', bulkAnswer(making, type)) },
    errors: [422],
  }
}

const action = (id: string, summary: string): ContentOperation => ({
  id,
  summary,
  verbs: ['publish'],
  describe: (making, type) => ({
    parameters: [...writeParameters(making, type), sharedParameter('ifMatch')],
    responses: {
      200: json(
        'The published version after publishing, otherwise the draft',
        oneAnswer(making, type),
      ),
    },
  }),
})

/** Operations by method and path: `PUT /{documentId}`. The path is relative to that of the content-type. */
type Operations = Readonly<Record<string, ContentOperation>>

/** Operations that change a document. `base` is the document's path, relative to the type's path. */
const changes = (base: string): Operations => ({
  [`PUT ${base}`]: {
    id: 'update',
    summary: 'Change a document (%s). Attributes that are not sent stay unchanged',
    verbs: ['update', 'updateDraft'],
    describe: saves('Update'),
  },
  [`DELETE ${base}`]: {
    id: 'delete',
    summary: 'Delete a document (%s)',
    verbs: ['delete'],
    describe: (_making, type) => ({
      parameters: [localeParameter(type, 'deletedLocale'), sharedParameter('ifMatch')],
      responses: { 204: { description: 'The document was deleted, or did not exist' } },
    }),
  },
  [`POST ${base}/actions/publish`]: action('publish', 'Publish the draft (%s)'),
  [`POST ${base}/actions/unpublish`]: action('unpublish', 'Unpublish a document (%s)'),
  [`POST ${base}/actions/discard-draft`]: action(
    'discardDraft',
    'Discard the draft: make it equal to the published version (%s)',
  ),
})

/** Operations that all collection types have. Add new operations here. */
const collectionOperations: Operations = {
  'GET ': {
    id: 'find',
    summary: 'List documents (%s)',
    verbs: ['find'],
    describe: reads('list', 'A page of the list'),
  },
  'POST ': {
    id: 'create',
    summary: 'Create a document (%s)',
    verbs: ['create', 'createDraft'],
    describe: saves('Create'),
  },
  'GET /{documentId}': {
    id: 'findOne',
    summary: 'Read a document (%s)',
    verbs: ['findOne'],
    describe: readsOne,
  },
  'GET /aggregate': {
    id: 'aggregate',
    summary: 'Group documents (%s), with aggregated values of each group',
    verbs: ['find'],
    describe: reads('groups', 'A page of the groups'),
  },
  'POST /bulk': {
    id: 'bulk',
    summary: 'Write many documents, with a result for each operation (%s)',
    verbs: ['create', 'update', 'delete', 'publish', 'createDraft', 'updateDraft'],
    describe: bulk,
  },
  ...changes('/{documentId}'),
}

const singleOperations: Operations = {
  'GET ': {
    id: 'find',
    summary: 'Read the document (%s)',
    verbs: ['find'],
    describe: readsOne,
  },
  ...changes(''),
}
