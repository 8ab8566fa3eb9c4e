import { isObject } from '../../values/is-object.js'

type TargetName = Readonly<{ documentId: string }> | Readonly<{ id: number }>

export type Position =
  | Readonly<{ at: 'start' | 'end' }>
  /** `type` is the uid of the neighbour's type in polymorphic relations; default: the type of the item. */
  | Readonly<{ at: 'before' | 'after'; of: TargetName; type?: string }>

export type RelationItem = Readonly<{
  target: TargetName
  type?: string
  /** Only used if the target is localized and the entry is not. */
  locale?: string
  position: Position
}>

/**
 * A normalized relation payload. `["x", 7]`, `{ documentId: "x" }` and `{ set: […] }` replace all targets, null removes
 * them. `{ connect: […], disconnect: […] }` adds and removes targets.
 */
export type RelationPayload =
  | Readonly<{ kind: 'set'; items: readonly RelationItem[] }>
  | Readonly<{
      kind: 'edit'
      connect: readonly RelationItem[]
      disconnect: readonly RelationItem[]
      /** Set by `options: { strict: false }`. Positions that cannot be resolved then mean the end of the list. */
      lenient?: true
    }>
  | Readonly<{ kind: 'invalid' }>

const end: Position = { at: 'end' }
const digits = /^\d{1,15}$/

/**
 * Normalizes a relation or media field in any form that Strapi accepts (docs/internals/strapi-behaviour.md, "Relation
 * payloads").
 */
export function readRelation(value: unknown): RelationPayload {
  // As in Strapi, true and false also clear the relation.
  if (value === null || value === undefined || typeof value === 'boolean')
    return { kind: 'set', items: [] }
  if (!isOperations(value)) return setOf(value)
  if (value['set'] !== undefined) return setOf(value['set'])
  const connect = readItems(value['connect'])
  const disconnect = readItems(value['disconnect'])
  if (connect === undefined || disconnect === undefined) return { kind: 'invalid' }
  return { kind: 'edit', connect, disconnect, ...(isLenient(value) ? { lenient: true } : {}) }
}

const isLenient = ({ options }: Readonly<Record<string, unknown>>): boolean =>
  isObject(options) && options['strict'] === false

/** Returns all items of a payload, and the neighbours in their positions, converted to items. */
export function itemsOf(payload: RelationPayload): readonly RelationItem[] {
  if (payload.kind === 'invalid') return []
  const items = payload.kind === 'set' ? payload.items : [...payload.connect, ...payload.disconnect]
  return items.flatMap((item) =>
    'of' in item.position ? [item, itemOf(item.position, item)] : [item],
  )
}

/** Converts the neighbour in a position to an item. */
export function itemOf(
  { of, type }: Extract<Position, { at: 'before' | 'after' }>,
  item: RelationItem,
): RelationItem {
  return { ...item, target: of, position: end, ...(type === undefined ? {} : { type }) }
}

/** Returns a payload as in error details: `"x"` becomes `{ set: [{ documentId: "x" }] }`. */
export function showRelation(value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (!isOperations(value)) return { set: showItems(value) }
  return Object.fromEntries(Object.entries(value).map(([key, items]) => [key, showItems(items)]))
}

function showItems(value: unknown): unknown {
  if (value === null || value === undefined) return value
  return (Array.isArray(value) ? value : [value]).map(showItem)
}

/** Whether a payload has the form `{ set: […] }` or `{ connect: […] }`, and does not identify a target. */
export function isOperations(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !['documentId', 'id', '__type'].some((key) => key in value)
}

function setOf(value: unknown): RelationPayload {
  const items = readItems(value)
  return items === undefined ? { kind: 'invalid' } : { kind: 'set', items }
}

function readItems(value: unknown): readonly RelationItem[] | undefined {
  if (value === null || value === undefined) return []
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  const items = given.filter((item) => item !== null).map(readItem)
  return items.every((item) => item !== undefined) ? items : undefined
}

function readItem(value: unknown): RelationItem | undefined {
  const target = readName(value)
  if (target === undefined) return undefined
  if (!isObject(value)) return { target, position: end }
  const position = readPosition(value['position'])
  if (position === undefined) return undefined
  const locale = value['locale']
  return { target, position, ...typeIn(value), ...(typeof locale === 'string' ? { locale } : {}) }
}

function typeIn(value: unknown): Readonly<{ type?: string }> {
  const type = isObject(value) ? value['__type'] : undefined
  return typeof type === 'string' ? { type } : {}
}

function readName(value: unknown): TargetName | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { id: value } : undefined
  if (typeof value === 'string')
    return digits.test(value)
      ? { id: Number(value) }
      : value === ''
        ? undefined
        : { documentId: value }
  if (!isObject(value)) return undefined
  const { documentId, id } = value
  if (typeof documentId === 'string' && documentId !== '') return { documentId }
  if (documentId !== undefined && documentId !== null) return undefined
  return typeof id === 'number' || typeof id === 'string' ? readName(id) : undefined
}

/** As in Strapi, a position without a known key means the end of the list. */
function readPosition(value: unknown): Position | undefined {
  if (!isObject(value)) return end
  for (const at of ['before', 'after'] as const) {
    const given = value[at]
    if (given === undefined || given === null) continue
    const of = readName(given)
    return of === undefined ? undefined : { at, of, ...typeIn(value), ...typeIn(given) }
  }
  return value['start'] === true ? { at: 'start' } : end
}

function showItem(value: unknown): unknown {
  if (typeof value === 'number') return { id: value }
  if (typeof value !== 'string') return value
  return digits.test(value) ? { id: value } : { documentId: value }
}
