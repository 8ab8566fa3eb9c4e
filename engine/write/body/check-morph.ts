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
import { isOperations } from './relation-payload.js'

type Context = Readonly<{ registry: Registry; grant: Grant }>

const operations = ['set', 'connect', 'disconnect'] as const
const operationKeys: ReadonlySet<string> = new Set([...operations, 'options'])
const itemKeys: ReadonlySet<string> = new Set(['__type', 'id', 'documentId', 'locale', 'position'])

/**
 * Checks what a body says of a polymorphic relation: every item names the type of its target, which the caller may
 * `find`. Other names of the target are passed over, so that what was read can be sent back.
 * @throws 400 that names the item
 */
export function checkMorph(value: unknown, path: readonly string[], context: Context): void {
  if (value === null || value === undefined || typeof value === 'boolean') return
  if (!isOperations(value)) return checkItems(value, path, context)
  for (const key of Object.keys(value))
    if (!operationKeys.has(key)) throw unknownKey(key, path, operationKeys)
  for (const key of operations) checkItems(value[key], [...path, key], context)
}

function checkItems(value: unknown, path: readonly string[], context: Context): void {
  if (value === null || value === undefined) return
  if (!Array.isArray(value)) return checkItem(value, path, context)
  value.forEach((item, at) => checkItem(item, [...path, `${at}`], context))
}

function checkItem(item: unknown, path: readonly string[], context: Context): void {
  if (item === null) return
  const type = checkType(item, path, context)
  if (!isObject(item)) return
  for (const key of Object.keys(item))
    if (!itemKeys.has(key) && !isNameOf(type, key)) throw unknownKey(key, path, itemKeys)
  const position = item['position']
  if (!isObject(position)) return
  for (const key of ['before', 'after']) {
    const neighbour = position[key]
    const place = [...path, 'position', key]
    // Without a type it is of that of the item.
    if (isObject(neighbour) && '__type' in neighbour) checkType(neighbour, place, context)
  }
}

/** A type that the caller may not find is told as one that there is not. */
function checkType(
  item: unknown,
  path: readonly string[],
  { registry, grant }: Context,
): ContentType {
  const given = isObject(item) ? item['__type'] : undefined
  const place = [...path, '__type'].join('.')
  const refuse = (message: string, suggestion: object = {}): Error =>
    fail('validation', { message }, { path: place, source: 'body', ...suggestion })
  if (typeof given !== 'string')
    throw refuse(`${place} must name the content-type that is referred to`)
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

function isNameOf(type: ContentType, name: string): boolean {
  const attribute = type.attributes.get(name) ?? systemAttribute(type, name)
  return (attribute !== undefined && isReadable(attribute)) || shownBeside.has(name)
}

/** What an entry may be shown with that is no attribute of its own. */
const shownBeside: ReadonlySet<string> = new Set(['createdBy', 'updatedBy', 'localizations'])

function unknownKey(key: string, path: readonly string[], known: Iterable<string>): Error {
  const place = path.join('.')
  return fail(
    'invalid-key',
    { key, path: place },
    { key, path: place, source: 'body', ...suggestionFor(key, known) },
  )
}
