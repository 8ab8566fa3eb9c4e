import type { OwningAttribute, RelationAttribute } from '../../schema/attribute.js'
import { isOwning } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import type { RelationEdit } from './relation-positions.js'
import { applyRelation } from './relation-positions.js'
import type { InverseChange, OwnerChange, Owners, PendingEdge } from './change.js'
import { resolveEdit } from './relation-edit.js'
import { assignOrders } from './inverse-orders.js'
import { handOn, pendingAfter, untouched } from './pending-edges.js'
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

/** The owners of a document as they are; `published` is undefined where they have one version. */
export type OwnersByStatus = Readonly<{ drafts: Owners; published: Owners | undefined }>

/**
 * What a write to the inverse side makes of the owners: the same edit of the drafts' list and of the published
 * ones', once those have what is pending. Owners that only the drafts' list has stand in both at the same place,
 * so that the order is the same when they are published themselves.
 * @param pending earlier edits of the relation that this write publishes
 */
export function changeInverse(
  write: InverseWrite,
  { drafts, published }: OwnersByStatus,
  pending: readonly PendingEdge[],
  find: FindTarget,
  now: number,
): InverseChange {
  const { owner, attribute, counterpart, locale, payload } = write
  const edit = resolveEdit(payload, attribute.target, find)
  const place = { owner, attribute: counterpart, locale }
  const ofDrafts = changeOwners(write, edit, drafts, now, 'strict')
  if (published === undefined) return { ...place, drafts: ofDrafts, published }

  const edges = pendingAfter(pending, [{ ...place, drafts: ofDrafts, published: untouched }])
  const handed = handOn(edges, ofDrafts.orders, published)
  const list = withHanded(published, handed, attribute.many ? ofDrafts.orders : new Map())
  const connected = connectedBy(edit)
  // Whom of several a relation to one keeps is said once. A neighbour that a position names need not be an owner.
  const { orders } =
    attribute.many || connected.length === 0
      ? changeOwners(write, edit, list, now, 'lenient')
      : ofDrafts
  const was = ordersOf(published)
  const meant = new Set([...was.keys(), ...handed.moved, ...connected])
  const isMoved = (id: string): boolean => meant.has(id) && was.get(id) !== orders.get(id)
  return {
    ...{ ...place, drafts: ofDrafts },
    published: {
      orders,
      moved: new Set([...orders.keys()].filter(isMoved)),
      removed: [...was.keys()].filter((id) => !orders.has(id)),
    },
  }
}

function changeOwners(
  { attribute }: InverseWrite,
  edit: RelationEdit,
  owners: Owners,
  now: number,
  positions: 'strict' | 'lenient',
): OwnerChange {
  const before = owners.map(({ documentId }) => documentId)
  const after = applyRelation(before, edit, [attribute.name], attribute.many, positions)
  const moved = edit.kind === 'set' ? [] : connectedBy(edit)
  const orders = assignOrders(after, owners, new Set(moved), now)
  const was = ordersOf(owners)
  return {
    orders,
    moved: new Set(after.filter((id) => was.get(id) !== orders.get(id))),
    removed: before.filter((id) => !orders.has(id)),
  }
}

/** The published owners' list with what is handed on to it, and owners that only the drafts' list has. */
function withHanded(
  published: Owners,
  { orders, removed }: OwnerChange,
  drafts: ReadonlyMap<string, number>,
): Owners {
  const gone = new Set(removed)
  const left = published.filter(({ documentId }) => !gone.has(documentId))
  return [...new Map([...drafts, ...ordersOf(left), ...orders])]
    .map(([documentId, order]) => ({ documentId, order }))
    .toSorted((a, b) => a.order - b.order)
}

const connectedBy = (edit: RelationEdit): readonly string[] =>
  (edit.kind === 'set' ? edit.targets : edit.connect.map(({ target }) => target)).map(
    ({ documentId }) => documentId,
  )

const ordersOf = (owners: Owners): ReadonlyMap<string, number> =>
  new Map(owners.map(({ documentId, order }) => [documentId, order]))

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
