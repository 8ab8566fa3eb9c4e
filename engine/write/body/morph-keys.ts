import { fail } from '../../errors.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import { isReadable } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Grant } from '../../schema/grant.js'
import { allows } from '../../schema/grant.js'
import { morphTarget, morphTargets } from '../../schema/morph-targets.js'
import type { Registry } from '../../schema/registry.js'
import { systemAttribute } from '../../schema/system-attributes.js'
import { isObject } from '../../values/is-object.js'
import {
  attributeShown,
  operationKeys,
  readOptions,
  strictOf,
  unwrap,
  readPositionKeys,
} from './edge-keys.js'
import { isOperations } from './relation-payload.js'

type Context = Readonly<{
  registry: Registry
  grant: Grant
  /** Called with the path of each unknown key in a `position`. */
  ignored?: ((path: string) => void) | undefined
}>
/** Rules for positions. `strict` is `options.strict` of the payload. */
type Places = Readonly<{ strict: boolean | undefined }>

const itemKeys: ReadonlySet<string> = new Set(['__type', 'id', 'documentId', 'locale', 'position'])

/**
 * Reads the payload of a polymorphic relation. Every item must name its type (in the older response format, inside
 * `attributes`), and the client needs the permission `find` for this type. Attributes of the target are ignored, so
 * that clients can send back a response.
 * @throws 400 that names the item
 */
export function readMorphKeys(value: unknown, path: readonly string[], context: Context): unknown {
  const payload = unwrap(value)
  if (payload === null || payload === undefined || typeof payload === 'boolean') return payload
  if (!isOperations(payload)) return readItems(payload, path, context)
  const refuse = (key: string, known: Iterable<string>): Error => unknownKey(key, path, known)
  return Object.fromEntries(
    Object.entries(payload).map(([key, inner]) => {
      if (!operationKeys.has(key)) throw refuse(key, operationKeys)
      if (key === 'options') return [key, readOptions(inner, refuse)] as const
      const places = key === 'connect' ? { strict: strictOf(payload) } : undefined
      return [key, readItems(inner, [...path, key], context, places)] as const
    }),
  )
}

function readItems(
  value: unknown,
  path: readonly string[],
  context: Context,
  places?: Places,
): unknown {
  if (!Array.isArray(value)) return readItem(value, path, context, places)
  return value.map((item, at) => readItem(item, [...path, `${at}`], context, places))
}

function readItem(
  item: unknown,
  path: readonly string[],
  context: Context,
  places?: Places,
): unknown {
  if (item === null || item === undefined) return item
  const type = checkType(item, path, context)
  if (!isObject(item)) return item
  for (const key of Object.keys(item))
    if (!itemKeys.has(key) && !isNameOf(type, key)) throw unknownKey(key, path, itemKeys)
  const own = Object.fromEntries(Object.entries(item).filter(([key]) => itemKeys.has(key)))
  if (places === undefined || !('position' in own)) return { ...own, __type: type.uid }
  const refuse = (key: string, known: Iterable<string>): Error => unknownKey(key, path, known)
  const { ignored } = context
  const rules = { ...places, path, refuse, ignored, extraKeys: ['__type'] }
  const position = readPositionKeys(own['position'], rules)
  checkPosition(position, [...path, 'position'], context)
  return { ...own, position, __type: type.uid }
}

/** Checks the type of the neighbour in a `position`. By default, it is the type of the item. */
function checkPosition(position: unknown, path: readonly string[], context: Context): void {
  if (!isObject(position)) return
  if ('__type' in position) checkType(position, path, context)
  for (const key of ['before', 'after']) {
    const neighbour = position[key]
    if (isObject(neighbour) && '__type' in neighbour) checkType(neighbour, [...path, key], context)
  }
}

/**
 * Returns the content-type of an item. If the client lacks `find` for the type, the error does not reveal whether the
 * type exists.
 */
function checkType(
  item: unknown,
  path: readonly string[],
  { registry, grant }: Context,
): ContentType {
  const given = isObject(item) ? (item['__type'] ?? typeIn(item['attributes'])) : undefined
  const place = [...path, '__type'].join('.')
  const refuse = (message: string, suggestion: object = {}): Error =>
    fail('validation', message, { path: place, source: 'body', ...suggestion })
  if (typeof given !== 'string') throw refuse(`${place} must name the content-type of its target`)
  const type = morphTarget(registry, given)
  if (type !== undefined && allows(grant, type.uid, 'find')) return type
  const known = morphTargets(registry).filter(({ uid }) => allows(grant, uid, 'find'))
  throw refuse(
    `${place} names no content-type: ${JSON.stringify(given)}`,
    suggestionFor(
      given,
      known.map(({ uid }) => uid),
    ),
  )
}

const typeIn = (attributes: unknown): unknown =>
  isObject(attributes) ? attributes['__type'] : undefined

function isNameOf(type: ContentType, name: string): boolean {
  const attribute = attributeShown(type, name) ?? systemAttribute(type, name)
  return (attribute !== undefined && isReadable(attribute)) || shownExtraKeys.has(name)
}

/** Keys that responses may add to an entry. */
const shownExtraKeys: ReadonlySet<string> = new Set([
  'createdBy',
  'updatedBy',
  'localizations',
  'attributes',
])

function unknownKey(key: string, path: readonly string[], known: Iterable<string>): Error {
  const place = path.join('.')
  return fail(
    'invalid-key',
    { key, path: place },
    { key, path: place, source: 'body', ...suggestionFor(key, known) },
  )
}
