import { isDeepStrictEqual } from 'node:util'
import type { Change, InverseChange, TakenTargets, Version } from '../change/change.js'
import type { ContentType } from '../../schema/content-type.js'
import type { MainWrite, SavePlan } from './write-plan.js'
import { planSave, wholeContent } from './plan-save.js'
import type { ReferencePlaces } from '../../values/references.js'
import { markOf, withoutMark } from '../../values/modified.js'
import type { Fields, Reference } from '../../values/stored-types.js'

/** Options in addition to the type and the two versions. */
export type Discard = Readonly<{
  common: readonly string[]
  /** Returns the stamp of a shared value that replaces one with the stamp `seen`. */
  stamp: (seen: number) => number
  /** Targets of exclusive relations that only the published version has. */
  takeOvers: readonly TakenTargets[]
  /** Reverts this draft's edits of inverse relations in the drafts of the owners. */
  inverse: readonly InverseChange[]
  places: ReferencePlaces
  actor: string | null
  /** In milliseconds since 1970. `connectedAt` is the same time with a fraction. */
  now: number
  connectedAt: number
}>

/**
 * Plans how to reset a draft to its published version. Drafts in other locales also get the shared values of the
 * published version (docs/internals/decisions.md, "What locales share").
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
    createsDocument: false,
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
 * Connects again the targets of exclusive relations that the draft has lost, with a later `order` than the current
 * owners have.
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
 * Gives the draft the `updatedAt` of its published version, so that it counts as unmodified (docs/internals/storage.md,
 * "Modified drafts").
 */
function unmodified(main: MainWrite, draft: Version, { updatedAt }: Version): MainWrite {
  if (main.kind === 'insert') return main
  return { ...main, set: { ...withoutMark(main.set), updatedAt, ...markOf(draft, false) } }
}
