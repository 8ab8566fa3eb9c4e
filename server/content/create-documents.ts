import { hash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { ApiError, fail } from '../../engine/errors.js'
import { explainRead } from '../../engine/explain.js'
import type {
  PreparedRead,
  ReadAnswer,
  ReadContext,
  ReadPlan,
  ReadTarget,
} from '../../engine/read.js'
import { prepareRead } from '../../engine/read.js'
import type { QueryCache } from '../../engine/read/query/known-queries.js'
import { createQueryCache } from '../../engine/read/query/known-queries.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { WriteContext, WriteScope } from '../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  deleteSingleDocument,
  resumeCreate,
  saveSingleDocument,
  updateDocument,
} from '../../engine/write.js'
import { afterWrite } from '../http/after-write.js'
import { createOnce } from './idempotency/create-once.js'
import type { DocumentsParts } from './documents-parts.js'
import { isFilling } from './documents-parts.js'
import type { Documents, EntryKey, ReadRequest, WriteRequest } from './documents.js'
import { createOwnWrites } from './own-writes.js'
import { limitsOf, rulesOf } from './read-rules.js'
import { steadyNow } from '../../engine/steady-now.js'
import { inStage } from '../../engine/timeline.js'
import { writeContext, writeScope } from './write-contexts.js'

/** Binds the engine's read and write functions to the live registry, locales and settings. */
export function createDocuments(parts: DocumentsParts): Documents {
  const { cache = createQueryCache() } = parts
  const own = createOwnWrites(parts.db.client, parts.settings['database.ownWritesMs'])
  const readTarget = (of: ReadTarget['of'], request: ReadRequest): ReadTarget => ({
    ...targetFor(parts, of, request),
    ...(own?.isRecent(request.asker) === true ? { fromPrimary: true } : {}),
  })
  const prepare = (
    type: ContentType,
    request: ReadRequest,
    purpose: 'read' | 'answer' = 'read',
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
    written?: Uint8Array,
  ): Promise<ReadAnswer> => {
    if (prepared.explain !== null) {
      return explain(parts, prepared.plan(target), prepared.explain, request)
    }
    const { signal, asker } = request
    const answer = await prepared.run(target, { signal, written, asker })
    if (answer === null) throw fail('not-found')
    return answer
  }
  const write = async <T>(
    type: ContentType,
    request: WriteRequest,
    change: (context: WriteContext, scope: WriteScope, options: WriteOptions) => Promise<T>,
  ): Promise<T> => {
    const begun = parts.begun?.()
    const known = parts.knowing?.()
    let isCutOff = false
    try {
      request.time?.hold()
      const context = writeContext(parts, registryOf(parts, type), request, begun)
      return await change(context, writeScope(request), optionsOf(request))
    } catch (error) {
      isCutOff = !(error instanceof ApiError)
      throw error
    } finally {
      begun?.ended(isCutOff)
      // Also where it failed: some of its steps may have been taken.
      parts.executor.changed()
      own?.wrote(request.asker)
      known?.()
    }
  }
  return {
    find: async (type, request) =>
      run(prepare(type, request), readTarget('list', request), request),
    findOne: async (type, key, request) => {
      const prepared = prepare(type, request)
      // `*` names no version of one document.
      if (prepared.locale === '*' && type.localized) throw fail('not-found')
      return run(prepared, readTarget(targetOf(key), request), request)
    },
    prepareAnswer: (type, request) => {
      const prepared = prepare(type, request, 'answer')
      const { status, locale } = prepared
      // What is too dear is refused before anything is written, whichever document it will be.
      prepared.plan(readTarget({ documentId: '' }, request))
      return {
        ...{ status, locale },
        of: async (key, written) => {
          const asked = ofService(request)
          try {
            const target = { ...readTarget(targetOf(key), asked), maxCost: 0 }
            return await inStage(request.timeline, 'read-back', () =>
              run(prepared, target, asked, written),
            )
          } catch (error) {
            throw isBeyond(error) ? afterWrite(error) : error
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
          asked: [type.uid, status, locale, data],
          create: (documentId) => createDocument(context, type, scope, data, { documentId }),
          resume: (documentId) => resumeCreate(context, type, scope, data, documentId),
        }),
      )
    },
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

type WriteOptions = Readonly<{ ifRevision?: number }>

function optionsOf({ ifRevision }: WriteRequest): WriteOptions {
  return ifRevision === undefined ? {} : { ifRevision }
}

/** `explain=true`: the plan in the place of the data, when its turn has come. */
function explain(
  parts: DocumentsParts,
  plan: ReadPlan,
  mode: 'plan' | 'execution',
  { signal, asker, timeline }: ReadRequest,
): Promise<ReadAnswer> {
  const { timeoutMs, cost } = plan
  const run = (): Promise<ReadAnswer> => explainNow(parts, plan, mode, signal)
  const deadline = asker?.deadline ?? steadyNow() + timeoutMs
  const asked = { cost, deadline, timeoutMs, asker, signal, timeline }
  return parts.inTurn === undefined ? run() : parts.inTurn(asked, run)
}

async function explainNow(
  { db, registry, settings, factsOf, meterOf }: DocumentsParts,
  plan: ReadPlan,
  mode: 'plan' | 'execution',
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const costThreshold = settings['pool.costThreshold']
  // Each of its commands listens, and there may be many.
  if (signal !== undefined) setMaxListeners(0, signal)
  const data = await explainRead(plan, db, mode, {
    ...{ registry: registry(), costThreshold, factsOf, signal, meter: meterOf?.(plan) },
  })
  const bytes = new TextEncoder().encode(JSON.stringify({ data, meta: {} }))
  return { bytes, revision: null, hash: hash('sha1', bytes, 'base64url'), total: null }
}

/** Whether there is more to be told than may be. */
const isBeyond = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'limit-exceeded'

/** What was written is told, however many wait. */
function ofService({ asker: _asker, ...request }: ReadRequest): ReadRequest {
  return request
}

const targetOf = (key: EntryKey): ReadTarget['of'] => ('single' in key ? 'single' : key)

function readContext(
  parts: DocumentsParts,
  cache: QueryCache,
  type: ContentType,
  { grant, parameters, defaultPopulate = false, timeline }: ReadRequest,
): ReadContext {
  const { settings, executor } = parts
  const locales = parts.locales()
  return {
    registry: registryOf(parts, type),
    grant,
    executor,
    cache,
    timeline,
    ...(defaultPopulate ? { defaultPopulate: parts.defaultPopulate } : {}),
    limits: limitsOf(settings, parameters),
    rules: rulesOf(settings, locales, isFilling(parts)),
  }
}

const registryOf = ({ registryOf, registry }: DocumentsParts, type: ContentType): Registry =>
  registryOf?.(type) ?? registry()

function targetFor(
  { settings, exactMetadata, factsOf, links }: DocumentsParts,
  of: ReadTarget['of'],
  { envelope, constants, format = 'flat' }: ReadRequest,
): ReadTarget {
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
    exactMetadata,
    factsOf,
  }
}
