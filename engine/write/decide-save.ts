import { takeIds, takerOf } from '../database/take-ids.js'
import type { LockSet } from '../database/run-in-order.js'
import { createLockSet } from '../database/run-in-order.js'
import type { UnitOfWork } from '../database/unit-of-work.js'
import { fail } from '../errors.js'
import type { PatternChecker } from '../patterns/pattern-check.js'
import { collectionOf, collectionsOf } from '../schema/content-type.js'
import { isFile } from '../schema/file-uses.js'
import { beginStage, inStage } from '../timeline.js'
import type { Edge, EntryScope } from './body/targets.js'
import { checkTargets, edgesIn, targetFinder, wantedTargets } from './body/targets.js'
import type { Versions } from './change/change.js'
import { versionIn } from './change/change.js'
import type { OpenSave, SaveRequest } from './change/resolve-change.js'
import { openSave } from './change/resolve-change.js'
import { decideChange } from './decide-change.js'
import { generateUids, planUids, withUids } from './generate-uids.js'
import { readVersions } from './load/read-versions.js'
import { checkAllowedTypes } from './rules/check-allowed-types.js'
import { checkRepeated } from './rules/check-repeated.js'
import { checkUnwritable } from './rules/check-unwritable.js'
import { concealStored, isSentScalar, isSentWhole } from './rules/conceal-stored.js'
import { throwFailures } from './body/failure.js'
import { hashPassword } from './rules/hash-password.js'
import { passwordsIn } from './body/passwords.js'
import type { PatternAnswers } from './rules/patterns.js'
import { createPatternAnswers } from './rules/patterns.js'
import { inAttributeOrder, throwAll, uniqueTexts } from './rules/unique.js'
import { checkInComponents, nothingUnique } from './rules/unique-in-components.js'
import { validateDisconnected } from './rules/validate-disconnected.js'
import { validatePublished, validateSave } from './rules/validate-save.js'
import type { SaveInput } from './save-input.js'
import type { FindByValue } from './load/find-by-value.js'
import { valueFinder, findAllByValue } from './load/find-by-value.js'
import { checkSizes } from './execute/check-sizes.js'
import { findTargets } from './load/find-targets.js'
import { planSave } from './plan/plan-save.js'
import type { SavePlan } from './plan/write-plan.js'

/** Results that depend only on the body, so that all attempts of the write reuse them. */
export type Learned = Readonly<{
  hashes: Map<string, string>
  patterns: PatternAnswers
  /** Locks on the uids generated for the body, released after the write. */
  uidLocks: LockSet
}>

export const nothingLearned = ({ db, time }: Pick<SaveInput, 'db' | 'time'>): Learned => ({
  hashes: new Map(),
  patterns: createPatternAnswers(),
  uidLocks: createLockSet(db, time),
})

/** The planned steps of a write, and the versions as read. `isFirst` = the write creates the draft or only version. */
export type DecidedSave = Readonly<{ plan: SavePlan; versions: Versions; isFirst: boolean }>

const none: Versions = { current: [], published: [] }
const nothing: ReadonlyMap<string, string> = new Map()

/**
 * Reads everything that a write depends on, validates its body, and plans its steps.
 * @param isNew if true, assumes that the document has no versions. If it has some, a unique index rejects the write
 * @throws ApiError 400, 404, 409, 412, 413
 */
