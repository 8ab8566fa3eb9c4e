import type { Reference } from '../../values/stored-types.js'
import type { SavePlan } from './write-plan.js'

/** A target that an exclusive list is to have, and no other list of its collection. */
export type Listed = Readonly<{
  collection: string
  field: string
  locale: string | null
  /** documentId. */
  target: string
}>

/** Returns the targets that a save connects to exclusive lists: its own, and those of entries that own the relation. */
export function newlyListed({ releases, publication, owners }: SavePlan): readonly Listed[] {
  const lists = [
    ...releases.map((release) => ({ release, had: new Set<string>() })),
    ...(publication?.releases ?? []).map((release) => ({
      release,
      // A write that takes one of these from this version records that itself.
      had: idsIn(publication?.previous?.[release.field]),
    })),
  ].filter(({ release }) => release.many)
  return [
    ...lists.flatMap(({ release: { collection, field, locale, targets }, had }) =>
      targets
        .filter((target) => !had.has(target.documentId))
        .map((target) => ({ collection, field, locale, target: target.documentId })),
    ),
    ...owners
      .filter(({ exclusive, many, order }) => exclusive && many && order !== null)
      .map(({ collection, field, locale, target }) => ({ collection, field, locale, target })),
  ]
}

/** Returns the documentIds of a stored list. */
function idsIn(list: unknown): ReadonlySet<string> {
  const references = Array.isArray(list) ? (list as readonly Reference[]) : []
  return new Set(references.map(({ documentId }) => documentId))
}
