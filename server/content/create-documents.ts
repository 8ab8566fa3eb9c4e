import { ApiError, fail } from '../../engine/errors.js'
import type { PreparedRead, ReadContext, ReadPlan, ReadTarget } from '../../engine/read.js'
import { prepareRead } from '../../engine/read.js'
import { collectionsOf } from '../../engine/read/plan/collections-read.js'
import type { QueryCache } from '../../engine/read/plan/known-queries.js'
import { createQueryCache, passingTexts } from '../../engine/read/plan/known-queries.js'
import { monotonicNow } from '../../engine/monotonic-now.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { WriteContext, WriteOptions, WriteScope } from '../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  deleteSingleDocument,
  resumeCreate,
  saveSingleDocument,
  updateDocument,
} from '../../engine/write.js'
import { refuseLocked } from '../../engine/write/locked-types.js'
import { afterWrite } from '../http/routes/write-outcome.js'
import { answerKey, type AnswerScope } from './answer-key.js'
import type { MadeAnswer, Making } from './answer-memory.js'
import { claimBulk } from './idempotency/claim-bulk.js'
import { createOnce } from './idempotency/create-once.js'
import type { DocumentsParts } from './documents-parts.js'
import { withCachePolicy, withoutStalePolicy, isCacheable, shownUpTo } from './cache-policy.js'
import type { Answer, Documents, EntryKey, ReadRequest, WriteRequest } from './documents.js'
import { cachedOrMade } from './cached-or-made.js'
import { createOwnWrites } from './own-writes.js'
import { explainPlan } from './explain-plan.js'
import { limitsOf, rulesOf } from './read-rules.js'
import { inStage } from '../../engine/timeline.js'
import { lastStepsMs, writeContext, writeScope } from './write-contexts.js'

/** Binds the engine to the current registry, locales and settings. */
export function createDocuments(parts: DocumentsParts): Documents {
  const { cache = createQueryCache() } = parts
  const own = createOwnWrites(parts.db.client, parts.settings['database.ownWritesMs'])
  const readTarget = (of: ReadTarget['of'], request: ReadRequest): ReadTarget => ({
    ...targetFor(parts, of, request),
    fromPrimary: own?.isRecent(request.client),
  })
  const { answers } = parts
  /** Returns a cached response, the response that another request is producing, or a new one. */
  const read = (type: ContentType, of: ReadTarget['of'], request: ReadRequest): Promise<Answer> => {
    if (answers === undefined || request.isOnce === true) return make(type, of, request)
    const key = answerKey(type, of, request, scopeOf(parts, type))
    return cachedOrMade(
      () => answers.recall(key, request.signal),
      () => make(type, of, request, key),
      request,
      parts.settings['api.rest.queryTimeoutMs'],
    )
  }
  const make = async (
    type: ContentType,
    of: ReadTarget['of'],
    request: ReadRequest,
    key?: string,
  ): Promise<Answer> => {
    const prepared = prepare(type, request, of === 'groups' ? 'groups' : 'read')
    const isOne = of !== 'list' && of !== 'groups'
    // `*` selects all locales, but a response with one entry shows only one locale.
    if (isOne && prepared.locale === '*' && type.localized) throw fail('not-found')
    const target = readTarget(of, request)
    const isKept = own === undefined || target.fromPrimary === true
    const begin = (plan: ReadPlan) =>
      key === undefined || !isKept || plan.snapshot === true
        ? undefined
        : answers?.begin(key, collectionsOf(plan), {
            signal: request.signal,
            hasTotal: plan.pagination?.total === 'count',
          })
    return run(prepared, target, request, { begin })
  }
  const prepare = (
    type: ContentType,
    request: ReadRequest,
    purpose: 'read' | 'answer' | 'groups' = 'read',
  ): PreparedRead => {
    const context = readContext(parts, cache, type, request)
    const prepared = prepareRead(type, request.search, context, purpose, request.status)
    if (request.ignored !== undefined) prepared.ignored.forEach(request.ignored)
    return prepared
  }
  const run = async (
    prepared: PreparedRead,
    target: ReadTarget,
    request: ReadRequest,
    { written, begin }: RunOptions = {},
  ): Promise<Answer> => {
    const plan = prepared.plan(target)
    if (prepared.explain !== null) return explainPlan(parts, plan, prepared.explain, request)
    const { client, timeline } = request
    const { signal, ended } = begin?.(plan) ?? { signal: request.signal }
    let made: MadeAnswer | undefined
    const begunAt = monotonicNow()
    try {
      const found = await parts.executor.run(plan, { signal, written, client, timeline })
      if (found === null) throw fail('not-found')
      const answer = isCacheable(parts, request) ? withCachePolicy(parts, plan, found) : found
      made = { answer, ignored: prepared.ignored }
      return withoutStalePolicy(parts, answer, monotonicNow() - begunAt)
    } finally {
      ended?.(made)
    }
  }
  const write = async <T>(
    type: ContentType,
    request: WriteRequest,
    change: (context: WriteContext, scope: WriteScope, options: WriteOptions) => Promise<T>,
  ): Promise<T> => {
    const begun = parts.begun?.()
    const known = parts.pinRegistry?.()
    let isCutOff = false
    try {
      request.time?.hold()
      // Read the locked types in the same tick as `pinRegistry` is called. A conversion then waits for every write that
      // is not rejected here.
      const { locked } = parts.registry()
      refuseLocked(locked, type.uid)
      const context = { ...writeContext(parts, registryOf(parts, type), request, begun), locked }
      const { ifRevision } = request
      return await change(context, writeScope(request), { ifRevision })
    } catch (error) {
      isCutOff = !(error instanceof ApiError)
      throw error
    } finally {
      begun?.ended(isCutOff)
      // A write that failed may still have changed something.
      parts.executor.changed()
      own?.wrote(request.client)
      parts.wrote?.(type.uid)
      known?.()
    }
  }
  return {
    find: (type, request) => read(type, 'list', request),
    aggregate: (type, request) => read(type, 'groups', request),
    findOne: (type, key, request) => read(type, targetOf(key), request),
    prepareAnswer: (type, request) => {
      const prepared = prepare(type, request, 'answer')
      const { status, locale } = prepared
      // Check the cost before anything is written. It is the same for every documentId, so the id need not be known
      // yet.
      prepared.plan(readTarget({ documentId: '' }, request))
      return {
        status,
        locale,
        of: async (key, written) => {
          const serviceRequest = ofService(request)
          try {
            const target = { ...readTarget(targetOf(key), serviceRequest), maxCost: 0 }
            return await inStage(request.timeline, 'read-back', () =>
              run(prepared, target, serviceRequest, { written }),
            )
          } catch (error) {
            throw afterWrite(error, 'documentId' in key ? key.documentId : undefined)
          }
        },
      }
    },
    create: (type, data, request) =>
      write(type, request, (context, scope) => createDocument(context, type, scope, data)),
    createOnce: (type, data, request, key) => {
      const { status, locale = '' } = request
      return write(type, request, (context, scope) =>
        createOnce(parts.db, {
          key,
          fingerprint: [type.uid, status, locale, data],
          create: (documentId) => createDocument(context, type, scope, data, { documentId }),
          resume: (documentId) => resumeCreate(context, type, scope, data, documentId),
        }),
      )
    },
    claimBulk: (key, request) =>
      claimBulk(parts.db, key, request, {
        leaseMs: lastStepsMs(parts.settings),
        singleProcess: parts.singleProcess ?? false,
      }),
    createGiven: (type, data, request, { documentId, isRepeated }) =>
      write(type, request, async (context, scope) => {
        if (!isRepeated) return createDocument(context, type, scope, data, { documentId })
        await resumeCreate(context, type, scope, data, documentId)
        return { documentId }
      }),
    update: (type, documentId, data, request) =>
      write(type, request, (context, scope, options) =>
        updateDocument(context, type, documentId, scope, data, options),
      ),
    saveSingle: (type, data, request) =>
      write(type, request, (context, scope, options) =>
        saveSingleDocument(context, type, scope, data, options),
      ),
    delete: (type, documentId, request) =>
      write(type, request, (context, scope, options) =>
        deleteDocument(context, type, documentId, scope, options),
      ),
    deleteSingle: (type, request) =>
      write(type, request, (context, scope, options) =>
        deleteSingleDocument(context, type, scope, options),
      ),
    act: (type, documentId, action, request) =>
      write(type, request, (context, scope) =>
        actOnDocument(context, type, documentId, scope, action),
      ),
  }
}