export async function decideSave(
  unit: UnitOfWork,
  sent: SaveInput,
  learned: Learned,
  isNew: boolean,
): Promise<DecidedSave> {
  const { db, type, registry, locale, timeline } = sent
  const { hashes, patterns } = learned
  const lookUp = beginStage(timeline, 'look-up')
  const found = await loadForSave(unit, sent, isNew)
  const { versions } = found
  const opened = openSave(found.request, versions)
  checkExpected(sent, opened)
  const uids = await generateUids(unit, sent, opened, learned.uidLocks)
  const { input, open, findByValue } = withUids(sent, opened, found.findByValue, uids)
  lookUp()
  const check = beginStage(timeline, 'rules')
  checkRepeated(input, input.repeated, versions, input.ignored)
  checkUnwritable(input, versions)

  const answered = <T>(check: () => T): Promise<T> =>
    withPatterns(patterns, input.checkPatterns ?? allUnknown, check)
  const validated = await answered(() => validateSave(open, patterns))
  const isWhole = isSentWhole(input.body)
  const published = versionIn(versions.published, locale)
  if (!type.draftAndPublish)
    await throwAll(findByValue, input, validated, open.before, hashes, isWhole)
  else if (validated.failures.length > 0 && input.publish) {
    // The body is invalid anyway, so also report what would only prevent publishing.
    const all = await answered(() => validateSave(open, patterns, 'full'))
    await throwAll(findByValue, input, all, published, hashes, isWhole)
  } else throwFailures(inAttributeOrder(type, concealStored(validated.failures, input, isWhole)))

  await hashPasswords(input, hashes)
  check()
  const change = await inStage(timeline, 'change', () =>
    decideChange(unit, input, open, validated.value, hashes),
  )
  const checkChange = beginStage(timeline, 'rules')
  const isSent = isSentScalar(type, input.body)
  const emptied = await answered(() => validateDisconnected(change, input, hashes, patterns))
  throwFailures(concealStored(emptied, input, isSent))
  const isShown = change.publish || !type.draftAndPublish
  const shown = type.draftAndPublish ? versions.published : versions.current
  const inside = isShown ? await checkInComponents(unit, input, change, shown) : nothingUnique
  if (change.publish) {
    const whole = await answered(() => validatePublished(change, registry, hashes, patterns, input))
    const failures = [...whole.failures, ...inside.failures]
    await throwAll(findByValue, input, { ...whole, failures }, published, hashes, isSent)
  } else throwFailures(concealStored(inside.failures, input, isSent))
  checkChange()

  const isFirst = open.before === undefined
  const count = (isFirst ? 1 : 0) + (change.publish && published === undefined ? 1 : 0)
  const ids = await takeIds(db, type.uid, count)
  const saved = planSave({ ...change, uniques: inside.uniques }, published, takerOf(ids))
  const plan = { ...saved, ...planUids(change, uids) }
  checkSizes(plan, versions)
  return { plan, versions, isFirst }
}

type LoadedForSave = Readonly<{
  request: SaveRequest
  versions: Versions
  findByValue: FindByValue
}>

async function loadForSave(
  unit: UnitOfWork,
  input: SaveInput,
  isNew: boolean,
): Promise<LoadedForSave> {
  const { type, registry, body, documentId } = input
  const edges = edgesIn(type, body, registry)
  const request = openRequest(unit, input, edges)
  const findByValue = valueFinder(unit, collectionOf(type, 'published'))
  // Wait, because a session can only execute one command at a time.
  if (unit.isTransaction) await request
  if (!isNew) {
    const [opened, versions] = await Promise.all([request, readVersions(unit, type, documentId)])
    return { request: opened, versions, findByValue }
  }
  // Unique values are usually looked up after the rules have run. If the body contains references, looking up the
  // values here takes no extra round trip, because the references are looked up anyway. This is only worthwhile for new
  // documents, because an update keeps most values.
  const isChecked = input.publish || !type.draftAndPublish
  const isAhead = isChecked && edges.length > 0 && !unit.isTransaction
  const texts = isAhead ? uniqueTexts(type, body) : nothing
  const [opened, ahead] = await Promise.all([request, findAllByValue(findByValue, texts)])
  return { request: opened, versions: none, findByValue: ahead }
}

async function openRequest(
  unit: UnitOfWork,
  input: SaveInput,
  edges: readonly Edge[],
): Promise<SaveRequest> {
  const { type, registry, documentId, locale, targetLocale, body } = input
  const scope: EntryScope = { type, registry, documentId, locale, targetLocale }
  const wanted = wantedTargets(edges, scope)
  const found = await Promise.all(
    wanted.map(({ type: target, ...query }) =>
      findTargets(unit, {
        ...query,
        collections: collectionsOf(target),
        isMedia: isFile(target),
      }),
    ),
  )
  const find = targetFinder(scope, wanted, found)
  const targetFailures = [
    ...checkTargets(body, edges, scope, find),
    ...(input.enforceAllowedTypes === false ? [] : checkAllowedTypes(edges, find)),
  ]
  return { ...input, find, targetFailures }
}

/** Runs `validate`. If it needs the results of slow regular expressions, runs these, and then `validate` again. */
export async function withPatterns<T>(
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

const allUnknown: PatternChecker = (checks) => Promise.resolve(checks.map(() => 'unknown'))

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
