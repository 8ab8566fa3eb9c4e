import { hash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Db } from 'mongodb'
import { fail } from '../../engine/errors.js'
import { explainRead, type Meter } from '../../engine/explain.js'
import { monotonicNow } from '../../engine/monotonic-now.js'
import type {
  Executor,
  FactsOf,
  PreparedRead,
  ReadAnswer,
  ReadContext,
  ReadPlan,
  ReadTarget,
} from '../../engine/read.js'
import { prepareRead } from '../../engine/read.js'
import type { ReadOptions } from '../../engine/read/execute/executor.js'
import type { DefaultPopulate } from '../../engine/read/default-populate.js'
import { startBudget } from '../../engine/read/execute/budget.js'
import { collectionsOf } from '../../engine/read/plan/collections-read.js'
import { passingTexts, type QueryCache } from '../../engine/read/plan/known-queries.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import { inStage } from '../../engine/timeline.js'
import type { AdmissionRequest } from '../../workers/admission.js'
import { afterWrite } from '../http/routes/write-outcome.js'
import type { LocaleSet } from '../services.js'
import type { Settings } from '../settings/settings.js'
import { answerKey } from './answer-key.js'
import { cachedOrMade, type AnswerMemory, type MadeAnswer } from './answer-memory.js'
import { isCacheable, shownUpTo, withCachePolicy, withoutStalePolicy } from './cache-policy.js'
import type { Answer, Documents, EntryKey, PreparedAnswer, ReadRequest } from './documents.js'
import type { OwnWrites } from './own-writes.js'
import { limitsOf, rulesOf } from './read-rules.js'

/** Dependencies of reads. */
export type ReadParts = Readonly<{
  db: Db
  settings: Settings
  registry: () => Registry
  /** Returns the registry that contains a type. That may be a previous one. */
  registryOf: (type: ContentType) => Registry
  locales: () => LocaleSet
  executor: Executor
  cache: QueryCache
  answers?: AnswerMemory | undefined
  /** Undefined if all reads use the primary. */
  own: OwnWrites | undefined
  /** Whether the database's metadata counts entries exactly (docs/internals/storage.md, "Totals"). */
  exactMetadata: boolean
  /** Signs the addresses of files; default: addresses are shown as stored. */
  links?: (() => ReadTarget['links']) | undefined
  /** What to populate in queries without `populate`; default: nothing. */
  defaultPopulate?: DefaultPopulate | undefined
  /** Facts for estimating the cost of a read; default: none. */
  factsOf?: FactsOf
  /** Limits the database's work for a read with `explain`; default: no limit. */
  meterOf?: (plan: ReadPlan) => Meter
  /** Runs a read with `explain` as soon as the request gets a slot; default: immediately. */
  inTurn?: (request: AdmissionRequest, run: () => Promise<ReadAnswer>) => Promise<ReadAnswer>
}>

/** Creates the methods that read documents. */
export const createReads = (
  parts: ReadParts,
): Pick<Documents, 'find' | 'aggregate' | 'findOne' | 'prepareAnswer'> => ({
  find: (type, request) => read(parts, type, 'list', request),
  aggregate: (type, request) => read(parts, type, 'groups', request),
  findOne: (type, key, request) => read(parts, type, targetOf(key), request),
  prepareAnswer: (type, request) => prepareAnswer(parts, type, request),
})

const targetOf = (key: EntryKey): ReadTarget['of'] => ('single' in key ? 'single' : key)

/** Returns a cached response, the response that another request is producing, or a new one. */
function read(
  parts: ReadParts,
  type: ContentType,
  of: ReadTarget['of'],
  request: ReadRequest,
): Promise<Answer> {
  const { answers, settings, registryOf, locales, links } = parts
  if (answers === undefined || request.isOnce === true) return make(parts, type, of, request)
  const scope = { registry: registryOf(type), locales: locales(), links: links?.() }
  const key = answerKey(type, of, request, scope)
  return cachedOrMade(
    () => answers.recall(key, request.signal),
    () => make(parts, type, of, request, key),
    request,
    settings['api.rest.queryTimeoutMs'],
  )
}

/**
 * Makes a new response: parses and resolves the query, plans it, and runs the plan as soon as there is a slot.
 * @param key under which to cache the response; undefined: do not cache it
 */
