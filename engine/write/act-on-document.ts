import type { InverseChange, PendingEdge, Version, Versions } from './change/change.js'
import { versionIn } from './change/change.js'
import { discardPending, groupPending } from './change/pending-edges.js'
import { takeOversOf } from './change/resolve-change.js'
import { nextStamp, sharedFields } from './change/shared-attributes.js'
import { connectingTime } from './change/inverse-orders.js'
import { fail } from '../errors.js'
import { isMarked } from '../values/modified.js'
import { executeUnpublish } from './execute/execute-unpublish.js'
import { runInOrder } from '../database/run-in-order.js'
import { beginStage, inStage } from '../timeline.js'
import { executeSave } from './execute/execute-save.js'
import type { UnitOfWork } from '../database/unit-of-work.js'
import { inUnit } from '../database/unit-of-work.js'
import { findPendingOwners } from './load/find-pending-owners.js'
import { refuseLocked } from './locked-types.js'
import { isWhole } from './execute/execute-together.js'
import { planDiscard } from './plan/plan-discard.js'
import { affectedBy } from './plan/affected-by.js'
import { recordInFlight } from './execute/record-in-flight.js'
import type { Saved, SaveInput } from './save-input.js'
import { readVersions } from './load/read-versions.js'
import { collectionOf } from '../schema/content-type.js'
import { referencePlaces } from '../schema/reference-places.js'
import { storedTypesOf, wholeType } from '../schema/whole-types.js'

type ActionInput = Pick<
  SaveInput,
  | 'db'
  | 'registry'
  | 'locked'
  | 'type'
  | 'documentId'
  | 'locale'
  | 'locales'
  | 'actor'
  | 'time'
  | 'timeline'
  | 'journal'
  | 'agreed'
  | 'transactions'
>
type Attempt = (
  unit: UnitOfWork,
  draft: Version,
  published: Version | undefined,
  versions: Versions,
) => Promise<Saved | 'stale'>

const maxAttempts = 5

/** Removes the published version in one locale (docs/internals/decisions.md, "Publication by its own endpoints"). */
export async function unpublishDocument(input: ActionInput): Promise<Saved> {
  const { type, documentId, locale } = input
  return repeat(input, async (unit, draft) => {
    await recordInFlight(unit, input.journal, { uid: type.uid, documentId, lists: [] })
    const revision = Math.max(draft._revision + 1, Date.now())
    const isDone = await executeUnpublish(unit, {
      draftCollection: collectionOf(type, 'draft'),
      collection: collectionOf(type, 'published'),
      documentId,
      locale,
      ifRevision: draft._revision,
      revision,
      isMarked: isMarked(draft),
    })
    if (!isDone) return 'stale'
    if (isMarked(draft) && !unit.isTransaction) {
      const { _id: id, updatedAt } = draft
      input.agreed?.({ collection: collectionOf(type, 'draft'), id, revision, updatedAt })
    }
    return { id: draft._id, revision }
  })
}

/**
 * Resets the draft to the published version (docs/internals/decisions.md, "Publication by its own endpoints"). Throws
 * 404 if there is no published version.
 */
export async function discardDraft(input: ActionInput): Promise<Saved> {
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
  { registry, locked, documentId }: ActionInput,
  pending: readonly PendingEdge[],
): Promise<readonly InverseChange[]> {
  const groups = groupPending(pending, storedTypesOf(registry).contentTypes)
  for (const { owner } of groups) refuseLocked(locked, owner.uid)
  const owners = await findPendingOwners(unit, groups, documentId)
  return groups.map((group, at) => {
    const { drafts = [], published = [] } = owners[at] ?? {}
    return discardPending(group, drafts, published)
  })
}

/** Repeats `attempt` after concurrent changes. Throws 404 if there is no draft, and 409 after five attempts. */
async function repeat(input: ActionInput, attempt: Attempt): Promise<Saved> {
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