/**
 * `written`: the stored version that this request has just written. `begin`: called before the read, to cache its
 * result.
 */
type RunOptions = Readonly<{
  written?: Uint8Array | undefined
  begin?: (plan: ReadPlan) => Making | undefined
}>

/**
 * Makes the service itself the client of a read, because reading back a write must never be rejected, however long the
 * queue.
 */
function ofService({
  client: _client,
  isForAnybody: _isForAnybody,
  ...request
}: ReadRequest): ReadRequest {
  return request
}

const targetOf = (key: EntryKey): ReadTarget['of'] => ('single' in key ? 'single' : key)

function readContext(
  parts: DocumentsParts,
  cache: QueryCache,
  type: ContentType,
  { grant, parameters, defaultPopulate = false, isOnce = false, timeline }: ReadRequest,
): ReadContext {
  const { settings, executor } = parts
  const locales = parts.locales()
  return {
    registry: registryOf(parts, type),
    grant,
    executor,
    cache: isOnce ? passingTexts(cache) : cache,
    timeline,
    defaultPopulate: defaultPopulate ? parts.defaultPopulate : undefined,
    limits: limitsOf(settings, parameters),
    rules: rulesOf(settings, locales),
  }
}

const scopeOf = (parts: DocumentsParts, type: ContentType): AnswerScope => ({
  registry: registryOf(parts, type),
  locales: parts.locales(),
  links: parts.links?.(),
})

const registryOf = ({ registryOf, registry }: DocumentsParts, type: ContentType): Registry =>
  registryOf?.(type) ?? registry()

function targetFor(
  { settings, exactMetadata, factsOf, links }: DocumentsParts,
  of: ReadTarget['of'],
  request: ReadRequest,
): ReadTarget {
  const { envelope, constants, format = 'flat' } = request
  return {
    of,
    envelope,
    constants,
    format,
    links: links?.(),
    maxPopulatedEntries: settings['api.rest.maxPopulatedEntries'],
    maxAnswerBytes: settings['api.rest.maxAnswerBytes'],
    maxCost: settings['api.rest.maxCost'],
    timeoutMs: settings['api.rest.queryTimeoutMs'],
    snapshot: settings['database.snapshotReads'],
    shownUpTo: isCacheable({ settings }, request) ? shownUpTo(settings) : undefined,
    exactMetadata,
    factsOf,
  }
}