async function make(
  parts: ReadParts,
  type: ContentType,
  of: ReadTarget['of'],
  request: ReadRequest,
  key?: string,
): Promise<Answer> {
  const { answers, own, settings, registry } = parts
  const prepared = prepare(parts, type, request, of === 'groups' ? 'groups' : 'read')
  const isOne = of !== 'list' && of !== 'groups'
  // `*` selects all locales, but a response with one entry shows only one locale.
  if (isOne && prepared.locale === '*' && type.localized) throw fail('not-found')
  const target = targetFor(parts, of, request)
  const plan = prepared.plan(target)
  if (prepared.explain !== null) return explainPlan(parts, plan, prepared.explain, request)
  const isKept = (own === undefined || target.fromPrimary === true) && plan.snapshot !== true
  const making =
    key === undefined || !isKept
      ? undefined
      : answers?.begin(key, collectionsOf(plan), {
          signal: request.signal,
          hasTotal: plan.pagination?.total === 'count',
        })
  let made: MadeAnswer | undefined
  const begunAt = monotonicNow()
  try {
    const { client, timeline } = request
    const signal = making === undefined ? request.signal : making.signal
    const found = await runPlan(parts, plan, { signal, client, timeline })
    const answer = isCacheable(settings, request)
      ? withCachePolicy({ settings, registry: registry() }, plan, found)
      : found
    made = { answer, ignored: prepared.ignored }
    return withoutStalePolicy(settings, answer, monotonicNow() - begunAt)
  } finally {
    making?.ended(made)
  }
}

/** Checks the query and its cost before anything is written. */
function prepareAnswer(parts: ReadParts, type: ContentType, request: ReadRequest): PreparedAnswer {
  const prepared = prepare(parts, type, request, 'answer')
  const { status, locale, explain } = prepared
  // The cost is the same for every documentId, so the id need not be known yet.
  prepared.plan(targetFor(parts, { documentId: '' }, request))
  const own = ofService(request)
  const readBack = async (key: EntryKey, written?: Uint8Array): Promise<ReadAnswer> => {
    const plan = prepared.plan({ ...targetFor(parts, targetOf(key), own), maxCost: 0 })
    if (explain !== null) return explainPlan(parts, plan, explain, own)
    const { signal, timeline } = own
    return runPlan(parts, plan, { signal, timeline, written })
  }
  return {
    status,
    locale,
    of: async (key, written) => {
      try {
        return await inStage(request.timeline, 'read-back', () => readBack(key, written))
      } catch (error) {
        throw afterWrite(error, 'documentId' in key ? key.documentId : undefined)
      }
    },
  }
}

/**
 * Makes the service itself the client of a read, because reading back a write must never be rejected, however long the
 * queue.
 */
const ofService = ({
  client: _client,
  isForAnybody: _isForAnybody,
  ...request
}: ReadRequest): ReadRequest => request

/** Parses, resolves and authorizes the query of a request, and reports what is ignored. */
function prepare(
  parts: ReadParts,
  type: ContentType,
  request: ReadRequest,
  purpose: 'read' | 'answer' | 'groups',
): PreparedRead {
  const { settings, registryOf, locales, executor, cache } = parts
  const { grant, parameters, timeline, search, status, ignored } = request
  const context: ReadContext = {
    registry: registryOf(type),
    grant,
    executor,
    cache: request.isOnce === true ? passingTexts(cache) : cache,
    timeline,
    defaultPopulate: request.defaultPopulate === true ? parts.defaultPopulate : undefined,
    limits: limitsOf(settings, parameters),
    rules: rulesOf(settings, locales()),
  }
  const prepared = prepareRead(type, search, context, purpose, status)
  if (ignored !== undefined) prepared.ignored.forEach(ignored)
  return prepared
}

function targetFor(
  { settings, exactMetadata, factsOf, links, own }: ReadParts,
  of: ReadTarget['of'],
  request: ReadRequest,
): ReadTarget {
  const { envelope, constants, format = 'flat', client } = request
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
    shownUpTo: isCacheable(settings, request) ? shownUpTo(settings) : undefined,
    exactMetadata,
    factsOf,
    fromPrimary: own?.isRecent(client),
  }
}

/** Runs a plan as soon as there is a slot. Throws `not-found` if the requested document does not exist. */
async function runPlan(
  { executor }: ReadParts,
  plan: ReadPlan,
  options: ReadOptions,
): Promise<ReadAnswer> {
  const found = await executor.run(plan, options)
  if (found === null) throw fail('not-found')
  return found
}

/** Handles `explain`: waits for a slot, then returns the query plan instead of the data. */
function explainPlan(
  { db, registry, settings, factsOf, meterOf, inTurn }: ReadParts,
  plan: ReadPlan,
  mode: 'plan' | 'execution',
  { signal, client, timeline }: ReadRequest,
): Promise<ReadAnswer> {
  const run = async (): Promise<ReadAnswer> => {
    // Each command of the read adds a listener to the signal; Node would warn about more than ten.
    if (signal !== undefined) setMaxListeners(0, signal)
    const data = await explainRead(plan, db, mode, {
      registry: registry(),
      costThreshold: settings['pool.costThreshold'],
      factsOf,
      signal,
      meter: meterOf?.(plan),
    })
    const bytes = new TextEncoder().encode(JSON.stringify({ data, meta: {} }))
    return { bytes, revision: null, hash: hash('sha1', bytes, 'base64url'), total: null }
  }
  const { timeoutMs, cost } = plan
  const turn = { cost, ...(client?.budget ?? startBudget(timeoutMs)), client, signal, timeline }
  return inTurn === undefined ? run() : inTurn(turn, run)
}
