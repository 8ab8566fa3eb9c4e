import type { Db } from 'mongodb'
import type { Change, InverseChange, PendingEdge, Version, Versions } from './change/change.js'
import { versionIn } from './change/change.js'
import {
  changeInverse,
  inverseWrites,
  groupPending,
  publishPending,
} from './change/inverse-relations.js'
import { concealStored, isSentScalar, isSentWhole } from './rules/conceal-stored.js'
import { countComponents } from './change/components.js'
import { throwFailures } from './rules/failure.js'
import { passwordsIn } from './rules/passwords.js'
import type { PatternAnswers } from './rules/patterns.js'
import { createPatternAnswers } from './rules/patterns.js'
import type { Body } from './body/read-body.js'
import type { Repeated, Unwritable } from './body/keys.js'
import type { OpenSave, SaveRequest } from './change/resolve-change.js'
import {
  openSave,
  resolveChange,
  validatePublished,
  validateSave,
} from './change/resolve-change.js'
import type { EntryScope, FindTarget } from './body/targets.js'
import { checkTargets, targetFinder, wantedTargets } from './body/targets.js'
import { inAttributeOrder, takenError, throwAll } from './rules/unique.js'
import { checkRepeated } from './rules/check-repeated.js'
import { checkUnwritable } from './rules/check-unwritable.js'
import { validateDisconnected } from './rules/validate-disconnected.js'
import { connectingTime } from './change/inverse-orders.js'
import { fail } from '../errors.js'
import { componentSequence, takeIds } from '../database/take-ids.js'
import { findOwners, findTargets, findVersions } from './steps/lookups.js'
import { inTurn } from '../database/in-turn.js'
import { executeSave } from './steps/execute-save.js'
import { hashPassword } from './rules/hash-password.js'
import type { PatternChecker } from '../patterns/pattern-check.js'
import { undoCreate } from './undo-create.js'
import { findPendingOwners } from './find-pending-owners.js'
import { planSave } from './steps/plan-save.js'
import type { ContentType } from '../schema/content-type.js'
import { collectionsOf } from '../schema/content-type.js'
import type { WriteTime } from './write-time.js'
import type { Registry } from '../schema/registry.js'

/** One document to write in one locale; its body was read and its keys are known. */
export type SaveInput = Readonly<{
  db: Db
  registry: Registry
  type: ContentType
  documentId: string
  locale: string | null
  /** All that are configured. */
  locales: ReadonlySet<string>
  /** Where targets and owners are looked for, if the type is not localized and they are. */
  targetLocale: string
  publish: boolean
  body: Body
  /** What the body says of the entry beside its attributes. */
  repeated: Repeated
  /** What it says of attributes that are not writable; absent = nothing. */
  unwritable?: readonly Unwritable[]
  /** As in `WriteContext`. */
  ignored?: ((path: string) => void) | undefined
  actor: string | null
  time?: WriteTime | undefined
  ifRevision?: number | undefined
  /** As in `WriteContext`. */
  publishingMs?: number | undefined
  /** As in `WriteContext`. */
  holdsLocale?: HoldsLocale | undefined
  /**
   * What must be there: nothing because the documentId was made just now, nothing, the document in some
   * locale, the draft in this one, or anything.
   */
  expects: 'new' | 'nothing' | 'document' | 'version' | 'anything'
  checkPatterns?: PatternChecker | undefined
  /** As in `WriteContext`. */
  requiredRelations?: boolean | undefined
}>

/** Whether a locale is configured, and not about to be deleted. */
export type HoldsLocale = (locale: string) => Promise<boolean>

export type Saved = Readonly<{
  id: number
  revision: number
  /** The version that was addressed, where it is known without reading it; BSON. */
  stored?: Uint8Array | undefined
}>

const maxAttempts = 5
const none: Versions = { current: [], published: [] }

