import type { Change, InverseChange, OwnerChange } from '../change/change.js'
import type { Status } from '../../schema/content-type.js'
import { collectionOf } from '../../schema/content-type.js'
import type { OwnerWrite, TargetRemoval } from './write-plan.js'

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
