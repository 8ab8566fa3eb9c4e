import { beginRun } from '../database/durability.js'
import { runInOrder } from '../database/run-in-order.js'
import { inUnit, type UnitOfWork } from '../database/unit-of-work.js'
import { fail } from '../errors.js'
import { collectionOf } from '../schema/content-type.js'
import { referencePlaces } from '../schema/reference-places.js'
import { storedTypesOf, wholeType } from '../schema/whole-types.js'
import { beginStage, inStage } from '../timeline.js'
import { isMarked, modifiedField } from '../values/modified.js'
import type { InverseChange, PendingEdge, Version, Versions } from './change/change.js'
import { versionIn } from './change/change.js'
import { connectingTime } from './change/inverse-orders.js'
import { discardPending, groupPending } from './change/pending-edges.js'
import { takeOversOf } from './change/resolve-change.js'
import { nextStamp, sharedFields } from './change/shared-attributes.js'
import { executeSave, isWhole } from './execute/execute-save.js'
import { affectedBy, recordInFlight } from './execute/record-in-flight.js'
import { findOwners, readVersions } from './load/lookups.js'
import { planDiscard } from './plan/plan-discard.js'
import { type DocumentInput, refuseLocked, type Saved } from './write-context.js'

type Attempt = (
  unit: UnitOfWork,
  draft: Version,
  published: Version | undefined,
  versions: Versions,
) => Promise<Saved | 'stale'>

const maxAttempts = 5

/** Removes the published version in one locale (docs/internals/decisions.md, "Publication by its own endpoints"). */
export async function unpublishDocument(input: DocumentInput): Promise<Saved> {
  const { type, documentId } = input
  return repeat(input, async (unit, draft) => {
    await recordInFlight(unit, input.journal, { uid: type.uid, documentId, lists: [] })
    const revision = Math.max(draft._revision + 1, Date.now())
    const isDone = await unpublish(unit, input, draft, revision)
    if (!isDone) return 'stale'
    if (isMarked(draft) && !unit.isTransaction) {
      const { _id: id, updatedAt } = draft
      input.agreed?.({ collection: collectionOf(type, 'draft'), id, revision, updatedAt })
    }
    return { id: draft._id, revision }
  })
}

/**
 * Removes the published version and keeps the draft. The revision of the unpublish, stored in the draft, tells a
 * concurrent publish that read the draft earlier to remove its published version again.
 * @returns false if another write has changed the draft since it was read
 */
async function unpublish(
  unit: UnitOfWork,
  { db, type, documentId, locale }: DocumentInput,
  draft: Version,
  revision: number,
): Promise<boolean> {
  // An unpublished draft needs no mark.
  const mark = unit.isTransaction && isMarked(draft) ? { [modifiedField]: null } : {}
  const run = await beginRun(db)
  const { matchedCount } = await unit.write(false, (options) =>
    db
      .collection(collectionOf(type, 'draft'))
      .updateOne(
        { documentId, locale, _revision: draft._revision },
        { $set: { _revision: revision, _unpublishedFrom: revision, ...mark } },
        options,
      ),
  )
  if (matchedCount === 0) return false
  await unit.write(true, (options) =>
    db
      .collection(collectionOf(type, 'published'))
      .deleteOne({ documentId, locale, _publishedFrom: { $not: { $gt: revision } } }, options),
  )
  run.check()
  return true
}

/**
 * Resets the draft to the published version (docs/internals/decisions.md, "Publication by its own endpoints"). Throws
 * 404 if there is no published version.
 */
export async function discardDraft(input: DocumentInput): Promise<Saved> {
  const { registry, actor, locales } = input
  const type = wholeType(registry, input.type)
  return repeat(input, async (unit, draft, published, versions) => {
    if (published === undefined) throw fail('not-found')
    const now = Date.now()
    const plan = planDiscard(type, draft, published, {
      common: sharedFields(type),
      stamp: (seen) => nextStamp(seen, now, draft.locale, locales),
      takeOvers: takeOversOf(type, draft, published),
      inverse: await undoPendingEdges(unit, input, draft._pending ?? []),
      places: referencePlaces(type, storedTypesOf(registry)),
      actor,
      now,
      connectedAt: connectingTime(now),
    })
    await recordInFlight(
      unit,
      input.journal,
      affectedBy(plan, type.uid, versions, isWhole(unit, plan)),
    )
    const result = await executeSave(unit, plan)
    return result.kind === 'saved' ? result : 'stale'
  })
}

/** Returns the edits that undo what this draft has changed in the owners' drafts through inverse relations. */
async function undoPendingEdges(
  unit: UnitOfWork,
  { registry, locked, documentId }: DocumentInput,
  pending: readonly PendingEdge[],
): Promise<readonly InverseChange[]> {
  const groups = groupPending(pending, storedTypesOf(registry).contentTypes)
  for (const { owner } of groups) refuseLocked(locked, owner.uid)
  return Promise.all(
    groups.map(async (group) => {
      const { drafts, published = [] } = await findOwners(unit, group, documentId)
      return discardPending(group, drafts, published)
    }),
  )
}

/** Repeats `attempt` after concurrent changes. Throws 404 if there is no draft, and 409 after five attempts. */
async function repeat(input: DocumentInput, attempt: Attempt): Promise<Saved> {
  const { db, type, documentId, locale } = input
  if (!type.draftAndPublish) throw fail('not-found')
  const begin = beginStage(input.timeline, 'queue')
  const act = async (): Promise<Saved> => {
    begin()
    for (let count = 1; count <= maxAttempts; count += 1) {
      const result = await inUnit(
        input,
        async (unit) => {
          const versions = await inStage(input.timeline, 'look-up', () =>
            readVersions(unit, type, documentId),
          )
          const draft = versionIn(versions.current, locale)
          if (draft === undefined) throw fail('not-found')
          const published = versionIn(versions.published, locale)
          return inStage(input.timeline, 'steps', () => attempt(unit, draft, published, versions))
        },
        (saved) => saved !== 'stale',
      )
      if (result !== 'stale') return result
    }
    throw fail('conflict')
  }
  return runInOrder(db, `${type.uid} ${documentId}`, act, input.time)
}