/**
 * Writes a document: checks, resolves, plans and executes, again where another process was faster.
 * @throws ApiError 400 for what is wrong with the body, 404, 409 after five attempts, 412
 */
export async function saveDocument(input: SaveInput): Promise<Saved> {
  await checkLocale(input)
  const request = await openRequest(input)
  const hashes = new Map<string, string>()
  const patterns = createPatternAnswers()
  const save = async (): Promise<Saved> => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      input.time?.begin()
      // What is new has nothing to be read; if somebody has its documentId after all, the index says so.
      const isNew = input.expects === 'new' && attempt === 1
      const versions = isNew ? none : await readVersions(input.db, input.type, input.documentId)
      const saved = await attemptSave(input, request, versions, hashes, patterns)
      if (saved !== 'stale') return saved
    }
    throw fail('conflict')
  }
  return inTurn(input.db, `${input.type.uid} ${input.documentId}`, save, input.time)
}

/** All versions of a document. */
export async function readVersions(
  db: Db,
  type: ContentType,
  documentId: string,
): Promise<Versions> {
  const [current = [], published = []] = await Promise.all(
    collectionsOf(type).map((name) => findVersions(db, name, documentId, type.localized)),
  )
  return { current: current as readonly Version[], published: published as readonly Version[] }
}

async function openRequest(input: SaveInput): Promise<SaveRequest> {
  const { db, type, registry, documentId, locale, targetLocale, body } = input
  const scope: EntryScope = { type, registry, documentId, locale, targetLocale }
  const wanted = wantedTargets(body, scope)
  const found = await Promise.all(
    wanted.map(({ type: target, ...query }) =>
      findTargets(db, { ...query, collections: collectionsOf(target) }),
    ),
  )
  const find = targetFinder(scope, wanted, found)
  const targetFailures = checkTargets(body, scope, find)
  return { ...input, find, targetFailures }
}

async function attemptSave(
  input: SaveInput,
  request: SaveRequest,
  versions: Versions,
  hashes: Map<string, string>,
  patterns: PatternAnswers,
): Promise<Saved | 'stale'> {
  const { db, type, registry, locale } = input
  const open = openSave(request, versions)
  checkExpected(input, open)
  checkRepeated(input, input.repeated, versions, input.ignored)
  checkUnwritable(input, versions)

  const answered = <T>(check: () => T): Promise<T> =>
    withPatterns(patterns, input.checkPatterns ?? tellNothing, check)
  const validated = await answered(() => validateSave(open, patterns))
  const sent = isSentWhole(input.body)
  if (type.draftAndPublish) {
    const failures = concealStored(validated.failures, input, sent)
    throwFailures(inAttributeOrder(type, failures))
  } else await throwAll(input, validated, open.before, hashes, sent)

  await hashPasswords(input, hashes)
  const change = await decide(input, open, validated.value, hashes)
  const published = versionIn(versions.published, locale)
  const isSent = isSentScalar(type, input.body)
  const emptied = await answered(() => validateDisconnected(change, input, hashes, patterns))
  throwFailures(concealStored(emptied, input, isSent))
  if (change.publish) {
    const whole = await answered(() => validatePublished(change, registry, hashes, patterns, input))
    await throwAll(input, whole, published, hashes, isSent)
  }

  const isNew = [open.before === undefined, change.publish && published === undefined]
  const ids = await takeIds(db, type.uid, isNew.filter(Boolean).length)
  const plan = planSave(change, published, takerOf(ids))
  const result = await executeSave(db, plan)
  switch (result.kind) {
    case 'saved':
      // Whoever deletes the locale looks for content once nobody can acknowledge any that they did not see.
      await checkLocale(
        input,
        async () => open.before === undefined && (await undoCreate(input, plan.now)),
      )
      return result
    case 'stale':
      return 'stale'
    case 'gone':
      throw fail('not-found')
    case 'taken':
      throw takenError(type, result.field, input.body)
  }
}

