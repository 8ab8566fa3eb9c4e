import { isOwning } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { InverseChange, OwnerChange, Owners, OwningRelation, PendingEdge } from './change.js'
import { ordersOf } from './change.js'

/** The pending edits (`PendingEdge`) of one attribute in one locale. */
export type PendingGroup = OwningRelation & Readonly<{ edges: readonly PendingEdge[] }>

/**
 * Returns the latest pending edit of each owner after a draft write. Owners without draft & publish change at once, so
 * they have none.
 */
export function pendingAfter(
  before: readonly PendingEdge[],
  inverse: readonly InverseChange[],
): readonly PendingEdge[] {
  const pending = new Map(before.map((edge) => [keyOf(edge), edge]))
  for (const { owner, attribute, locale, drafts, published } of inverse) {
    if (published === undefined) continue
    const place = { owner: owner.uid, field: attribute.storedAs, locale }
    const edges = [
      ...drafts.removed.map((documentId) => ({ ...place, documentId, order: null })),
      ...[...drafts.moved].map((documentId) => ({
        ...place,
        documentId,
        order: drafts.orders.get(documentId) ?? null,
      })),
    ]
    for (const edge of edges) {
      const place = drafts.renumbered?.get(edge.documentId)
      const known = pending.get(keyOf(edge))
      // If an earlier pending edit connected the owner at `place`, its order before the renumbering, publishing must
      // still connect the owner. So the new edit is not `renumbered`.
      const isConnected = known?.order === place && known?.renumbered === undefined
      const isMoved = place !== undefined && !isConnected
      pending.set(keyOf(edge), isMoved ? { ...edge, renumbered: true } : edge)
    }
  }
  return [...pending.values()]
}

/** Groups pending edits by attribute and locale. Skips attributes that no longer exist. */
export function groupPending(
  pending: readonly PendingEdge[],
  types: ReadonlyMap<string, ContentType>,
): readonly PendingGroup[] {
  const groups = new Map<string, PendingEdge[]>()
  for (const edge of pending) {
    const key = JSON.stringify([edge.owner, edge.field, edge.locale])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [edge])
    else group.push(edge)
  }
  return [...groups.values()].flatMap((edges) => {
    const [first] = edges
    const owner = types.get(first?.owner ?? '')
    const attribute = [...(owner?.attributes.values() ?? [])].find(
      ({ storedAs }) => storedAs === first?.field,
    )
    if (first === undefined || owner?.draftAndPublish !== true) return []
    if (attribute === undefined || !isOwning(attribute)) return []
    return [{ owner, attribute, locale: first.locale, edges }]
  })
}

/**
 * Returns how publishing the document changes the published owners. A pending edit only applies while the owner's draft
 * agrees with it: the draft has the same order, or no reference if the edit removed it. Otherwise, the owner was
 * written later, and that write decides.
 * @param drafts order of each owner's draft in the inverse list after this write, by documentId
 */
export function publishPending(
  { owner, attribute, locale, edges }: PendingGroup,
  drafts: ReadonlyMap<string, number>,
  published: Owners,
): InverseChange {
  return {
    owner,
    attribute,
    locale,
    drafts: untouched,
    published: handOn(edges, drafts, published),
  }
}

/** Applies pending edits to the published owners of one locale. */
export function handOn(
  edges: readonly PendingEdge[],
  drafts: ReadonlyMap<string, number>,
  published: Owners,
): OwnerChange {
  const orders = new Map<string, number>()
  const removed: string[] = []
  const moved = new Map<string, number>()
  const live = ordersOf(published)
  for (const { documentId, order, renumbered } of edges) {
    const was = live.get(documentId)
    if ((drafts.get(documentId) ?? null) !== order || was === order) continue
    if (renumbered && was === undefined) continue
    if (order !== null) orders.set(documentId, order)
    else if (was !== undefined) removed.push(documentId)
    if (renumbered && was !== undefined) moved.set(documentId, was)
  }
  const renumbered = moved.size === 0 ? {} : { renumbered: moved }
  return { orders, moved: new Set(orders.keys()), removed, ...renumbered }
}

/**
 * Returns how discarding the draft changes the owners' drafts. A pending edit is only reverted while the owner's draft
 * agrees with it: the draft has the same order, or no reference if the edit removed it. Otherwise, the owner was
 * written later, and that write decides.
 */
export function discardPending(
  { owner, attribute, locale, edges }: PendingGroup,
  drafts: Owners,
  published: Owners,
): InverseChange {
  const orders = new Map<string, number>()
  const removed: string[] = []
  const now = ordersOf(drafts)
  const live = ordersOf(published)
  for (const { documentId, order, renumbered } of edges) {
    const before = live.get(documentId)
    if ((now.get(documentId) ?? null) !== order || before === order) continue
    if (before !== undefined) orders.set(documentId, before)
    else if (order !== null && !renumbered) removed.push(documentId)
  }
  const change: OwnerChange = {
    orders,
    moved: new Set(orders.keys()),
    removed,
    restores: true,
  }
  return { owner, attribute, locale, drafts: change, published: untouched }
}

export const untouched: OwnerChange = { orders: new Map(), moved: new Set(), removed: [] }

const keyOf = ({ owner, field, locale, documentId }: PendingEdge): string =>
  JSON.stringify([owner, field, locale, documentId])
