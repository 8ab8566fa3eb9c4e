import type { Document } from 'mongodb'
import type { Publication, SavePlan } from '../plan/write-plan.js'
import { asStored } from './write-version.js'
import { withReferences } from '../../values/references.js'
import { beginRun } from '../../database/durability.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { findUnpublished } from '../load/lookups.js'
import {
  executeMain,
  forgetPending,
  publicationWithHeld,
  writtenMain,
  type SaveResult,
  refusalOf,
  type Held,
  atOnce,
} from './execute-main.js'
import { type Refused, holdingBack, takeOver, takeFirst } from './execute-exclusive.js'
import { executeLocales } from './execute-shared.js'
import { executeOwner } from './execute-owners.js'
import { type PublicationResult, executePublication } from './execute-publication.js'
import { isMarked, modifiedField } from '../../values/modified.js'
import type { Fields } from '../../values/stored-types.js'
import type { AgreedDraft } from './take-off-marks.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import { claim, claimsOf } from './claim.js'
import { maxTogether } from './execute-delete.js'

type Stored = Document & { _id: number }

/**
 * Executes the steps of a create, update or publish request in the order of docs/internals/storage.md, "The rules of
 * writing". Targets of exclusive relations are taken last, when nothing can reject the save any more.
 */
export async function executeSave(unit: UnitOfWork, plan: SavePlan): Promise<SaveResult> {
  return unit.isTransaction ? executeTogether(unit, plan) : executeOneByOne(unit, plan)
}

async function executeOneByOne(unit: UnitOfWork, plan: SavePlan): Promise<SaveResult> {
  const { main, publication, owners, now } = plan
  const isLast = lastOf(plan)

  const isOnly = isLast()
  const run = await beginRun(unit.db)
  const draft = await holdingBack(plan.releases, (names) =>
    executeMain(unit, plan, { names, hold: 'what they did' }, isOnly),
  )
  if (draft.refused !== undefined) return refusalOf(draft.refused)
  let result: PublicationResult = {
    id: main.id,
    revision: plan.revision,
    ...(publication === null && draft.references.length === 0
      ? { stored: asStored(writtenMain(main)) }
      : {}),
  }

  let publishing = publication === null ? null : await publish(unit, plan, publication, isLast)
  if (publication !== null && publishing?.result === 'late') {
    if (await putBack(unit, plan)) return { kind: 'stale' }
    // Another write has based its draft on this write's draft, so that draft cannot be restored. Publish
    // unconditionally.
    publishing = await publish(unit, plan, { ...publication, conditional: false }, isLast)
  }
  if (publishing !== null) {
    if (publishing.held.refused !== undefined) {
      await takeBack(unit, plan)
      return refusalOf(publishing.held.refused)
    }
    if (publishing.result === 'late') return { kind: 'stale' }
    result = publishing.result
    const isNobodyElse = main.kind === 'insert' && plan.undisturbed === true && run.isSame()
    const canBeLeftOver = result.isAsRead !== true && !isNobodyElse
    if (canBeLeftOver && (await removeIfWithdrawn(unit, plan))) {
      run.check()
      return { kind: 'gone' }
    }
  }
  const refused = await executeLocales(unit, plan, isLast)
  if (refused !== undefined) {
    if (publication !== null) await putBackPublished(unit, publication, plan)
    await takeBack(unit, plan)
    return refusalOf(refused)
  }

  const fields = main.kind === 'insert' ? main.document : main.set
  let revision = await takeOver(unit, plan, plan.releases, draft.references, fields)
  const agreed = publication === null ? undefined : agreedDraft(plan, fields, revision)
  if (publication !== null && publishing !== null)
    revision = await takeOver(
      unit,
      plan,
      publication.releases,
      publishing.held.references,
      publication.fields,
    )
  for (const write of owners) await executeOwner(unit, write, now, isLast())
  run.check()
  if (plan.settles) await forgetPending(unit, main.collection, plan, plan.revision, false)
  // If later steps may have changed the version again, `result.stored` is outdated.
  const isFinal = revision === undefined && plan.merges.length === 0 && owners.length === 0
  return {
    kind: 'saved',
    id: result.id,
    revision: revision ?? result.revision,
    stored: isFinal ? result.stored : undefined,
    agreed,
  }
}

