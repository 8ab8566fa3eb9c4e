import { isDeepStrictEqual } from 'node:util'
import type { Change, InverseChange, TakeOver, Version } from '../change/change.js'
import type { ContentType } from '../../schema/content-type.js'
import type { MainWrite, SavePlan } from './write-plan.js'
import { planSave, wholeContent } from './plan-save.js'
import type { ReferencePlaces } from '../../values/references.js'
import { markOf, withoutMark } from '../../values/modified.js'
import type { Fields, Reference } from '../../values/stored-types.js'

/** What a discard is made of, beside its two versions. */
export type Discard = Readonly<{
  /** Stored names of what all locales share. */
  common: readonly string[]
  /** Gives the stamp of a shared value that is written now. */
  stamp: (seen: number) => number
  /** What the published version has that the draft lost. */
  takeOvers: readonly TakeOver[]
  /** What takes back the edits of inverse relations that the draft's owners got. */
  inverse: readonly InverseChange[]
  /** Where versions of the type may refer to others. */
  places: ReferencePlaces
  actor: string | null
  /** Milliseconds, and the same with a fraction. */
  now: number
  connectedAt: number
}>

/**
 * The steps that make a draft what its published version is; what all locales share follows in their drafts
 * (docs/decisions.md, "What locales share").
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

/** Exclusive relations whose lost targets are connected anew, later than by whoever has them now. */
function takenNow(takeOvers: readonly TakeOver[], connectedAt: number): Fields {
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

/** With the time of its published version (docs/storage.md, "Modified drafts"). */
function unmodified(main: MainWrite, draft: Version, { updatedAt }: Version): MainWrite {
  if (main.kind === 'insert') return main
  return { ...main, set: { ...withoutMark(main.set), updatedAt, ...markOf(draft, false) } }
}
