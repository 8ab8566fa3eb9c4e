import { isDeepStrictEqual } from 'node:util'
import type { Change, InverseChange, TakenTargets, Version } from '../change/change.js'
import type { ContentType } from '../../schema/content-type.js'
import type { MainWrite, SavePlan } from './write-plan.js'
import { planSave, wholeContent } from './plan-save.js'
import type { ReferencePlaces } from '../../values/references.js'
import { markOf, withoutMark } from '../../values/modified.js'
import type { Fields, Reference } from '../../values/stored-types.js'

/** Options of `planDiscard`, in addition to the type and the two versions. */
export type Discard = Readonly<{
  /** Stored names of the attributes that all locales share. */
  common: readonly string[]
  /** Returns the stamp of a shared value that replaces a value with the stamp `seen`. */
  stamp: (seen: number) => number
  /** Targets of exclusive relations that the published version has, but the draft no longer has. */
  takeOvers: readonly TakenTargets[]
  /** Changes that revert this draft's edits of inverse relations in the drafts of the owners. */
  inverse: readonly InverseChange[]
  /** Says where versions of the type may contain references. */
  places: ReferencePlaces
  actor: string | null
  /** Current time in milliseconds since 1970. `connectedAt` is the same time with a fraction. */
  now: number
  connectedAt: number
}>

/**
 * Plans the steps that reset a draft to its published version. Drafts in other locales get the shared values of that
 * version, too (docs/internals/decisions.md, "What locales share").
 */
export function planDiscard(
  type: ContentType,
  draft: Version,
  published: Version,
  { common, stamp, takeOvers, inverse, places, actor, now, connectedAt }: Discard,
): SavePlan {
  const values: Fields = {
    ...wholeContent(type, published, draft),
    ...takenNow(takeOvers, connectedAt),
  }
  const shared = common.filter((field) => !isDeepStrictEqual(values[field], draft[field] ?? null))
  const stamps: Record<string, number> = { ...draft._stamps }
  for (const field of shared) stamps[field] = stamp(stamps[field] ?? 0)
  const pending = draft._pending ?? []
  const change: Change = {
    type,
    documentId: draft.documentId,
    locale: draft.locale,
    before: draft,
    alone: false,
    publish: false,
    conditional: false,
    values,
    content: values,
    stamps,
    common,
    shared,
    inverse,
    takeOvers: takeOvers.map((takeOver) => ({
      ...takeOver,
      targets: takeOver.targets.map(({ documentId }) => ({ documentId, order: connectedAt })),
    })),
    pending,
    settles: pending.length > 0,
    places,
    actor,
    now,
    connectedAt,
  }
  const plan = planSave(change, undefined, () => draft._id)
  return { ...plan, main: unmodified(plan.main, draft, published) }
}

/**
 * Returns the exclusive relations in which the draft has lost targets, with these targets connected again. The targets
 * get a new `order`, later than the `order` they have with their current owners.
 */
function takenNow(takeOvers: readonly TakenTargets[], connectedAt: number): Fields {
  return Object.fromEntries(
    takeOvers
      .filter(({ targets }) => targets.length > 0)
      .map(({ attribute, targets, all }) => {
        const taken = new Set(targets.map(({ documentId }) => documentId))
        const list = all.map(({ documentId, order }): Reference => ({
          documentId,
          order: taken.has(documentId) ? connectedAt : order,
        }))
        return [attribute.storedAs, attribute.many ? list : list[0]]
      }),
  )
}

/**
 * Gives the draft the `updatedAt` of its published version, so that it counts as unmodified (docs/internals/storage.md, "Modified
 * drafts").
 */
function unmodified(main: MainWrite, draft: Version, { updatedAt }: Version): MainWrite {
  if (main.kind === 'insert') return main
  return { ...main, set: { ...withoutMark(main.set), updatedAt, ...markOf(draft, false) } }
}
