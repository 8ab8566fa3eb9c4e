import { fail } from '../../engine/errors.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'
import { allows, type DraftVerb, type SavingVerb } from '../../engine/schema/grant.js'
import type { DocumentAction } from '../../engine/write.js'
import { actorOf } from '../accounts/caller.js'
import { lacking } from '../accounts/lacking.js'
import { requestOptionsOf } from '../http/request/http-request.js'
import type { Endpoint, HttpRequest, Reply } from '../http/route.js'
import { revisionOf, taggedReply } from '../http/response/conditional-reply.js'
import { idempotencyKeyOf } from './idempotency/idempotency-key.js'
import type {
  Created,
  Documents,
  EntryKey,
  PreparedAnswer,
  ReadRequest,
  WriteRequest,
} from './documents.js'
import { withOutcome } from '../http/routes/write-outcome.js'

/** Endpoints of a document, each with an action (docs/internals/decisions.md, "Permissions are given one by one"). */
export type DocumentEndpoints = Readonly<
  Record<'read' | 'update' | 'remove', Endpoint> & { act: (action: DocumentAction) => Endpoint }
>

export type CollectionEndpoints = DocumentEndpoints & Readonly<Record<'list' | 'create', Endpoint>>

/** The part of `Documents` that the endpoints use. Its write methods may return less than those of `Documents`. */
export type UsedDocuments = Omit<Documents, WriteMethod> &
  Readonly<{ [Name in WriteMethod]: (...args: Parameters<Documents[Name]>) => Promise<Created> }>
type WriteMethod = 'create' | 'update' | 'act'

/** Returns the endpoints of a collection type. `list` and `create` do not use `documentId`. */
export function collectionEndpoints(
  documents: UsedDocuments,
  type: ContentType,
  documentId = '',
): CollectionEndpoints {
  return {
    list: guarded(type, 'find', async (request) =>
      taggedReply(await documents.find(type, getRequest(request))),
    ),
    create: saving(documents, type, 'create', async (request, { answer, write }) => {
      const data = dataOf(request)
      const key = idempotencyKeyOf(request)
      if (key === undefined) {
        const { documentId, stored } = await withAdvice(adviceToCheck, request, () =>
          documents.create(type, data, write),
        )
        return shown(request, answer, { documentId }, { status: 201, stored })
      }
      const { documentId, replayed } = await withAdvice(repeatWithKey, request, () =>
        documents.createOnce(type, data, write, key),
      )
      const reply = await shown(request, answer, { documentId }, { status: 201 })
      return replayed ? { ...reply, headers: { 'Idempotent-Replayed': 'true' } } : reply
    }),
    read: guarded(type, 'findOne', async (request) =>
      taggedReply(await documents.findOne(type, { documentId }, getRequest(request))),
    ),
    update: saving(documents, type, 'update', async (request, { answer, write }) => {
      const data = dataOf(request)
      const { stored } = await withAdvice(repeat, request, () =>
        documents.update(type, documentId, data, write),
      )
      return shown(request, answer, { documentId }, { stored })
    }),
    remove: guarded(type, 'delete', async (request) => {
      const { write } = prepareWrite(documents, type, request)
      await withAdvice(repeat, request, () => documents.delete(type, documentId, write))
      return { status: 204 }
    }),
    act: (action) => actEndpoint(documents, type, documentId, action),
  }
}

/**
 * Returns the endpoints of a single type. PUT returns 200 even if it creates the document (docs/internals/decisions.md,
 * "Status codes").
 */
export const singleEndpoints = (documents: Documents, type: ContentType): DocumentEndpoints => ({
  read: guarded(type, 'find', async (request) =>
    taggedReply(await documents.findOne(type, { single: true }, getRequest(request))),
  ),
  update: saving(documents, type, 'update', async (request, { answer, write }) => {
    const data = dataOf(request)
    await withAdvice(repeat, request, () => documents.saveSingle(type, data, write))
    return shown(request, answer, { single: true })
  }),
  remove: guarded(type, 'delete', async (request) => {
    const { write } = prepareWrite(documents, type, request)
    await withAdvice(repeat, request, () => documents.deleteSingle(type, write))
    return { status: 204 }
  }),
  act: (action) => actEndpoint(documents, type, null, action),
})

/**
 * Returns the endpoint that groups the entries of a collection type. It requires the permission to list these entries.
 */
export const aggregateEndpoint = (documents: Documents, type: ContentType): Endpoint =>
  guarded(type, 'find', async (request) =>
    taggedReply(await documents.aggregate(type, readRequest(request))),
  )

function actEndpoint(
  documents: UsedDocuments,
  type: ContentType,
  documentId: string | null,
  action: DocumentAction,
): Endpoint {
  return guarded(type, 'publish', async (request) => {
    const { answer, write } = prepareWrite(documents, type, request, statusAfter[action])
    const { stored } = await withAdvice(repeat, request, () =>
      documents.act(type, documentId, action, write),
    )
    return shown(request, answer, documentId === null ? { single: true } : { documentId }, {
      stored,
    })
  })
}

