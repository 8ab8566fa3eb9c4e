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
import { checkMorph } from './check-morph.js'
import { isOperations } from './relation-payload.js'

type Context = Readonly<{
  registry: Registry
  grant: Grant
  /** Told of keys that nothing answers to, by their path; absent = they are refused. */
  ignored?: ((path: string) => void) | undefined
}>

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
 * A body as far as the type knows its keys. Refuses what the caller may not write, and what the type does not have
 * unless that is to be ignored, telling the first such key (docs/coming-from-strapi.md, "Error messages" and
 * "Bodies"; docs/decisions.md, "Profiles"). Keys of payloads of relations are refused in any case: what was meant by
 * them decides what becomes of the relation. To write a relation, the caller needs `find` on its target.
 */
export function readKeys(body: Body, type: ContentType, context: Context): Body {
  for (const key of ['id', 'documentId'])
    if (Object.hasOwn(body, key)) throw fail('invalid-key', { key }, { key, source: 'body' })

  return mapMembers(body, (key, value) => {
    const attribute = type.attributes.get(key)
    if (attribute !== undefined) return readValue(value, attribute, [key], context)
    if (systemNames.has(key) || (key === 'localizations' && type.localized)) throw restricted([key])
    if (tolerated.has(key)) return value
    return ignoreUnknown(key, [], type, context)
  })
}

/** An object with what is made of its members; without those of which nothing is. */
function mapMembers(
  members: Readonly<Record<string, unknown>>,
  make: (key: string, value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(members)) {
    const what = make(key, value)
    if (what !== undefined) made[key] = what
  }
  return made
}

function readValue(
  value: unknown,
  attribute: Attribute,
  path: readonly string[],
  context: Context,
): unknown {
  if (attribute.type === 'relation') checkRelation(value, attribute, path, context)
  if (attribute.type === 'media') checkPayload(value, path)
  if (attribute.type === 'morph') checkMorph(value, path, context)
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return value
  const isEntry = attribute.type === 'dynamiczone'
  const read = (item: unknown): unknown => {
    // An entry of a component that a dynamic zone does not take is the validator's to refuse.
    const [taken] = componentsIn(attribute, isEntry ? [item] : item, context.registry)
    return taken === undefined ? item : readComponent(item, taken[0], path, context, isEntry)
  }
  return Array.isArray(value) ? value.map(read) : isEntry ? value : read(value)
}

function readComponent(
  value: unknown,
  component: Structure,
  path: readonly string[],
  context: Context,
  isEntry: boolean,
): unknown {
  if (!isObject(value)) return value
  return mapMembers(value, (key, inner) => {
    const attribute = component.attributes.get(key)
    if (attribute !== undefined) return readValue(inner, attribute, [...path, key], context)
    if (key === 'id' || (isEntry && key === '__component')) return inner
    return ignoreUnknown(key, path, component, context)
  })
}

function ignoreUnknown(
  key: string,
  path: readonly string[],
  structure: Structure,
  context: Context,
): undefined {
  if (context.ignored === undefined) throw unknown(key, path, namesOf(structure, context))
  context.ignored([...path, key].join('.'))
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
