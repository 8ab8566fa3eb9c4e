import { fail } from '../../errors.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import type { Attribute, RelationAttribute } from '../../schema/attribute.js'
import { isReadable } from '../../schema/attribute.js'
import type { ContentType, Structure } from '../../schema/content-type.js'
import type { Grant } from '../../schema/grant.js'
import { allows } from '../../schema/grant.js'
import { componentsIn } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import type { Body } from './read-body.js'
import { isObject } from '../../values/is-object.js'
import { isOperations } from './relation-payload.js'

type Context = Readonly<{ registry: Registry; grant: Grant }>

/** What the service writes itself. */
const systemNames: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
])
/** Names that an entry is shown with, and that a body may repeat without effect. */
const tolerated: ReadonlySet<string> = new Set(['locale', 'publishedAt'])

const operationKeys: ReadonlySet<string> = new Set(['set', 'connect', 'disconnect', 'options'])
const itemKeys: ReadonlySet<string> = new Set(['id', 'documentId', 'locale', 'position'])

/**
 * Refuses a body that names what the type does not have or the caller may not write, telling the first such
 * key (docs/coming-from-strapi.md, "Error messages" and "Bodies"). To write a relation, the caller needs
 * `find` on its target.
 */
export function checkKeys(body: Body, type: ContentType, context: Context): void {
  for (const key of ['id', 'documentId'])
    if (Object.hasOwn(body, key)) throw fail('invalid-key', { key }, { key, source: 'body' })

  for (const [key, value] of Object.entries(body)) {
    const attribute = type.attributes.get(key)
    if (attribute !== undefined) checkValue(value, attribute, [key], context)
    else if (systemNames.has(key) || (key === 'localizations' && type.localized))
      throw restricted([key])
    else if (!tolerated.has(key)) throw unknown(key, [], namesOf(type, context))
  }
}

function checkValue(
  value: unknown,
  attribute: Attribute,
  path: readonly string[],
  context: Context,
): void {
  if (attribute.type === 'relation') checkRelation(value, attribute, path, context)
  if (attribute.type === 'media') checkPayload(value, path)
  // An entry of a component that a dynamic zone does not take is the validator's to refuse.
  for (const [component, item] of componentsIn(attribute, listOf(value), context.registry))
    checkComponent(item, component, path, context, attribute.type === 'dynamiczone')
}

function checkComponent(
  value: unknown,
  component: Structure,
  path: readonly string[],
  context: Context,
  isEntry: boolean,
): void {
  if (!isObject(value)) return
  for (const [key, inner] of Object.entries(value)) {
    const attribute = component.attributes.get(key)
    if (attribute !== undefined) checkValue(inner, attribute, [...path, key], context)
    else if (key !== 'id' && !(isEntry && key === '__component'))
      throw unknown(key, path, namesOf(component, context))
  }
}

function checkRelation(
  value: unknown,
  attribute: RelationAttribute,
  path: readonly string[],
  { grant }: Context,
): void {
  if (!allows(grant, attribute.target, 'find')) throw restricted(path)
  checkPayload(value, path)
}

function checkPayload(value: unknown, path: readonly string[]): void {
  for (const item of listOf(value)) {
    if (!isObject(item)) continue
    for (const [key, inner] of Object.entries(item)) {
      if (operationKeys.has(key) && isOperations(value)) checkItems(inner, path)
      else if (!itemKeys.has(key)) throw unknown(key, path, [...operationKeys, ...itemKeys])
    }
  }
}

function checkItems(value: unknown, path: readonly string[]): void {
  for (const item of listOf(value)) {
    if (!isObject(item)) continue
    for (const key of Object.keys(item)) if (!itemKeys.has(key)) throw unknown(key, path, itemKeys)
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** The names that a message may give away: of what may be read, and of relations whose target may be found. */
function namesOf({ attributes }: Structure, { grant }: Context): readonly string[] {
  return [...attributes.values()]
    .filter(
      (attribute) =>
        isReadable(attribute) &&
        (attribute.type !== 'relation' || allows(grant, attribute.target, 'find')),
    )
    .map(({ name }) => name)
}

function unknown(key: string, path: readonly string[], known: Iterable<string>): Error {
  const place = path.length === 0 ? null : path.join('.')
  return fail(
    'invalid-key',
    { key, path: place },
    { key, path: place, source: 'body', ...suggestionFor(key, known) },
  )
}

/** Something that is there, but not for this body to write. */
function restricted(path: readonly string[]): Error {
  const place = path.join('.')
  const key = path.at(-1) ?? ''
  return fail(
    'invalid-key',
    { key, path: place === key ? null : place },
    { key, path: place, source: 'body' },
  )
}
