import type { Versions } from '../change/change.js'
import type { SavePlan, AffectedData } from './write-plan.js'
import type { Reference } from '../../values/stored-types.js'

/**
 * Returns what a save may leave incomplete; undefined for most. A publish that is interrupted after it wrote the draft
 * needs no repair: the draft is just not published yet (docs/internals/storage.md, "Records of writes in flight").
 * @param versions the stored versions of the document, as read
 * @param isWhole whether all steps of the save are in one transaction
 */
export function affectedBy(
  plan: SavePlan,
  uid: string,
  versions: Versions,
  isWhole: boolean,
): AffectedData | undefined {
  const { documentId, locale, merges, shared, settles } = plan
  const hasOthers = [...versions.current, ...versions.published].some(
    (version) => version.locale !== locale,
  )
  // A write that creates a locale (`merges`) is recorded even in a transaction, because other processes may write
  // shared values without one. So a write of shared values need not be recorded if the document has no other locale.
  const spreads = merges.length > 0 || (!isWhole && shared.length > 0 && hasOthers)
  const lists = isWhole ? [] : listsOf(plan)
  if (!spreads && lists.length === 0 && (isWhole || !settles)) return undefined
  return { uid, documentId, lists }
}

function listsOf(plan: SavePlan): AffectedData['lists'] {
  const byList = new Map<string, AffectedData['lists'][number]>()
  for (const { collection, field, target } of newlyListed(plan)) {
    const key = `${collection} ${field}`
    const targets = [...(byList.get(key)?.targets ?? []), target]
    byList.set(key, { collection, field, targets })
  }
  return [...byList.values()]
}

/** A target that a save connects in an exclusive relation with many targets, so that no other entry may keep it. */
type Listed = Readonly<{
  collection: string
  field: string
  locale: string | null
  target: string
}>

/**
 * Returns the targets that a save connects in exclusive relations with many targets, including edits from the inverse
 * side.
 */
export function newlyListed({ releases, publication, owners }: SavePlan): readonly Listed[] {
  const lists = [
    ...releases.map((release) => ({ release, had: new Set<string>() })),
    ...(publication?.releases ?? []).map((release) => ({
      release,
      // Omit targets that the published version already has: a write that takes one from it creates its own progress
      // record.
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

function idsIn(list: unknown): ReadonlySet<string> {
  const references = Array.isArray(list) ? (list as readonly Reference[]) : []
  return new Set(references.map(({ documentId }) => documentId))
}
