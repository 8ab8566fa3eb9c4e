import type { OwningAttribute, RelationAttribute } from '../../schema/attribute.js'
import { isOwning } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import { applyRelation } from './relation-positions.js'
import type { InverseChange, OwnerChange, PendingEdge } from './change.js'
import { resolveEdit } from './relation-edit.js'
import { assignOrders } from './inverse-orders.js'
import type { Body } from '../body/read-body.js'
import type { RelationItem, RelationPayload } from '../body/relation-payload.js'
import { readRelation } from '../body/relation-payload.js'
import type { EntryScope, FindTarget } from '../body/targets.js'
import { targetLocaleOf } from '../body/targets.js'

/** A relation that is written from the side that does not store it, in one locale of its owners. */
export type InverseWrite = Readonly<{
  attribute: RelationAttribute
  owner: ContentType
  /** The attribute at the owner. */
  counterpart: OwningAttribute
  locale: string | null
  payload: RelationPayload
}>

/** Entries that own a relation to the document at hand, in the order of its list. */
export type Owners = readonly Readonly<{ documentId: string; order: number }>[]

/** The inverse relations that a body names; one write per locale that its items are in. */
export function inverseWrites(body: Body, scope: EntryScope): readonly InverseWrite[] {
  return [...scope.type.attributes.values()].flatMap((attribute) => {
    if (attribute.type !== 'relation' || attribute.owner) return []
    const value = body[attribute.name]
    const payload = value === undefined ? undefined : readRelation(value)
    if (payload === undefined || payload.kind === 'invalid') return []
    const owner = typeOf(scope.registry, attribute.target)
    const counterpart = counterpartOf(attribute, scope.registry)
    const localeOf = (item?: RelationItem) => targetLocaleOf(scope, owner, item)
    const items =
      payload.kind === 'set' ? payload.items : [...payload.connect, ...payload.disconnect]
    return [...new Set([localeOf(), ...items.map(localeOf)])].map((locale) => ({
      attribute,
      owner,
      counterpart,
      locale,
      payload: only(payload, (item) => localeOf(item) === locale),
    }))
  })
}

/** What a write to the inverse side makes of the owners: the same edit of the drafts' list and of the published ones'. */
export function changeInverse(
  write: InverseWrite,
  drafts: Owners,
  published: Owners | undefined,
  find: FindTarget,
  now: number,
): InverseChange {
  const { owner, counterpart, locale } = write
  return {
    owner,
    attribute: counterpart,
    locale,
    drafts: changeOwners(write, drafts, find, now, 'strict'),
    // A neighbour that a position names need not be published.
    published: published && changeOwners(write, published, find, now, 'lenient'),
  }
}

function changeOwners(
  { attribute, payload }: InverseWrite,
  owners: Owners,
  find: FindTarget,
  now: number,
  positions: 'strict' | 'lenient',
): OwnerChange {
  const edit = resolveEdit(payload, attribute.target, find)
  const before = owners.map(({ documentId }) => documentId)
  const after = applyRelation(before, edit, [attribute.name], attribute.many, positions)
  const connected = edit.kind === 'set' ? [] : edit.connect.map(({ target }) => target.documentId)
  const orders = assignOrders(after, owners, new Set(connected), now)
  const was = new Map(owners.map(({ documentId, order }) => [documentId, order]))
  return {
    orders,
    moved: new Set(after.filter((id) => was.get(id) !== orders.get(id))),
    removed: before.filter((id) => !orders.has(id)),
  }
}

function counterpartOf(attribute: RelationAttribute, registry: Registry): OwningAttribute {
  const name = attribute.counterpart ?? ''
  const other = typeOf(registry, attribute.target).attributes.get(name)
  if (other === undefined || !isOwning(other))
    throw new Error(`The relation ${attribute.name} has no other side in ${attribute.target}`)
  return other
}

function only(payload: RelationPayload, isHere: (item: RelationItem) => boolean): RelationPayload {
  if (payload.kind === 'set') return { kind: 'set', items: payload.items.filter(isHere) }
  if (payload.kind === 'invalid') return payload
  const { connect, disconnect } = payload
  return { ...payload, connect: connect.filter(isHere), disconnect: disconnect.filter(isHere) }
}

/** Pending edges of one attribute of one type of owners, in one locale. */
export type PendingGroup = Readonly<{
  owner: ContentType
  attribute: OwningAttribute
  locale: string | null
  edges: readonly PendingEdge[]
}>

/** What is pending after a draft write: of each owner the latest edit. Owners without drafts have it already. */
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
    for (const edge of edges) pending.set(keyOf(edge), edge)
  }
  return [...pending.values()]
}

/** Groups what is pending; what the schema does not have any more is left out. */
export function groupPending(
  pending: readonly PendingEdge[],
  types: ReadonlyMap<string, ContentType>,
): readonly PendingGroup[] {
  const groups = new Map<string, PendingEdge[]>()
  for (const edge of pending) {
    const key = JSON.stringify([edge.owner, edge.field, edge.locale])
    groups.set(key, [...(groups.get(key) ?? []), edge])
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
 * What publishing the document makes of the published owners: each pending edge goes over to them as
 * long as the owner's draft still has it, in the same place, or still lacks it. One that the owner
 * itself changed since is the owner's own, and is published with the owner.
 * @param drafts the owners' drafts as they are, or as this write leaves them
 */
export function publishPending(
  { owner, attribute, locale, edges }: PendingGroup,
  drafts: ReadonlyMap<string, number>,
  published: Owners,
): InverseChange {
  const orders = new Map<string, number>()
  const removed: string[] = []
  const live = new Map(published.map(({ documentId, order }) => [documentId, order]))
  for (const { documentId, order } of edges) {
    if ((drafts.get(documentId) ?? null) !== order || live.get(documentId) === order) continue
    if (order !== null) orders.set(documentId, order)
    else if (live.has(documentId)) removed.push(documentId)
  }
  const change: OwnerChange = { orders, moved: new Set(orders.keys()), removed }
  return { owner, attribute, locale, drafts: untouched, published: change }
}

/**
 * What discarding the draft makes of the owners' drafts: each pending edge is taken back, as long as the
 * owner's draft still has it, in the same place, or still lacks it. One that the owner itself changed
 * since is the owner's own.
 */
export function discardPending(
  { owner, attribute, locale, edges }: PendingGroup,
  drafts: Owners,
  published: Owners,
): InverseChange {
  const orders = new Map<string, number>()
  const removed: string[] = []
  const now = new Map(drafts.map(({ documentId, order }) => [documentId, order]))
  const live = new Map(published.map(({ documentId, order }) => [documentId, order]))
  for (const { documentId, order } of edges) {
    const before = live.get(documentId)
    if ((now.get(documentId) ?? null) !== order || before === order) continue
    if (before !== undefined) orders.set(documentId, before)
    else if (order !== null) removed.push(documentId)
  }
  const change: OwnerChange = {
    ...{ orders, moved: new Set(orders.keys()), removed },
    restores: true,
  }
  return { owner, attribute, locale, drafts: change, published: untouched }
}

const untouched: OwnerChange = { orders: new Map(), moved: new Set(), removed: [] }

const keyOf = ({ owner, field, locale, documentId }: PendingEdge): string =>
  JSON.stringify([owner, field, locale, documentId])
