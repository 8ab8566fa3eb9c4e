import type { UnitOfWork } from '../database/unit-of-work.js'
import { inUnit } from '../database/unit-of-work.js'
import type { Versions } from './change/change.js'
import { versionIn } from './change/change.js'
import { concealStored, isSentScalar, isSentWhole } from './rules/conceal-stored.js'
import { throwFailures } from './rules/failure.js'
import { passwordsIn } from './rules/passwords.js'
import type { PatternAnswers } from './rules/patterns.js'
import { createPatternAnswers } from './rules/patterns.js'
import type { OpenSave, SaveRequest } from './change/resolve-change.js'
import { openSave, validatePublished, validateSave } from './change/resolve-change.js'
import type { EntryScope } from './body/targets.js'
import { checkTargets, targetFinder, wantedTargets } from './body/targets.js'
import { inAttributeOrder, takenError, throwAll } from './rules/unique.js'
import { checkRepeated } from './rules/check-repeated.js'
import { checkUnwritable } from './rules/check-unwritable.js'
import { validateDisconnected } from './rules/validate-disconnected.js'
import { fail } from '../errors.js'
import { takeIds, takerOf } from '../database/take-ids.js'
import { findTargets } from './steps/lookups.js'
import { inTurn } from '../database/in-turn.js'
import { beginStage, inStage } from '../timeline.js'
import { decideChange } from './decide-change.js'
import { readVersions } from './read-versions.js'
import type { Saved, SaveInput } from './save-input.js'
import { executeSave } from './steps/execute-save.js'
import type { SaveResult } from './steps/save-result.js'
import { hashPassword } from './rules/hash-password.js'
import type { PatternChecker } from '../patterns/pattern-check.js'
import { undoCreate } from './undo-create.js'
import { isWhole } from './steps/execute-together.js'
import { touchedBy } from './steps/touched-by.js'
import { recordUnderway } from './steps/record-underway.js'
import { planSave } from './steps/plan-save.js'
import { collectionsOf } from '../schema/content-type.js'

const maxAttempts = 5
const none: Versions = { current: [], published: [] }

/**
 * Writes a document: checks, resolves, plans and executes, again where another process was faster.
 * @throws ApiError 400 for what is wrong with the body, 404, 409 after five attempts, 412
 */
export async function saveDocument(input: SaveInput): Promise<Saved> {
  await checkLocale(input)
  const hashes = new Map<string, string>()
  const patterns = createPatternAnswers()
  const begin = beginStage(input.timeline, 'queue')
  const save = async (): Promise<Saved> => {
    begin()
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      // What is new has nothing to be read; if somebody has its documentId after all, the index says so.
      const isNew = input.expects === 'new' && attempt === 1
      const result = await inUnit(
        input,
        async (unit): Promise<Attempted> => {
          const lookUp = beginStage(input.timeline, 'look-up')
          const request = await openRequest(unit, input)
          const versions = isNew ? none : await readVersions(unit, input.type, input.documentId)
          lookUp()
          const result = await attemptSave(unit, input, request, versions, hashes, patterns)
          // What refused a transaction is found by the look-ups of the next one, which say all that is wrong.
          const isFound = result.kind === 'taken' && unit.isTransaction && attempt === 1
          return isFound ? { kind: 'stale' } : result
        },
        ({ kind }) => kind === 'saved',
      )
      if (result.kind === 'saved') return acknowledge(input, result)
      if (result.kind === 'gone') throw fail('not-found')
      if (result.kind === 'taken') throw takenError(input.type, result.field, input.body)
    }
    throw fail('conflict')
  }
  return inTurn(input.db, `${input.type.uid} ${input.documentId}`, save, input.time)
}

async function openRequest(unit: UnitOfWork, input: SaveInput): Promise<SaveRequest> {
  const { type, registry, documentId, locale, targetLocale, body } = input
  const scope: EntryScope = { type, registry, documentId, locale, targetLocale }
  const wanted = wantedTargets(body, scope)
  const found = await Promise.all(
    wanted.map(({ type: target, ...query }) =>
      findTargets(unit, { ...query, collections: collectionsOf(target) }),
    ),
  )
  const find = targetFinder(scope, wanted, found)
  const targetFailures = checkTargets(body, scope, find)
  return { ...input, find, targetFailures }
}

async function attemptSave(
  unit: UnitOfWork,
  input: SaveInput,
  request: SaveRequest,
  versions: Versions,
  hashes: Map<string, string>,
  patterns: PatternAnswers,
): Promise<Attempted> {
  const { db, type, registry, locale, timeline } = input
  const check = beginStage(timeline, 'rules')
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
  } else await throwAll(unit, input, validated, open.before, hashes, sent)

  await hashPasswords(input, hashes)
  check()
  const change = await inStage(timeline, 'change', () =>
    decideChange(unit, input, open, validated.value, hashes),
  )
  const checkChange = beginStage(timeline, 'rules')
  const published = versionIn(versions.published, locale)
  const isSent = isSentScalar(type, input.body)
  const emptied = await answered(() => validateDisconnected(change, input, hashes, patterns))
  throwFailures(concealStored(emptied, input, isSent))
  if (change.publish) {
    const whole = await answered(() => validatePublished(change, registry, hashes, patterns, input))
    await throwAll(unit, input, whole, published, hashes, isSent)
  }
  checkChange()

  const step = beginStage(timeline, 'steps')
  const isNew = [open.before === undefined, change.publish && published === undefined]
  const ids = await takeIds(db, type.uid, isNew.filter(Boolean).length)
  const plan = planSave(change, published, takerOf(ids))
  const touched = touchedBy(plan, type.uid, versions, isWhole(unit, plan))
  await recordUnderway(unit, input.underway, touched)
  const result = await executeSave(unit, plan)
  step()
  const createdAt = open.before === undefined ? plan.now : undefined
  return result.kind === 'saved' ? { ...result, createdAt } : result
}

/** `createdAt`: when the draft or only version was made, where this write did it, in milliseconds since 1970. */
type Attempted =
  | (Saved & Readonly<{ kind: 'saved'; createdAt: number | undefined }>)
  | Exclude<SaveResult, { kind: 'saved' }>

/** Whoever deletes the locale looks for content once nobody can acknowledge any that they did not see. */
async function acknowledge(
  input: SaveInput,
  { createdAt, id, revision, stored }: Extract<Attempted, { kind: 'saved' }>,
): Promise<Saved> {
  await checkLocale(input, async () => createdAt !== undefined && (await undo(input, createdAt)))
  return { id, revision, stored }
}

const undo = (input: SaveInput, createdAt: number): Promise<boolean> =>
  inUnit(input, (unit) => undoCreate(unit, input, createdAt), Boolean)

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
