import type { OwningAttribute, RelationAttribute } from '../../schema/attribute.js'
import { isOwning } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import { applyRelation } from './relation-positions.js'
import type { InverseChange, OwnerChange, Owners } from './change.js'
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
