import { hasSharedTransactions } from '../database/durability.js'
import { runInOrder } from '../database/run-in-order.js'
import { inUnit, oneByOne, type UnitOfWork } from '../database/unit-of-work.js'
import { fail } from '../errors.js'
import { collectionOf, collectionsOf } from '../schema/content-type.js'
import { beginStage, inStage } from '../timeline.js'
import { versionIn } from './change/change.js'
import { checkPrecondition } from './change/precondition.js'
import { claimLocales } from './execute/claim.js'
import { executeDelete, executeRemovals } from './execute/execute-delete.js'
import { deleteInGroup } from './execute/execute-in-group.js'
import { recordInFlight } from './execute/record-in-flight.js'
import { exists, readVersions } from './load/lookups.js'
import { type DeletePlan, planRemovals, type ReferenceRemoval } from './plan/plan-removal.js'
import type { AffectedData } from './plan/write-plan.js'
import type { DocumentInput } from './write-context.js'

/** In `locale`, `*` means all locales. */
type RemoveInput = DocumentInput & Readonly<{ ifRevision?: number | undefined }>

const maxAttempts = 5

/**
 * Deletes the versions of a document in one locale or in all. If none is left, also removes the references to the
 * document. With a `journal`, the background repair does this later (`removeReferencesTo`).
 * @returns whether the document has no version left
 * @throws ApiError 412 if `ifRevision` does not match, 409 after five attempts
 */
export async function removeDocument(input: RemoveInput): Promise<boolean> {
  const { db, type, documentId } = input
  const begin = beginStage(input.timeline, 'queue')
  const remove = async (): Promise<boolean> => {
    begin()
    const grouped = await removeTogether(input)
    if (grouped !== undefined) return grouped === 'gone'
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const removed = await inUnit(
        input,
        (unit) => inStage(input.timeline, 'steps', () => attemptRemove(unit, input)),
        (result) => result !== 'stale',
      )
      if (removed !== 'stale') return removed === 'gone'
    }
    throw fail('conflict')
  }
  return runInOrder(db, `${type.uid} ${documentId}`, remove, input.time)
}

/**
 * Deletes a document in one transaction with deletes of other requests, unless `ifRevision` or the database prevents
 * it.
 * @returns undefined if the delete was not executed
 */
async function removeTogether(input: RemoveInput): Promise<'gone' | 'left' | undefined> {
  const { db, type, registry, documentId, locale, journal, time } = input
  const { transactions = false, timeline, ifRevision } = input
  // Without a `journal`, this delete must also remove the references, which is too much for a shared transaction.
  if (!transactions || journal === undefined || ifRevision !== undefined) return undefined
  if (!(await hasSharedTransactions(db))) return undefined
  const removals = planRemovals(registry, type, [documentId])
  const step = beginStage(timeline, 'steps')
  const plan = { documentId, locale, collections: collectionsOf(type) }
  const result = await deleteInGroup(oneByOne(db, timeline === undefined ? [] : [timeline]), {
    plan,
    journal,
    time,
    localized: type.localized,
    affected: affectedByRemoval(input, removals),
  })
  step()
  return result
}

/** Returns the progress record of a delete, unless it cannot leave anything incomplete. */
function affectedByRemoval(
  { type, documentId }: DocumentInput,
  removals: readonly ReferenceRemoval[],
): AffectedData | undefined {
  if (collectionsOf(type).length === 1 && removals.length === 0) return undefined
  return { uid: type.uid, documentId, lists: [], deleted: true }
}

async function attemptRemove(unit: UnitOfWork, input: RemoveInput): Promise<Removed> {
  return removeVersions(unit, input, { ifRevision: await guardedRevision(unit, input) })
}

/** `left` means that the document exists in other locales, `stale` that a guard failed. */
type Removed = 'gone' | 'left' | 'stale'

/**
 * Removes the versions of a document. If none is left, also removes the references to it. With a `journal`, the
 * background repair removes these later.
 * @param guards what the draft or only version must have
 */
export async function removeVersions(
  unit: UnitOfWork,
  input: DocumentInput,
  guards: Pick<DeletePlan, 'ifRevision' | 'ifUpdatedAt'>,
): Promise<Removed> {
  const { type, registry, documentId, locale, journal } = input
  const authority = collectionOf(type, 'draft')
  if (type.localized) await claimLocales(unit, authority, [documentId])
  const removals = planRemovals(registry, type, [documentId])
  await recordInFlight(unit, journal, affectedByRemoval(input, removals))
  const plan = { documentId, locale, collections: collectionsOf(type), ...guards }
  if ((await executeDelete(unit, plan)) === 'stale') return 'stale'
  if (await exists(unit, authority, documentId)) return 'left'
  // With a `journal`, the background repair removes the references. Until then, reads ignore them.
  if (journal === undefined) await executeRemovals(unit, removals)
  return 'gone'
}

/** Checks `ifRevision` and, if it is set, returns the current revision of the draft or only version. */
async function guardedRevision(
  unit: UnitOfWork,
  { type, documentId, locale, ifRevision, publishingMs }: RemoveInput,
): Promise<number | undefined> {
  if (ifRevision === undefined) return undefined
  const versions = await readVersions(unit, type, documentId)
  checkPrecondition({ type, locale, publish: true, publishingMs }, versions, ifRevision)
  return versionIn(versions.current, locale)?._revision
}
