import type { OwningAttribute, RelationAttribute } from '../../schema/attribute.js'
import { isOwning } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import { type RelationEdit, applyRelation, resolveEdit } from './relation-edit.js'
import type { InverseChange, OwnerChange, Owners, PendingEdge } from './change.js'
import { ordersOf } from './change.js'
import { assignOrders } from './inverse-orders.js'
import { handOn, pendingAfter, untouched } from './pending-edges.js'
import type { Body } from '../body/read-body.js'
import type { RelationItem, RelationPayload } from '../body/relation-payload.js'
import { readRelation } from '../body/relation-payload.js'
import type { EntryScope, FindTarget } from '../body/targets.js'
import { targetLocaleOf } from '../body/targets.js'

/** An edit of a relation from its inverse side. The owners of the relation store the references. */
export type InverseWrite = Readonly<{
  attribute: RelationAttribute
  owner: ContentType
  inverseSide: OwningAttribute
  payload: RelationPayload
  /**
   * Locales of the owners: the locale of the request, and those that items name. A to-many relation is edited in all of
   * them together, because responses contain its owners of all locales in one list.
   */
  locales: readonly (string | null)[]
  localeOf: (item: RelationItem) => string | null
}>

/**
 * Returns the relations that a body edits from their inverse side. A to-one relation can have one owner per locale, so
 * it gets a separate edit for each locale.
 */
export function inverseWrites(body: Body, scope: EntryScope): readonly InverseWrite[] {
  return [...scope.type.attributes.values()].flatMap((attribute) => {
    if (attribute.type !== 'relation' || attribute.owner) return []
    const value = body[attribute.name]
    const payload = value === undefined ? undefined : readRelation(value)
    if (payload === undefined || payload.kind === 'invalid') return []
    const owner = typeOf(scope.registry, attribute.target)
    const inverseSide = inverseSideOf(attribute, scope.registry)
    const localeOf = (item?: RelationItem) => targetLocaleOf(scope, owner, item)
    const items =
      payload.kind === 'set' ? payload.items : [...payload.connect, ...payload.disconnect]
    const all = [...new Set([localeOf(), ...items.map(localeOf)])]
    return (attribute.many ? [all] : all.map((locale) => [locale])).map((locales) => ({
      ...{ attribute, owner, inverseSide, payload, locales, localeOf },
    }))
  })
}

/** The owners of a relation in one locale, as stored before the write. */
export type OwnersHere = Readonly<{
  locale: string | null
  drafts: Owners
  published: Owners | undefined
  /** Edits from earlier draft writes, which this write publishes as well. */
  pending: readonly PendingEdge[]
}>

/**
 * Returns the changes of owners for an edit from the inverse side. An owner that the body names gets the same order in
 * its draft and its published version, so that publishing does not move it. For other published owners, only applies
 * their pending edits, unless the body sets the whole list.
 * @param owners the current owners, for each locale of the edit
 */
export function changeInverse(
  write: InverseWrite,
  owners: readonly OwnersHere[],
  find: FindTarget,
  now: number,
): readonly InverseChange[] {
  const { owner, attribute, inverseSide, payload, localeOf } = write
  const orders = orderTogether(write, owners, find, now)
  return owners.map(({ locale, drafts, published, pending }) => {
    const here = only(payload, (item) => localeOf(item) === locale)
    const edit = resolveEdit(here, attribute.target, find)
    const place = { owner, attribute: inverseSide, locale }
    const ofDrafts = changeDrafts(edit, drafts, ordersIn(locale, orders))
    if (published === undefined) return { ...place, drafts: ofDrafts, published }
    const edges = pendingAfter(pending, [{ ...place, drafts: ofDrafts, published: untouched }])
    const handed = handOn(edges, ofDrafts.orders, published)
    return {
      ...place,
      drafts: ofDrafts,
      published: changePublished(attribute, edit, published, ofDrafts, handed),
    }
  })
}

/**
 * Returns the order of each owner in the drafts' list, which contains the owners of all locales. Keys consist of locale
 * and documentId, because an owner can be in the list once per locale.
 */
