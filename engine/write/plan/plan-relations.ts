import {
  type Change,
  type InverseChange,
  type OwnerChange,
  referencesIn,
} from '../change/change.js'
import type { Status } from '../../schema/content-type.js'
import { collectionOf } from '../../schema/content-type.js'
import type { OwnerWrite, SavePlan, TargetRemoval } from './write-plan.js'

/**
 * Plans how to remove the targets of exclusive relations from their previous owners.
 * @param which `targets`: only targets that the draft or only version did not have before; `all`: all of its targets
 */
export function planReleases(
  { takeOvers, locale, documentId }: Change,
  collection: string,
  which: 'targets' | 'all',
): readonly TargetRemoval[] {
  return takeOvers
    .filter((takeOver) => takeOver[which].length > 0)
    .map(({ attribute, ...takeOver }) => ({
      collection,
      field: attribute.storedAs,
      many: attribute.many,
      listed: attribute.listed,
      targets: takeOver[which],
      locale,
      except: documentId,
    }))
}

/** Plans the changes of owners for edits from the inverse side: drafts first, and removals before additions. */
export function planOwners(change: Change): readonly OwnerWrite[] {
  const { type, documentId, inverse } = change
  // Write both: owners' drafts and published versions can both refer to the only version of a type without draft &
  // publish.
  const publishes = change.publish || !type.draftAndPublish
  const target = { type, documentId }
  const drafts = inverse.flatMap((one) => ownerWrites(target, one, 'draft', one.drafts))
  return [...removalsFirst(drafts), ...(publishes ? planPublishedOwners(target, inverse) : [])]
}

/** The document whose inverse relations are edited. */
type Target = Pick<Change, 'type' | 'documentId'>

/** Plans the changes of the owners' published versions only. */
export function planPublishedOwners(
  target: Target,
  changes: readonly InverseChange[],
): readonly OwnerWrite[] {
  return removalsFirst(
    changes.flatMap((one) =>
      one.published === undefined ? [] : ownerWrites(target, one, 'published', one.published),
    ),
  )
}

function ownerWrites(
  { type, documentId }: Target,
  { owner, attribute, locale }: InverseChange,
  status: Status,
  { orders, moved, removed, restores, renumbered }: OwnerChange,
): readonly OwnerWrite[] {
  const write = (id: string, order: number | null): OwnerWrite => ({
    collection: collectionOf(owner, status),
    documentId: id,
    locale,
    field: attribute.storedAs,
    many: attribute.many,
    listed: attribute.type === 'relation' ? attribute.listed : undefined,
    target: documentId,
    type: attribute.type === 'morph' ? type.uid : undefined,
    order,
    exclusive: attribute.type === 'relation' && attribute.exclusive,
    ifFree: restores === true,
    ifThere: renumbered?.has(id) || undefined,
  })
  return [
    ...removed.map((id) => write(id, null)),
    ...[...orders].filter(([id]) => moved.has(id)).map(([id, order]) => write(id, order)),
  ]
}

function removalsFirst(writes: readonly OwnerWrite[]): readonly OwnerWrite[] {
  const isRemoval = ({ order }: OwnerWrite) => order === null
  return [...writes.filter(isRemoval), ...writes.filter((write) => !isRemoval(write))]
}

/** A target that a save connects in an exclusive relation with many targets, so that no other entry may keep it. */
type Listed = Pick<OwnerWrite, 'collection' | 'field' | 'locale' | 'target'>

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
      had: idsOf(publication?.previous?.[release.field]),
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

const idsOf = (list: unknown): ReadonlySet<string> =>
  new Set(referencesIn(list).map(({ documentId }) => documentId))
