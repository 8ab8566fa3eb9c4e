import { ApiError } from '../../../engine/errors.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import type { ContentVerb } from '../../../engine/schema/grant.js'
import type { Endpoint } from '../../http/route.js'
import type { Settings } from '../../settings/settings.js'
import type { Documents } from '../documents.js'
import { checkQuery } from '../endpoints.js'
import { bodyOf, limitReplySize } from './bulk-answer.js'
import { claimOperations, type Claimed } from './claim-operations.js'
import { inChains } from './in-chains.js'
import { parseBulk, parseOperation, type Operation } from './parse-operations.js'
import { runOperation, type Parsed, type Ran } from './run-operation.js'
import { outcomesOf } from './outcomes-of.js'

/** Maximum number of concurrent operations of one request. Their commands are sent to the database in batches. */
const atOnce = 100

/** Estimated cost of one operation, in the unit of a plan's cost. */
const operationCost = 100

/**
 * `POST /api/:plural/bulk`: each operation works like a request to its own endpoint (docs/internals/decisions.md, "Many
 * writes in one request").
 */
export function bulkEndpoint(
  documents: Documents,
  type: ContentType,
  settings: Settings,
): Endpoint {
  const verbs: readonly ContentVerb[] = ['create', 'update', 'delete']
  const ofDrafts: readonly ContentVerb[] = ['publish', 'createDraft', 'updateDraft']
  const any = [...verbs, ...(type.draftAndPublish ? ofDrafts : [])].map(
    (verb) => `${type.uid}.${verb}`,
  )
  // The response shows all data that the body writes, so the limit for responses applies to the body too.
  const bound = 'api.rest.maxAnswerBytes'
  // Each operation may be as large as the body of a single write.
  const itemLimit = { bytes: settings['http.bodyLimit'], bound: 'http.bodyLimit' }
  return {
    guard: { action: `${type.uid}.create`, anyOf: any },
    exactNumbers: true,
    bodyLimit: { bytes: settings[bound], bound, itemLimit },
    ownTime: true,
    cost: (body) => operationCost * countOf(body),
    handle: async (request) => {
      const parsed = parseBulk(request.body).map(readOperation)
      // The query string applies to all operations, so an error in it rejects all of them.
      checkQuery(documents, type, request)
      const claimed = await claimOperations(documents, type, request, parsed)
      const until = performance.now() + (request.time?.left() ?? Infinity)
      const within = limitReplySize(settings[bound])
      const under = { type, settings, request, until }
      const run = async (one: Parsed, at: number): Promise<Ran> => {
        const { reply, ended } =
          claimed.refused(at) ??
          (await runOperation({ ...under, documents: claimed.documentsOf(at) }, one))
        return { reply: within(reply), ended }
      }
      const ran = await inChains(parsed, atOnce, documentOf, run)
      const released = release(claimed, parsed, ran)
      // After a timeout, operations may still be running when the response is sent. Their outcomes are recorded when
      // all have ended.
      const inTime = request.time === undefined ? released : request.time.within(() => released)
      await inTime.catch(() => request.outlasts?.(released))
      const body = bodyOf(ran.map(({ reply }) => reply))
      const headers = claimed.isRepeated ? { headers: { 'Idempotent-Replayed': 'true' } } : {}
      return { status: 200, body, ...headers }
    },
  }
}

const countOf = (body: unknown): number => {
  const { operations } = (body ?? {}) as { operations?: unknown }
  return Array.isArray(operations) ? operations.length : 0
}

function readOperation(value: unknown, at: number): Parsed {
  try {
    return parseOperation(value, at)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const operationOf = (parsed: Parsed): Operation | undefined =>
  parsed instanceof ApiError ? undefined : parsed

const documentOf = (parsed: Parsed): string | undefined => operationOf(parsed)?.documentId

/** Records the outcomes. If that fails, a repeated request does the operations again. */
async function release(
  claimed: Claimed,
  parsed: readonly Parsed[],
  ran: readonly Ran[],
): Promise<void> {
  const ended = await Promise.all(ran.map(({ ended }) => ended))
  await claimed.release(outcomesOf(parsed.map(operationOf), ended)).catch(() => undefined)
}