/** Validates, and again with what was open then: whether texts match patterns that may take long. */
async function withPatterns<T>(
  patterns: PatternAnswers,
  check: PatternChecker,
  validate: () => T,
): Promise<T> {
  for (;;) {
    const validated = validate()
    const open = patterns.open()
    if (open.length === 0) return validated
    patterns.learn(await check(open))
  }
}

const tellNothing: PatternChecker = (checks) => Promise.resolve(checks.map(() => 'unknown'))

/**
 * @param undo takes back what was written; whether it could
 * @throws 400 where the locale is gone or going, which says so where something was written and stays
 */
async function checkLocale(
  { locale, holdsLocale }: SaveInput,
  undo: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  if (locale === null || holdsLocale === undefined || (await holdsLocale(locale))) return
  const message = `The locale "${locale}" is being deleted, or was`
  if (await undo()) throw fail('validation', { message })
  throw fail('validation', { message: `The write was done, but: ${message}` }, { outcome: 'done' })
}

function checkExpected({ expects }: SaveInput, { versions, before }: OpenSave): void {
  if ((expects === 'new' || expects === 'nothing') && versions.current.length > 0)
    throw fail('conflict')
  if (expects === 'document' && versions.current.length === 0) throw fail('not-found')
  if (expects === 'version' && before === undefined) throw fail('not-found')
}

async function hashPasswords(
  { type, body, registry }: SaveInput,
  hashes: Map<string, string>,
): Promise<void> {
  for (const password of passwordsIn(type, body, registry))
    if (!hashes.has(password)) hashes.set(password, await hashPassword(password))
}

async function decide(
  input: SaveInput,
  open: OpenSave,
  value: Body,
  hashes: ReadonlyMap<string, string>,
): Promise<Change> {
  const { db, type, registry } = input
  const now = Date.now()
  const connectedAt = connectingTime(now)
  const count = countComponents(type, value, registry)
  const takeComponentId = takerOf(await takeIds(db, componentSequence, count))
  const written = await decideInverse(input, open.request.find, connectedAt)
  const pending = input.publish ? (open.before?._pending ?? []) : []
  const inverse = [...written, ...(await decidePending(input, pending, written))]
  return resolveChange(open, value, inverse, { hashes, takeComponentId, now, connectedAt })
}

async function decideInverse(
  { db, type, registry, documentId, locale, targetLocale, body }: SaveInput,
  find: FindTarget,
  connectedAt: number,
): Promise<readonly InverseChange[]> {
  const writes = inverseWrites(body, { type, registry, documentId, locale, targetLocale })
  return Promise.all(
    writes.map(async (write) => {
      const { owner, counterpart } = write
      const [drafts = [], published] = await Promise.all(
        collectionsOf(owner).map((collection) =>
          findOwners(db, collection, counterpart, write.locale, documentId),
        ),
      )
      return changeInverse(write, drafts, published, find, connectedAt)
    }),
  )
}

/** What earlier draft writes of inverse relations mean for the published owners now. */
async function decidePending(
  { db, registry, documentId }: SaveInput,
  pending: readonly PendingEdge[],
  written: readonly InverseChange[],
): Promise<readonly InverseChange[]> {
  const groups = groupPending(pending, registry.contentTypes)
  const owners = await findPendingOwners(db, groups, documentId)
  return groups.map((group, at) => {
    const { drafts = [], published = [] } = owners[at] ?? {}
    const now = written.find(
      ({ attribute, locale }) => attribute === group.attribute && locale === group.locale,
    )
    const orders = new Map(drafts.map(({ documentId, order }) => [documentId, order]))
    return publishPending(group, now?.drafts.orders ?? orders, published)
  })
}

/** Gives the ids one by one. */
function takerOf(ids: readonly number[]): () => number {
  const left = ids.values()
  return () => {
    const { value, done } = left.next()
    if (done === true || value === undefined) throw new Error('More ids are needed than were taken')
    return value
  }
}