/** Runs a write. If it fails but may have been done, adds advice about repeating it to the error. */
async function withAdvice<T>(
  advice: string,
  { time }: Pick<HttpRequest, 'time'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (thrown) {
    throw withOutcome(thrown, time?.mayHaveBegun() ?? true, advice)
  }
}

const repeat = 'It is unknown whether the write was done. Repeat the request'
const repeatWithKey =
  'It is unknown whether the document was created. Repeat the request with the same Idempotency-Key: the document is created only once'
const adviceToCheck =
  'It is unknown whether the document was created. Check this before you repeat the request, or send an Idempotency-Key next time'

/** Status of the version that the response to each action shows. */
const statusAfter = { publish: 'published', unpublish: 'draft', 'discard-draft': 'draft' } as const

function guarded(
  type: ContentType,
  verb: string,
  handle: (request: HttpRequest) => Promise<Reply>,
): Endpoint {
  return {
    guard: { action: `${type.uid}.${verb}` },
    exactNumbers: true,
    handle,
  }
}

/**
 * Returns an endpoint for POST or PUT. With only the permission for the draft action, a caller may write only drafts;
 * types without drafts have no such action (docs/internals/decisions.md, "Permissions are given one by one").
 */
function saving(
  documents: UsedDocuments,
  type: ContentType,
  verb: SavingVerb,
  handle: (request: HttpRequest, prepared: PreparedWrite) => Promise<Reply>,
): Endpoint {
  const action = `${type.uid}.${verb}`
  const draftVerb: DraftVerb = `${verb}Draft`
  const draftAction = `${type.uid}.${draftVerb}`
  return {
    guard: { action, draftAction: type.draftAndPublish ? draftAction : undefined },
    exactNumbers: true,
    handle: async (request) => {
      const prepared = prepareWrite(documents, type, request)
      const { grant, status } = prepared.write
      const isDraft = type.draftAndPublish && status === 'draft'
      if (!allows(grant, type.uid, verb) && !(isDraft && allows(grant, type.uid, draftVerb)))
        throw lacking(request.caller, action)
      return handle(request, prepared)
    },
  }
}

type PreparedWrite = Readonly<{ answer: PreparedAnswer; write: WriteRequest }>

function readRequest(request: HttpRequest): ReadRequest {
  const { search, caller, headers } = request
  // As in Strapi, only the exact value `v4` selects the older format.
  const format = headers['strapi-response-format'] === 'v4' ? 'v4' : 'flat'
  const { grant } = caller
  return { search, grant, envelope: 'content', format, ...requestOptionsOf(request) }
}

/** Checks the query string of a write. Throws a 400 if it is invalid. */
export function checkQuery(
  documents: UsedDocuments,
  type: ContentType,
  request: HttpRequest,
): void {
  documents.prepareAnswer(type, readRequest(request))
}

const getRequest = (request: HttpRequest): ReadRequest => ({
  ...readRequest(request),
  defaultPopulate: true,
})

function prepareWrite(
  documents: UsedDocuments,
  type: ContentType,
  request: HttpRequest,
  status?: 'draft' | 'published',
): PreparedWrite {
  const args = readRequest(request)
  const answer = documents.prepareAnswer(type, status === undefined ? args : { ...args, status })
  const { caller } = request
  return {
    answer,
    write: {
      grant: caller.grant,
      actor: actorOf(caller),
      status: answer.status,
      locale: answer.locale,
      ifRevision: revisionOf(request),
      time: request.time,
      timeline: request.timeline,
      client: request.client,
      ignored: request.ignored,
      bodyParameters: isObject(request.body) ? request.body : {},
    },
  }
}

async function shown(
  { time }: Pick<HttpRequest, 'time'>,
  answer: PreparedAnswer,
  key: EntryKey,
  { status = 200, stored }: Readonly<{ status?: number; stored?: Uint8Array | undefined }> = {},
): Promise<Reply> {
  time?.end('documentId' in key ? key.documentId : undefined)
  const { bytes } = await answer.of(key, stored)
  return { status, body: bytes }
}

/**
 * Returns the error details for a body without `data`. They mention the `Content-Type`, because `curl` sends JSON as a
 * form by default.
 */
function missing({ 'content-type': received = 'no Content-Type' }: HttpRequest['headers']) {
  return /json/i.test(received)
    ? { expected: '{ "data": { … } }' }
    : { expected: 'application/json', received, suggestion: 'Content-Type: application/json' }
}

const bodyKeys: ReadonlySet<string> = new Set(['data', 'status', 'locale'])

/** Ignores other members than `data`, as Strapi does, and reports their names. */
function dataOf({ body, headers, ignored }: HttpRequest): unknown {
  const data =
    typeof body === 'object' && body !== null ? (body as { data?: unknown }).data : undefined
  if (typeof data !== 'object' || data === null) throw fail('missing-data', {}, missing(headers))
  for (const key of Object.keys(body as object)) if (!bodyKeys.has(key)) ignored(key)
  return data
}