/**
 * Returns the draft if its `_modified` mark can be removed, because the finished publish has made it equal its
 * published version.
 * @param again the draft's revision if a later step changed the draft
 */
function agreedDraft(
  { main, revision }: SavePlan,
  written: Fields,
  again: number | undefined,
): AgreedDraft | undefined {
  if (!isMarked(written)) return undefined
  const updatedAt = written['updatedAt'] as Date
  return { collection: main.collection, id: main.id, revision: again ?? revision, updatedAt }
}

async function publish(
  unit: UnitOfWork,
  plan: SavePlan,
  publication: Publication,
  isLast: () => boolean,
): Promise<Readonly<{ held: Refused; result: PublicationResult | 'late' }>> {
  const given = isLast()
  let result: PublicationResult | 'late' = { id: publication.id, revision: plan.revision }
  const held = await holdingBack(publication.releases, async (names) => {
    const left = publicationWithHeld(publication, { names, hold: 'what they did' })
    result = await executePublication(unit, left, plan, given)
  })
  return { held, result }
}

/**
 * Returns a function to call at each step. That function returns whether the step is the last one, which waits for the
 * journal.
 */
function lastOf({ publication, shared, owners }: SavePlan): () => boolean {
  let left = 1 + (publication === null ? 0 : 1) + shared.length + owners.length
  return () => {
    left -= 1
    return left <= 0
  }
}

/** Restores the draft after a rejected publish. A draft that has changed since is only marked as modified. */
async function takeBack(unit: UnitOfWork, plan: SavePlan): Promise<void> {
  if (await putBack(unit, plan)) return
  const { main, documentId, locale, revision } = plan
  await unit.write(true, (options) =>
    unit.db.collection(main.collection).updateOne(
      { documentId, locale, _publishing: revision },
      // Mark the draft, because the other write may have made it newer than the published version.
      { $unset: { _publishing: '' }, $set: { [modifiedField]: true } },
      options,
    ),
  )
}

/**
 * Restores the draft as it was read, or deletes it if this write created it (docs/internals/storage.md, "Rule 7: the
 * index has the last word").
 * @returns false if another write has changed the draft meanwhile
 */
async function putBack(
  unit: UnitOfWork,
  { main, documentId, locale, revision, places }: SavePlan,
): Promise<boolean> {
  const collection = unit.db.collection<Stored>(main.collection)
  const ours = { documentId, locale, _revision: revision }
  if (main.kind === 'insert') {
    const gone = await unit.write(true, (options) => collection.deleteOne(ours, options))
    return gone.deletedCount > 0
  }
  // Keep the `_modified` mark: a publish that was in flight when the draft was read may have published something else.
  const mark = isMarked(main.set) ? { [modifiedField]: true } : {}
  const previous = withReferences({ ...withoutId(main, revision + 1), ...mark }, places)
  const back = await unit.write(true, (options) => collection.replaceOne(ours, previous, options))
  return back.matchedCount > 0
}

/** Restores the published version after a unique index rejected shared values in another locale. */
async function putBackPublished(
  unit: UnitOfWork,
  { collection, previous }: Publication,
  { documentId, locale, revision, places }: SavePlan,
): Promise<void> {
  const ours = { documentId, locale, _publishedFrom: revision }
  const versions = unit.db.collection<Stored>(collection)
  if (previous === null) await unit.write(true, (options) => versions.deleteOne(ours, options))
  else {
    const back = withReferences(withoutId({ previous }, revision + 1), places)
    await unit.write(true, (options) => versions.replaceOne(ours, back, options))
  }
}

function withoutId({ previous }: Readonly<{ previous: Fields }>, _revision: number) {
  return {
    ...Object.fromEntries(Object.entries(previous).filter(([key]) => key !== '_id')),
    _revision,
  }
}

