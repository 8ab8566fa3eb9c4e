import { hasSharedTransactions } from '../database/durability.js'
import { runInOrder } from '../database/run-in-order.js'
import { inUnit, oneByOne, type UnitOfWork } from '../database/unit-of-work.js'
import { ApiError, fail } from '../errors.js'
import { beginStage } from '../timeline.js'
import { decideSave, type Learned, nothingLearned } from './decide-save.js'
import { executeInGroup, isSelfContained } from './execute/execute-in-group.js'
import type { SaveResult } from './execute/execute-main.js'
import { executeSave, isWhole } from './execute/execute-save.js'
import { affectedBy, recordInFlight } from './execute/record-in-flight.js'
import type { AgreedDraft } from './execute/take-off-marks.js'
import { removeVersions } from './remove-document.js'
import { takenError } from './rules/unique.js'
import type { Saved, SaveInput } from './write-context.js'

const maxAttempts = 5

/**
 * Creates, updates or publishes a document. Retries after concurrent changes.
 * @throws ApiError 400 for an invalid body, 404, 409 after five attempts, 412
 */
export async function saveDocument(input: SaveInput): Promise<Saved> {
  await checkLocale(input)
  if (input.dryRun === true) return checkOnly(input)
  const learned = nothingLearned(input)
  const begin = beginStage(input.timeline, 'queue')
  const save = async (): Promise<Saved> => {
    begin()
    const grouped = await saveTogether(input, learned)
    if (grouped !== undefined) return acknowledge(input, grouped)
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const result = await attemptSave(input, learned, attempt === 1)
      if (result.kind === 'saved') return acknowledge(input, result)
      if (result.kind === 'gone') throw fail('not-found')
      if (result.kind === 'taken') throw takenError(input.type, result.field, input.body)
    }
    throw fail('conflict')
  }
  const { db, type, documentId, time } = input
  return runInOrder(db, `${type.uid} ${documentId}`, save, time).finally(learned.uidLocks.release)
}

/** Does everything that `saveDocument` does before it writes. */
async function checkOnly(input: SaveInput): Promise<Saved> {
  const learned = nothingLearned(input)
  await decideSave(oneByOne(input.db), input, learned, isNew(input)).finally(
    learned.uidLocks.release,
  )
  return { id: 0, revision: 0 }
}

/**
 * Outcome of one attempt. `createdAt` (milliseconds since 1970) is set if the attempt created the draft or only
 * version.
 */
type Attempted = (Done & Readonly<{ kind: 'saved' }>) | Exclude<SaveResult, { kind: 'saved' }>
type Done = Saved & Readonly<{ createdAt: number | undefined; agreed?: AgreedDraft | undefined }>

/** Whether the documentId is new, so that no versions need be read. If it is not, a unique index rejects the write. */
const isNew = ({ expects }: SaveInput): boolean => expects === 'new'

/**
 * Executes a write that changes no other document in one transaction with writes of other requests, if the database has
 * transactions. Combines its queries with theirs, too (docs/internals/storage.md, "Several writes in one transaction").
 * @returns undefined if nothing was written, because the write also changes other documents or the transaction failed
 */
async function saveTogether(input: SaveInput, learned: Learned): Promise<Done | undefined> {
  const { db, transactions = false, time, timeline } = input
  if (!transactions || !mayBeSelfContained(input) || !(await hasSharedTransactions(db)))
    return undefined
  const unit = oneByOne(db, timeline === undefined ? [] : [timeline])
  const decided = await decideSave(unit, input, learned, isNew(input)).catch((error: unknown) => {
    // After a database error, the regular path runs the write again and handles the error.
    if (error instanceof ApiError) throw error
    return undefined
  })
  if (decided === undefined || !isSelfContained(decided.plan)) return undefined
  const { plan, isFirst } = decided
  const step = beginStage(timeline, 'steps')
  const result = await executeInGroup(unit, plan, time)
  step()
  return result && { ...result, createdAt: isFirst ? plan.now : undefined }
}

/** Makes one attempt, step by step or in one transaction. */
async function attemptSave(
  input: SaveInput,
  learned: Learned,
  isFirstAttempt: boolean,
): Promise<Attempted> {
  return inUnit(
    input,
    async (unit): Promise<Attempted> => {
      const decided = await decideSave(unit, input, learned, isFirstAttempt && isNew(input))
      const { plan, versions, isFirst } = decided
      const step = beginStage(input.timeline, 'steps')
      const affected = affectedBy(plan, input.type.uid, versions, isWhole(unit, plan))
      await recordInFlight(unit, input.journal, affected)
      const result = await executeSave(unit, plan)
      step()
      if (result.kind === 'saved') return { ...result, createdAt: isFirst ? plan.now : undefined }
      // The next attempt reports all values that are taken, or generates another uid.
      const isFound =
        result.kind === 'taken' &&
        ((unit.isTransaction && isFirstAttempt) || plan.generated?.includes(result.field) === true)
      return isFound ? { kind: 'stale' } : result
    },
    ({ kind }) => kind === 'saved',
  )
}

/**
 * Checks the locale again before the write is acknowledged, because a concurrent deletion of the locale may have missed
 * the stored version.
 */
async function acknowledge(
  input: SaveInput,
  { createdAt, id, revision, stored, agreed }: Done,
): Promise<Saved> {
  if (agreed !== undefined) input.agreed?.(agreed)
  await checkLocale(input, async () => createdAt !== undefined && (await undo(input, createdAt)))
  return { id, revision, stored }
}

/**
 * Removes the versions that a write has just created in a locale and, if they are the only ones, the references to the
 * document. Versions that another write has changed are kept. They are recognized by a different `updatedAt`, not by
 * the revision, because later steps of the same write and writes from the inverse side of a relation also raise the
 * revision.
 * @param createdAt when the draft or only version was created, in milliseconds since 1970
 * @returns whether nothing that the write created is left
 */
async function undo(input: SaveInput, createdAt: number): Promise<boolean> {
  const guards = { ifUpdatedAt: new Date(createdAt) }
  const remove = (unit: UnitOfWork) => removeVersions(unit, input, guards)
  return (await inUnit(input, remove, (removed) => removed !== 'stale')) !== 'stale'
}

/**
 * Checks that a locale exists and is not being deleted.
 * @param undo reverts the write; returns whether that succeeded
 * @throws 400, which says that the write was done if it could not be reverted
 */
async function checkLocale(
  { locale, holdsLocale }: SaveInput,
  undo: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  if (locale === null || holdsLocale === undefined || (await holdsLocale(locale))) return
  const message = `The locale "${locale}" has been deleted, or is being deleted`
  if (await undo()) throw fail('validation', message)
  throw fail('validation', `The write was done, but: ${message}`, { outcome: 'done' })
}

/**
 * Whether a save may change only its own document: the body edits no relation from its inverse side, the type owns no
 * exclusive relations, and there is no condition (`ifRevision`). The stored versions decide later (`isSelfContained`).
 */
function mayBeSelfContained({ type, body, ifRevision }: SaveInput): boolean {
  if (ifRevision !== undefined) return false
  for (const attribute of type.attributes.values()) {
    if (attribute.type !== 'relation') continue
    if (attribute.owner ? attribute.exclusive : Object.hasOwn(body, attribute.name)) return false
  }
  return true
}
