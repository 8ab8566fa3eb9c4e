import type { Attribute } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import { isFile, related } from '../../schema/file-uses.js'
import { isObject } from '../../values/is-object.js'
import { isOperations } from './relation-payload.js'
import { fail } from '../../errors.js'
import { placeDetails } from './failure.js'

/** Keys of an object such as `{ connect: […] }`. */
export const operationKeys: ReadonlySet<string> = new Set([
  'set',
  'connect',
  'disconnect',
  'options',
])
const itemKeys: ReadonlySet<string> = new Set(['id', 'documentId', 'locale', 'position'])
/** Keys that responses add to an entry. `attributes` is the wrapper of the older response format. */
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
  /** Whether the client may see an attribute of this name in the target. */
  isShown: (name: string) => boolean
  refuse: (key: string, known: Iterable<string>) => Error
  path: readonly string[]
  /** Called with the path of each unknown key in a `position`. */
  ignored?: ((path: string) => void) | undefined
}>

/**
 * Reads the payload of a relation or media field. Reduces populated targets to `documentId` and `id`, and a wrapped
 * list `{ data: […] }` to the list (docs/internals/decisions.md, "Sending back what was read").
 * @throws the error of `refuse` for a key that neither a payload nor the target can have
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

/**
 * Returns the attribute that responses may show under this name. The attribute `related` of files has no definition.
 */
export function attributeShown(target: ContentType, name: string): Attribute | undefined {
  return (
    target.attributes.get(name) ?? (isFile(target) && name === related.name ? related : undefined)
  )
}

/** Checks `options`, such as `{ strict: false }`. Throws the error of `refuse` if they are invalid. */
export function readOptions(value: unknown, refuse: EdgeKeys['refuse']): unknown {
  if (value === null || value === undefined) return value
  if (!isObject(value)) throw refuse('options', ['strict'])
  for (const [key, inner] of Object.entries(value))
    if (key !== 'strict' || typeof inner !== 'boolean') throw refuse(key, ['strict'])
  return value
}

/** Undefined if the payload does not set `strict`. */
export function strictOf({ options }: Readonly<Record<string, unknown>>): boolean | undefined {
  return isObject(options) && typeof options['strict'] === 'boolean' ? options['strict'] : undefined
}

/** Unwraps `{ data: … }`, in which responses wrap filtered relations and, in the older format, all relations. */
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

/**
 * Reads one item of a payload.
 * @param places rules for positions; undefined if the item may have no position. With rules, an object in `position` is
 *   a position even if the target has an attribute named `position`
 */
function readItem(
  item: Readonly<Record<string, unknown>>,
  { target, isShown, refuse }: EdgeKeys,
  places: PositionRules | undefined,
): unknown {
  // A `position` that is not an object may be an attribute of the target.
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

const neighbours = ['before', 'after'] as const
const ends = ['start', 'end'] as const
const positionKeys: ReadonlySet<string> = new Set([...neighbours, ...ends])

type PositionRules = Readonly<{
  /** Valid keys besides `before`, `after`, `start` and `end`. */
  extraKeys?: readonly string[]
  /** `options.strict` of the payload. False turns an invalid position into the end of the list. */
  strict: boolean | undefined
  path: readonly string[]
  refuse: (key: string, known: Iterable<string>) => Error
  /** Called with the path of each ignored key. */
  ignored?: ((path: string) => void) | undefined
}>

/**
 * Reads a `position`: `{ before }`, `{ after }`, `{ start: true }`, `{ end: true }` or `'end'`. Returns undefined for
 * the end of the list (docs/internals/decisions.md, "Positions name one place").
 * @throws 400 for an invalid position unless `strict` is false, and for an unknown key if `strict` is true
 */
export function readPositionKeys(position: unknown, rules: PositionRules): unknown {
  if (position === undefined || position === null || position === 'end') return undefined
  const { strict, path, refuse, ignored, extraKeys = [] } = rules
  if (!isObject(position) || !hasOnePosition(position)) {
    if (strict === false) return undefined
    const place = path.join('.')
    const message = `The position of ${place} must be an object with one of before, after, start and end`
    throw fail('validation', message, placeDetails(path))
  }
  for (const key of Object.keys(position)) {
    if (positionKeys.has(key) || extraKeys.includes(key)) continue
    if (strict === true) throw refuse(key, positionKeys)
    ignored?.(['data', ...path, 'position', key].join('.'))
  }
  return position
}

/** Keys with null or false count as not set. */
function hasOnePosition(position: Readonly<Record<string, unknown>>): boolean {
  const given = [...positionKeys].filter(
    (key) => ![undefined, null, false].includes(position[key] as null),
  )
  const isEnd = ends.some((key) => given.includes(key))
  return given.length <= 1 && (!isEnd || given.every((key) => position[key] === true))
}