/**
 * Removes the published version again if the draft was deleted or unpublished during the publish
 * (docs/internals/storage.md, "Rule 3: publishing goes forward only"). Returns whether the draft was deleted. The call
 * is not needed if the published version was unchanged since it was read, or if the document is new and only this
 * process writes.
 */
async function removeIfWithdrawn(
  unit: UnitOfWork,
  { main, publication, documentId, locale, revision }: SavePlan,
): Promise<boolean> {
  if (publication === null) return false
  // Look the draft up by record id, which is the fastest key, and differs if the draft was deleted and created again.
  const unpublished = await findUnpublished(unit, main.collection, main.id)
  if (unpublished !== undefined && unpublished <= revision) return false
  await unit.write(true, (options) =>
    unit.db
      .collection(publication.collection)
      .deleteOne({ documentId, locale, _publishedFrom: { $lte: revision } }, options),
  )
  return unpublished === undefined
}

/**
 * Executes the steps of a create, update or publish request in a transaction (docs/internals/storage.md,
 * "Transactions"). Unlike `executeOneByOne`, it takes targets from their previous owners first, leaves out only
 * relations whose target stays with another owner, and restores nothing after a rejection.
 */
async function executeTogether(unit: UnitOfWork, plan: SavePlan): Promise<SaveResult> {
  try {
    return await takeSteps(unit, atOnce(plan))
  } catch (error) {
    const refused = refusedIndex(error)
    if (refused === undefined) throw error
    return refusalOf(refused)
  }
}

/** In a transaction, no step is durable before the commit, so none is the last one. */
const isLastStep = false

/** Whether all steps of a save are in one transaction. With too many owners, these are written after it. */
export const isWhole = (unit: UnitOfWork, { owners }: SavePlan): boolean =>
  unit.isTransaction && owners.length <= maxTogether

async function takeSteps(unit: UnitOfWork, plan: SavePlan): Promise<SaveResult> {
  const { main, publication, owners, merges, now } = plan
  await claim(unit, claimsOf(plan))
  const held = heldOf(await takeFirst(unit, plan.releases, now))
  const refused = await executeMain(unit, plan, held, isLastStep)
  if (refused !== undefined) return refusalOf(refused)

  const isKnown = publication === null && held.names.length === 0
  const written = { id: main.id, revision: plan.revision }
  let result: SavedVersion = isKnown ? { ...written, stored: asStored(writtenMain(main)) } : written
  if (publication !== null) {
    const kept = heldOf(await takeFirst(unit, publication.releases, now))
    const left = publicationWithHeld(publication, kept)
    const published = await executePublication(unit, left, plan, isLastStep)
    if (published === 'late') return { kind: 'stale' }
    result = published
  }
  const taken = await executeLocales(unit, plan, () => isLastStep)
  if (taken !== undefined) return refusalOf(taken)

  let revision = await takeOver(unit, plan, plan.releases, [], {})
  if (publication !== null) revision = await takeOver(unit, plan, publication.releases, [], {})
  await finishOwners(unit, plan)
  // If later steps may have changed the version again, `result.stored` is outdated.
  const isFinal = revision === undefined && merges.length === 0 && owners.length === 0
  return {
    kind: 'saved',
    id: result.id,
    revision: revision ?? result.revision,
    stored: isFinal ? result.stored : undefined,
  }
}

type SavedVersion = Readonly<{ id: number; revision: number; stored?: Uint8Array }>

/** Writes the owners, after the transaction if there are too many, then deletes the pending edits. */
async function finishOwners(unit: UnitOfWork, plan: SavePlan): Promise<void> {
  const finish = async (by: UnitOfWork): Promise<void> => {
    for (const [at, owner] of plan.owners.entries())
      await executeOwner(by, owner, plan.now, at === plan.owners.length - 1)
    if (plan.settles) await forgetPending(by, plan.main.collection, plan, plan.revision, false)
  }
  await (isWhole(unit, plan) ? finish(unit) : unit.afterwards(finish))
}

const heldOf = (names: readonly string[]): Held => ({ names, hold: 'nothing' })