function orderTogether(
  { attribute: { name, many, target }, payload, locales, localeOf }: InverseWrite,
  owners: readonly OwnersHere[],
  find: FindTarget,
  now: number,
): ReadonlyMap<string, number> {
  const here = only(payload, (item) => locales.includes(localeOf(item)))
  const edit = resolveEdit(here, target, (uid, item) => {
    const found = find(uid, item)
    return found && { ...found, documentId: keyIn(localeOf(item)) + found.documentId }
  })
  const before = owners
    .flatMap(({ locale, drafts }) =>
      drafts.map(({ documentId, order }) => ({ documentId: keyIn(locale) + documentId, order })),
    )
    .sort((a, b) => a.order - b.order)
  const ids = before.map(({ documentId }) => documentId)
  const after = applyRelation(ids, edit, [name], many)
  return assignOrders(after, before, new Set(edit.kind === 'set' ? [] : namedBy(edit)), now)
}

const keyIn = (locale: string | null): string => `${locale ?? ''} `

function ordersIn(
  locale: string | null,
  orders: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const key = keyIn(locale)
  const here = [...orders].filter(([id]) => id.startsWith(key))
  return new Map(here.map(([id, order]) => [id.slice(key.length), order]))
}

function changeDrafts(
  edit: RelationEdit,
  owners: Owners,
  orders: ReadonlyMap<string, number>,
): OwnerChange {
  const was = ordersOf(owners)
  const moved = [...orders.keys()].filter((id) => was.get(id) !== orders.get(id))
  return {
    orders,
    moved: new Set(moved),
    removed: [...was.keys()].filter((id) => !orders.has(id)),
    ...renumberedOf(moved, was, new Set(namedBy(edit))),
  }
}

function changePublished(
  { many }: RelationAttribute,
  edit: RelationEdit,
  published: Owners,
  { orders: drafts, renumbered }: OwnerChange,
  handed: OwnerChange,
): OwnerChange {
  const was = ordersOf(published)
  const named = new Set(namedBy(edit))
  const orders = new Map(
    // Start without the published owners if the edit sets the list, or names the new owner of a to-one relation. The
    // drafts' list then decides who the owners are.
    edit.kind === 'set' || (!many && named.size > 0) ? [] : [...was, ...handed.orders],
  )
  if (edit.kind === 'edit') {
    for (const id of handed.removed) orders.delete(id)
    for (const { documentId } of edit.disconnect) orders.delete(documentId)
  }
  for (const id of named) {
    const order = drafts.get(id)
    if (order !== undefined) orders.set(id, order)
  }
  if (renumbered !== undefined) keepBehind(orders, was, drafts)
  const moved = [...orders.keys()].filter((id) => was.get(id) !== orders.get(id))
  return {
    orders,
    moved: new Set(moved),
    removed: [...was.keys()].filter((id) => !orders.has(id)),
    ...renumberedOf(moved, was, named),
  }
}

function renumberedOf(
  moved: readonly string[],
  was: ReadonlyMap<string, number>,
  named: ReadonlySet<string>,
): Pick<OwnerChange, 'renumbered'> {
  const places = moved.flatMap((id) => {
    const place = named.has(id) ? undefined : was.get(id)
    return place === undefined ? [] : [[id, place] as const]
  })
  return places.length === 0 ? {} : { renumbered: new Map(places) }
}

/**
 * After the drafts' list was renumbered, gives new orders to the published owners that are not in it, so that the
 * published list keeps its sequence.
 */
function keepBehind(
  orders: Map<string, number>,
  published: ReadonlyMap<string, number>,
  drafts: ReadonlyMap<string, number>,
): void {
  const rising = [...drafts.values()].sort((a, b) => a - b)
  let last = -Infinity
  let next = 0
  for (const id of published.keys()) {
    const order = orders.get(id)
    if (order === undefined) continue
    if (drafts.has(id) || order > last) last = Math.max(last, order)
    else {
      while (next < rising.length && (rising[next] ?? last) <= last) next += 1
      last = (last + (rising[next] ?? last + 2)) / 2
      orders.set(id, last)
    }
  }
}

const namedBy = (edit: RelationEdit): readonly string[] =>
  (edit.kind === 'set' ? edit.targets : edit.connect.map(({ target }) => target)).map(
    ({ documentId }) => documentId,
  )

function inverseSideOf(attribute: RelationAttribute, registry: Registry): OwningAttribute {
  const name = attribute.inverseSide ?? ''
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
