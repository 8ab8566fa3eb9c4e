import type { Attribute } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import { isFile, related } from '../../schema/file-uses.js'
import { isObject } from '../../values/is-object.js'
import type { PositionRules } from './position-keys.js'
import { readPositionKeys } from './position-keys.js'
import { isOperations } from './relation-payload.js'

/** What an edit of a relation is made of. */
export const operationKeys: ReadonlySet<string> = new Set([
  'set',
  'connect',
  'disconnect',
  'options',
])
const itemKeys: ReadonlySet<string> = new Set(['id', 'documentId', 'locale', 'position'])
/** What entries are shown with beside their attributes; `attributes`, in the older format, holds them. */
const shownKeys: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'localizations',
  'attributes',
])

export type EdgeKeys = Readonly<{
  target: ContentType
  /** Whether an attribute of the target has this name, and the caller may see it. */
  isShown: (name: string) => boolean
  /** Makes the error that refuses a key, which is told what there is instead. */
  refuse: (key: string, known: Iterable<string>) => Error
  /** Of the field in the body. */
  path: readonly string[]
  /** Told of keys of positions that are passed over. */
  ignored?: ((path: string) => void) | undefined
}>

/**
 * What a body says of a relation or media field, without what was only read with it: a target that was populated counts
 * as its documentId, else as its id, and a list that was wrapped as the list (docs/decisions.md, "Sending back what was
 * read").
 * @throws what `refuse` makes, for a key that is none of a payload's, nor of the target's
 */
export function readEdgeKeys(value: unknown, keys: EdgeKeys): unknown {
  const payload = unwrap(value)
  if (!isOperations(payload)) return readItems(payload, keys)
  const rules = { ...keys, strict: strictOf(payload) }
  return Object.fromEntries(
    Object.entries(payload).map(([key, inner]) => {
      if (!operationKeys.has(key)) throw keys.refuse(key, [...operationKeys, ...itemKeys])
      if (key === 'options') return [key, readOptions(inner, keys.refuse)] as const
      return [key, readItems(inner, keys, key === 'connect' ? rules : undefined)] as const
    }),
  )
}

/** What a target may be shown with under a name; of a file that is also what uses it, which is in no definition. */
export function attributeShown(target: ContentType, name: string): Attribute | undefined {
  return (
    target.attributes.get(name) ?? (isFile(target) && name === related.name ? related : undefined)
  )
}

/** `{ strict: false }`; throws what `refuse` makes for anything else. */
export function readOptions(value: unknown, refuse: EdgeKeys['refuse']): unknown {
  if (value === null || value === undefined) return value
  if (!isObject(value)) throw refuse('options', ['strict'])
  for (const [key, inner] of Object.entries(value))
    if (key !== 'strict' || typeof inner !== 'boolean') throw refuse(key, ['strict'])
  return value
}

/** What the options of a payload say of positions; undefined = nothing. */
export function strictOf({ options }: Readonly<Record<string, unknown>>): boolean | undefined {
  return isObject(options) && typeof options['strict'] === 'boolean' ? options['strict'] : undefined
}

/** `{ data: … }`, as a populated relation is shown in the older format, or where it has filters. */
export function unwrap(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, 'data')) return value
  const { data, ...rest } = value
  return Object.keys(rest).length === 0 && (typeof data === 'object' || data === undefined)
    ? data
    : value
}

function readItems(value: unknown, keys: EdgeKeys, places?: PositionRules): unknown {
  const read = (item: unknown): unknown => (isObject(item) ? readItem(item, keys, places) : item)
  return Array.isArray(value) ? value.map(read) : read(value)
}

/** @param places where a `position` says where, also if the target has an attribute of that name */
function readItem(
  item: Readonly<Record<string, unknown>>,
  { target, isShown, refuse }: EdgeKeys,
  places: PositionRules | undefined,
): unknown {
  // What is no object may be what the target holds.
  const isPlace =
    places !== undefined && (!target.attributes.has('position') || isObject(item['position']))
  const isOwn = (key: string): boolean =>
    itemKeys.has(key) && (key !== 'position' || isPlace || !target.attributes.has(key))
  const names = 'documentId' in item || 'id' in item
  for (const key of Object.keys(item))
    if (!itemKeys.has(key) && !(names && (isShown(key) || shownKeys.has(key))))
      throw refuse(key, itemKeys)
  const own = Object.fromEntries(Object.entries(item).filter(([key]) => isOwn(key)))
  return isPlace && 'position' in own
    ? { ...own, position: readPositionKeys(own['position'], places) }
    : own
}
