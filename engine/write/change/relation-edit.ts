import type { EdgeAttribute } from '../../schema/edge-attribute.js'
import { isMany, targetOf } from '../../schema/edge-attribute.js'
import type { Placement, RelationEdit } from './relation-positions.js'
import { applyRelation } from './relation-positions.js'
import type { RelationItem, RelationPayload } from '../body/relation-payload.js'
import { itemOf, readRelation } from '../body/relation-payload.js'
import type { FindTarget } from '../body/targets.js'
import type { Reference } from '../../values/stored-types.js'

/**
 * Applies a payload to an owning attribute. New references get the order `connectedAt` in the inverse list
 * (docs/internals/storage.md, "Relations").
 */
export function editReferences(
  attribute: EdgeAttribute,
  value: unknown,
  before: readonly Reference[],
  find: FindTarget,
  connectedAt: number,
  path: readonly string[],
): readonly Reference[] {
  const orders = new Map(before.map(({ documentId, order }) => [documentId, order]))
  const edit = resolveEdit(readRelation(value), targetOf(attribute), find)
  return applyRelation([...orders.keys()], edit, path, isMany(attribute)).map((documentId) => ({
    documentId,
    order: orders.get(documentId) ?? connectedAt,
  }))
}

/**
 * Finds the targets of a payload. Omits missing ones: those to connect were already rejected, and those to disconnect
 * need not exist.
 */
export function resolveEdit(payload: RelationPayload, uid: string, find: FindTarget): RelationEdit {
  if (payload.kind === 'invalid') return { kind: 'edit', connect: [], disconnect: [] }
  const targets = (items: readonly RelationItem[]) =>
    items.map((item) => find(uid, item)).filter((target) => target !== undefined)
  if (payload.kind === 'set') return { kind: 'set', targets: targets(payload.items) }
  return {
    kind: 'edit',
    connect: payload.connect.flatMap((item) => placementOf(item, uid, find)),
    disconnect: targets(payload.disconnect),
    ...(payload.lenient === true ? { lenient: true } : {}),
  }
}

function placementOf(item: RelationItem, uid: string, find: FindTarget): readonly Placement[] {
  const { position } = item
  const target = find(uid, item)
  if (target === undefined) return []
  if (!('of' in position)) return [{ target, at: position.at }]
  const of = find(uid, itemOf(position, item))
  // The neighbour can only be missing if the payload has `strict: false`. Otherwise, the body was already rejected.
  return [of === undefined ? { target, at: 'end' } : { target, at: position.at, of }]
}
