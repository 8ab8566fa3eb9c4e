import { isDeepStrictEqual } from 'node:util'
import type { Change, TakeOver } from '../change/change.js'
import type { Version } from '../change/versions.js'
import type { ContentType } from '../schema/content-type.js'
import type { MainWrite, SavePlan } from './write-plan.js'
import { planSave } from './write-save.js'

/** A draft that was updated when its published version was is not modified. */
function unmodified(main: MainWrite, { updatedAt }: Version): MainWrite {
  return main.kind === 'insert' ? main : { ...main, set: { ...main.set, updatedAt } }
}

/**
 * The steps that make a draft what its published version is; what all locales share follows in their drafts (D20).
 * @param common stored names of what they share
 * @param stamp gives the stamp of a shared value that is written now
 * @param takeOvers what the published version has that the draft lost
 */
export function planDiscard(
  type: ContentType,
  draft: Version,
  published: Version,
  actor: string | null,
  now: number,
  common: readonly string[],
  stamp: (seen: number) => number,
  takeOvers: readonly TakeOver[],
): SavePlan {
  const values = Object.fromEntries(
    [...type.attributes.values()]
      .filter((attribute) => attribute.type !== 'relation' || attribute.owner)
      .map(({ storedAs }) => [storedAs, published[storedAs] ?? null]),
  )
  const shared = common.filter((field) => !isDeepStrictEqual(values[field], draft[field] ?? null))
  const stamps: Record<string, number> = { ...draft._stamps }
  for (const field of shared) stamps[field] = stamp(stamps[field] ?? 0)
  const change: Change = {
    type,
    documentId: draft.documentId,
    locale: draft.locale,
    before: draft,
    alone: false,
    publish: false,
    values,
    content: values,
    stamps,
    common,
    shared,
    inverse: [],
    takeOvers,
    pending: draft._pending ?? [],
    actor,
    now,
  }
  const plan = planSave(change, undefined, () => draft._id)
  return { ...plan, main: unmodified(plan.main, published) }
}
