import type { Change, InverseChange } from '../change/change.js'
import { collectionOf } from '../schema/content-type.js'
import type { OwnerWrite, Release } from './write-plan.js'

/** Takes what an exclusive relation connects from its former owners. */
export function planReleases(
  { takeOvers, locale, documentId }: Change,
  collection: string,
  which: 'targets' | 'all',
): readonly Release[] {
  return takeOvers
    .filter((takeOver) => takeOver[which].length > 0)
    .map(({ attribute, ...takeOver }) => ({
      collection,
      field: attribute.storedAs,
      many: attribute.many,
      targets: takeOver[which],
      locale,
      except: documentId,
    }))
}

/** The owners that a write to the inverse side changes, drafts before published ones. */
export function planOwners(change: Change): readonly OwnerWrite[] {
  // A type without draft & publish has one version, which drafts and published owners refer to alike.
  const publishes = change.publish || !change.type.draftAndPublish
  const writes = change.inverse.flatMap((inverse) => {
    const { owner } = inverse
    const draft = ownerWrites(change, inverse, 'draft')
    return publishes && owner.draftAndPublish
      ? [...draft, ...ownerWrites(change, inverse, 'published')]
      : draft
  })
  return [...writes.filter(isRemoval), ...writes.filter((write) => !isRemoval(write))].toSorted(
    (a, b) => rankOf(a, change) - rankOf(b, change),
  )
}

function ownerWrites(
  { documentId }: Change,
  { owner, attribute, locale, orders, moved, draftOwners, publishedOwners }: InverseChange,
  status: 'draft' | 'published',
): readonly OwnerWrite[] {
  const owners = status === 'draft' ? draftOwners : publishedOwners
  const there = new Set(owners)
  const write = (id: string, order: number | null): OwnerWrite => ({
    collection: collectionOf(owner, status),
    documentId: id,
    locale,
    field: attribute.storedAs,
    many: attribute.many,
    target: documentId,
    order,
  })
  return [
    ...owners.filter((id) => !orders.has(id)).map((id) => write(id, null)),
    ...[...orders]
      .filter(([id]) => moved.has(id) || !there.has(id))
      .map(([id, order]) => write(id, order)),
  ]
}

const isRemoval = ({ order }: OwnerWrite): boolean => order === null

/** Drafts first; a stable sort keeps removals before what takes their place. */
function rankOf(write: OwnerWrite, { inverse }: Change): number {
  const published = inverse.some(
    ({ owner }) => owner.draftAndPublish && collectionOf(owner, 'published') === write.collection,
  )
  return published ? 1 : 0
}
