import { BSON } from 'mongodb'
import { createLockSet, type LockSet } from '../database/run-in-order.js'
import { takeIds, takerOf } from '../database/take-ids.js'
import type { UnitOfWork } from '../database/unit-of-work.js'
import { fail } from '../errors.js'
import { documentTooLarge, maxDocumentBytes } from '../errors/database-errors.js'
import { collectionOf } from '../schema/content-type.js'
import { beginStage, inStage } from '../timeline.js'
import { withReferences } from '../values/references.js'
import type { Fields } from '../values/stored-types.js'
import { listOf } from '../values/unique-list.js'
import { throwFailures } from './body/failure.js'
import { passwordsIn } from './body/passwords.js'
import { checkAllowedTypes, checkTargets, edgesIn } from './body/targets.js'
import { versionIn, type Versions } from './change/change.js'
import { openSave, type OpenSave, type SaveRequest } from './change/resolve-change.js'
import { decideChange } from './decide-change.js'
import { writtenMain } from './execute/execute-main.js'
import { insertedPublication } from './execute/execute-publication.js'
import { generateUids, planUids, withUids } from './generate-uids.js'
import { findAllByValue, type FindByValue, valueFinder } from './load/find-by-value.js'
import { findTargets } from './load/find-targets.js'
import { readVersions } from './load/lookups.js'
import { planSave } from './plan/plan-save.js'
import type { SavePlan } from './plan/write-plan.js'
import { checkRepeated, checkUnwritable } from './rules/check-sent-back.js'
import { concealStored, isSentScalar, isSentWhole } from './rules/conceal-stored.js'
import { hashPassword } from './rules/hash-password.js'
import { createPatternAnswers, type PatternAnswers, withPatterns } from './rules/patterns.js'
import {
  inAttributeOrder,
  throwAll,
  uniqueTexts,
  checkInComponents,
  nothingUnique,
} from './rules/unique.js'
import { validateDisconnected, validatePublished, validateSave } from './rules/validate-save.js'
import type { SaveInput } from './write-context.js'

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
  const { db, type, locale, timeline } = sent
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
    withPatterns(patterns, input.checkPatterns, check)
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
    const whole = await answered(() => validatePublished(change, input, hashes, patterns))
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
  const findByValue = valueFinder(unit, collectionOf(type, 'published'))
  // Unique values are usually looked up after the rules have run. If the body contains references, looking up the
  // values here takes no extra round trip, because the references are looked up anyway. This is only worthwhile for new
  // documents, because an update keeps most values.
  const isChecked = input.publish || !type.draftAndPublish
  const isAhead = isNew && isChecked && edges.length > 0 && !unit.isTransaction
  const [find, versions, ahead] = await Promise.all([
    findTargets(unit, edges, input),
    isNew ? none : readVersions(unit, type, documentId),
    isAhead ? findAllByValue(findByValue, uniqueTexts(type, body)) : findByValue,
  ])
  const targetFailures = [
    ...checkTargets(body, edges, input, find),
    ...(input.enforceAllowedTypes === false ? [] : checkAllowedTypes(edges, find)),
  ]
  return { request: { ...input, find, targetFailures }, versions, findByValue: ahead }
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

/**
 * Rejects a save that would write a version over the size limit. Otherwise the database would reject that version after
 * other versions have been written, and the driver would fail all other writes in the same command.
 */
function checkSizes(
  { main, publication, places, shared, locale }: SavePlan,
  { current, published }: Versions,
): void {
  checkBytes(withReferences(writtenMain(main), places))
  if (publication !== null) {
    const { previous, fields, uniques } = publication
    const inserted = insertedPublication(publication, places)
    const updated = { ...previous, ...fields, ...listOf(uniques) }
    checkBytes(previous === null ? inserted : withReferences(updated, places))
  }
  for (const { collection, values } of shared) {
    const versions = collection === main.collection ? current : published
    for (const version of versions)
      if (version.locale !== locale) checkBytes(withReferences({ ...version, ...values }, places))
  }
}

function checkBytes(version: Fields): void {
  const bytes = BSON.calculateObjectSize(version, { ignoreUndefined: true })
  if (bytes > maxDocumentBytes) throw documentTooLarge()
}
