import { isMany, type ReferringAttribute, targetOf } from '../../schema/edge-attribute.js'
import {
  type RelationItem,
  type RelationPayload,
  itemOf,
  readRelation,
} from '../body/relation-payload.js'
import type { FindTarget, Target } from '../body/targets.js'
import type { Reference, TypedReference } from '../../values/stored-types.js'
import { fail } from '../../errors.js'
import { placeDetails } from '../body/failure.js'

/**
 * Applies a payload to an owning attribute. New references get the order `connectedAt` in the inverse list
 * (docs/internals/storage.md, "Relations"). Polymorphic relations identify targets by type and documentId.
 */
export function editReferences(
  attribute: ReferringAttribute,
  value: unknown,
  before: readonly StoredReference[],
  find: FindTarget,
  connectedAt: number,
  path: readonly string[],
): readonly StoredReference[] {
  const isMorph = attribute.type === 'morph'
  const known = new Map<string, StoredReference>()
  const keyOf = ({ __type = '', documentId, order }: StoredReference): string => {
    const key = isMorph ? `${__type} ${documentId}` : documentId
    if (!known.has(key)) known.set(key, { ...(isMorph && { __type }), documentId, order })
    return key
  }
  const left = [...new Set(before.map(keyOf))]
  const findByKey: FindTarget = (uid, item) => {
    const __type = item.type ?? ''
    const target = find(isMorph ? __type : uid, item)
    if (target === undefined) return undefined
    const key = keyOf({ __type, documentId: target.documentId, order: connectedAt })
    return { id: target.id, documentId: key, ...(isMorph && { type: __type }) }
  }
  const uid = isMorph ? '' : targetOf(attribute)
  const edit = resolveEdit(readRelation(value), uid, findByKey)
  return applyRelation(left, edit, path, isMany(attribute)).map(
    (key) => known.get(key) as StoredReference,
  )
}

/** `__type` is set in polymorphic relations. */
type StoredReference = Reference & Partial<TypedReference>

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

type Placement =
  | Readonly<{ target: Target; at: 'start' | 'end' }>
  | Readonly<{ target: Target; at: 'before' | 'after'; of: Target }>

export type RelationEdit =
  | Readonly<{ kind: 'set'; targets: readonly Target[] }>
  | Readonly<{
      kind: 'edit'
      connect: readonly Placement[]
      disconnect: readonly Target[]
      /** Set if an invalid position (part of a cycle, or a target that is not connected) means the end of the list. */
      lenient?: true
    }>

type Path = readonly string[]

/**
 * Returns the documentIds of a relation after an edit, in order (docs/internals/strapi-behaviour.md, "Relation
 * payloads"). Disconnects before it connects. Targets without a position are connected at the end.
 * @param path path of the relation in the body, for errors
 * @param many if false, only one target stays: the current one if the edit connects it again, otherwise the last one
 *   that the edit connects
 * @throws 400 if a position names a target that is not connected, if positions refer to each other in a cycle, or if
 *   one target has two positions
 */
export function applyRelation(
  before: readonly string[],
  edit: RelationEdit,
  path: Path,
  many: boolean,
): readonly string[] {
  if (edit.kind === 'set') {
    const ids = [...new Set(edit.targets.map(({ documentId }) => documentId))]
    return many ? ids : edit.targets.slice(-1).map(({ documentId }) => documentId)
  }
  const gone = new Set(edit.disconnect.map(({ documentId }) => documentId))
  const left = before.filter((id) => !gone.has(id))
  if (many)
    return connectAll(left, edit.connect, path, edit.lenient === true ? 'lenient' : 'strict')
  const connected = edit.connect.map(({ target }) => target.documentId)
  const [kept] = before
  if (kept !== undefined && connected.includes(kept)) return [kept]
  return connected.length > 0 ? connected.slice(-1) : left
}

function connectAll(
  left: readonly string[],
  connect: readonly Placement[],
  path: Path,
  positions: 'strict' | 'lenient',
): readonly string[] {
  const ids = [...left]
  const there = new Set(left)
  for (const placement of inOrder(left, connect, path, positions)) {
    const id = placement.target.documentId
    if (there.has(id)) ids.splice(ids.indexOf(id), 1)
    there.add(id)
    ids.splice(placeOf(ids, placement, path, positions), 0, id)
  }
  return ids
}

function placeOf(
  ids: readonly string[],
  placement: Placement,
  path: Path,
  positions: 'strict' | 'lenient',
): number {
  if (!('of' in placement)) return placement.at === 'start' ? 0 : ids.length
  const at = ids.indexOf(placement.of.documentId)
  if (at < 0) {
    if (positions === 'lenient') return ids.length
    throw notConnected(placement, path)
  }
  return placement.at === 'before' ? at : at + 1
}

/** Sorts the items to connect so that each comes after the neighbour in its position. */
function inOrder(
  left: readonly string[],
  connect: readonly Placement[],
  path: Path,
  positions: 'strict' | 'lenient',
): readonly Placement[] {
  const there = new Set(left)
  const byTarget = new Map(connect.map((item) => [item.target.documentId, item]))
  for (const item of positions === 'strict' ? connect : []) {
    const last = byTarget.get(item.target.documentId)
    if (last !== undefined && placeIn(last) !== placeIn(item))
      throw connectedTwice(item.target, path)
  }
  const ordered: Placement[] = []
  const done = new Set<Placement>()
  for (const item of connect) {
    // No recursion, because a chain of neighbours can be as long as the body allows.
    const chain = new Set<Placement>()
    for (let next: Placement | undefined = item; next !== undefined && !done.has(next);) {
      if (chain.has(next)) {
        if (positions === 'lenient') break
        throw circular(path)
      }
      chain.add(next)
      next =
        'of' in next && !there.has(next.of.documentId)
          ? byTarget.get(next.of.documentId)
          : undefined
    }
    for (const link of [...chain].reverse()) {
      done.add(link)
      ordered.push(link)
    }
  }
  return ordered
}

const placeIn = (placement: Placement): string =>
  'of' in placement ? `${placement.at} ${placement.of.documentId}` : placement.at

function notConnected(
  placement: Extract<Placement, { at: 'before' | 'after' }>,
  path: Path,
): Error {
  const { target, at, of } = placement
  const neighbour = of.type === undefined ? of.id : { id: of.id, __type: of.type }
  const position = JSON.stringify({ [at]: neighbour })
  const message =
    `There was a problem connecting relation with id ${target.id} at position ${position}. ` +
    `The relation with id ${of.id} needs to be connected first.`
  return fail('validation', message, placeDetails(path))
}

function connectedTwice({ id }: Target, path: Path): Error {
  const message = `The relation with id ${id} is already connected. You cannot connect the same relation twice.`
  return fail('validation', message, placeDetails(path))
}

function circular(path: Path): Error {
  const message = 'The positions of connected relations refer to each other in a circle'
  return fail('validation', message, placeDetails(path))
}
