import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../change/change.js'
import type { Fields, Version } from '../change/versions.js'
import type { ContentType } from '../schema/content-type.js'
import type { SavePlan } from './write-plan.js'
import { planSave, sharedOf } from './write-save.js'

/** The steps that make a draft what its published version is; what all locales share follows in their drafts (D20). */
export function planDiscard(
  type: ContentType,
  draft: Version,
  published: Version,
  actor: string | null,
  now: number,
): SavePlan {
  const values = Object.fromEntries(
    [...type.attributes.values()]
      .filter((attribute) => attribute.type !== 'relation' || attribute.owner)
      .map(({ storedAs }) => [storedAs, published[storedAs] ?? null]),
  )
  const shared = type.localized
    ? sharedOf(type).filter(
        (field) => !isDeepStrictEqual(values[field], (draft as Fields)[field] ?? null),
      )
    : []
  const stamps: Record<string, number> = { ...draft._stamps }
  for (const field of shared) stamps[field] = Math.max(now, (stamps[field] ?? 0) + 1)
  const change: Change = {
    type,
    documentId: draft.documentId,
    locale: draft.locale,
    before: draft,
    publish: false,
    values,
    content: values,
    stamps,
    shared,
    inverse: [],
    takeOvers: [],
    actor,
    now,
  }
  return planSave(change, undefined, () => draft._id)
}
