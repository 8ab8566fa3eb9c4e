import { fail } from '../../errors.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import { type Attribute, isReadable } from '../../schema/attribute.js'
import type { ContentType, Structure } from '../../schema/content-type.js'
import { type Grant, allows } from '../../schema/grant.js'
import { type EdgeAttribute, isEdgeAttribute, targetOf } from '../../schema/edge-attribute.js'
import { componentsIn } from '../../schema/members-in.js'
import { type Registry, typeOf } from '../../schema/registry.js'
import { type Failure, showFailure } from './failure.js'
import type { Body } from './read-body.js'
import { isObject } from '../../values/is-object.js'
import { attributeShown, readEdgeKeys } from './edge-keys.js'
import { readMorphKeys } from './morph-keys.js'

type Context = Readonly<{
  registry: Registry
  grant: Grant
  /** Called with the path of each unknown key in a `position`. */
  ignored?: ((path: string) => void) | undefined
}>

/** Values of keys that Quire sets itself. A body may only repeat the stored ones. */
export type Repeated = { readonly [K in RepeatedName]?: unknown }

const repeatedNames = [
  ...(['id', 'documentId', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'] as const),
  ...(['publishedAt', 'locale', 'localizations'] as const),
]
export type RepeatedName = (typeof repeatedNames)[number]

/** A value for an attribute that is not writable. It must equal the stored value. */
export type Unwritable = Readonly<{
  path: readonly string[]
  attribute: Attribute
  value: unknown
  /** `id` of the component in the body. */
  componentId?: unknown
  /** Values that the client may not see are never compared with stored ones. */
  grant: Grant
}>

/** The members of a body by kind. */
export type ReadKeys = Readonly<{
  body: Body
  /** Values of keys that Quire sets itself, to be compared with the stored versions. */
  repeated: Repeated
  unwritable: readonly Unwritable[]
  unknown: readonly UnknownKey[]
}>

type UnknownKey = Readonly<{
  key: string
  /** Path of the component; empty for the body itself. */
  path: readonly string[]
  suggestion?: string
}>

/** A body of one megabyte can contain 100,000 unknown keys, and each suggestion compares a key with all valid names. */
const maxSuggested = 100

type Reading = Context &
  Readonly<{
    /** Called for each value of a non-writable attribute. */
    collect: (value: Unwritable) => void
    unknown: UnknownKey[]
    /** `id` of the current component in the body. */
    componentId?: unknown
    /** Whether the current component is in an attribute that the client may not see. */
    concealed?: boolean
  }>

/**
 * Separates the members of a body by kind. Rejects keys that the client may not write, and relations to types without
 * the permission `find` (docs/internals/strapi-behaviour.md, "Error messages" and "Bodies").
 */
export function readKeys(data: Body, type: ContentType, context: Context): ReadKeys {
  const repeated: { -readonly [K in RepeatedName]?: unknown } = {}
  const unwritable: Unwritable[] = []
  const unknown: UnknownKey[] = []
  const reading: Reading = { ...context, collect: (value) => unwritable.push(value), unknown }
  const body = mapMembers(data, (key, value) => {
    const attribute = type.attributes.get(key)
    if (attribute !== undefined) return readValue(value, attribute, [key], reading)
    const name = repeatedNames.find((each) => each === key)
    if (name === undefined || (name === 'localizations' && !type.localized))
      return refuse(key, [], type, reading)
    repeated[name] = value
    return undefined
  })
  return { body, repeated, unwritable, unknown }
}

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
  context: Reading,
): unknown {
  if (attribute.writable === false) {
    const { componentId, grant } = context
    return void context.collect({ path, attribute, value, componentId, grant })
  }
  if (isEdgeAttribute(attribute)) return readEdge(value, attribute, path, context)
  if (attribute.type === 'morph') return readMorphKeys(value, path, context)
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return value
  const isEntry = attribute.type === 'dynamiczone'
  const inner = isReadable(attribute) ? context : { ...context, concealed: true }
  const read = (item: unknown): unknown => {
    // Leave components that the dynamic zone does not allow as they are. Validation rejects them.
    const [taken] = componentsIn(attribute, isEntry ? [item] : item, context.registry)
    return taken === undefined ? item : readComponent(item, taken[0], path, inner, isEntry)
  }
  return Array.isArray(value) ? value.map(read) : isEntry ? value : read(value)
}

function readComponent(
  value: unknown,
  component: Structure,
  path: readonly string[],
  context: Reading,
  isEntry: boolean,
): unknown {
  if (!isObject(value)) return value
  const reading = context.concealed === true ? context : { ...context, componentId: value['id'] }
  return mapMembers(value, (key, inner) => {
    const attribute = component.attributes.get(key)
    if (attribute !== undefined) return readValue(inner, attribute, [...path, key], reading)
    if (key === 'id' || (isEntry && key === '__component')) return inner
    return refuse(key, path, component, context)
  })
}

function refuse(
  key: string,
  path: readonly string[],
  structure: Structure,
  context: Reading,
): undefined {
  const isFirst = context.unknown.length < maxSuggested
  const suggestion = isFirst ? suggestionFor(key, namesOf(structure, context)) : {}
  context.unknown.push({ key, path, ...suggestion })
  return undefined
}

function readEdge(
  value: unknown,
  attribute: EdgeAttribute,
  path: readonly string[],
  context: Context,
): unknown {
  if (attribute.type === 'relation' && !allows(context.grant, attribute.target, 'find'))
    throw restricted(path)
  const target = typeOf(context.registry, targetOf(attribute))
  return readEdgeKeys(value, {
    target,
    isShown: (name) => {
      const attribute = attributeShown(target, name)
      return attribute !== undefined && isShown(attribute, context.grant)
    },
    refuse: (key, known) => unknownKeys([{ key, path, ...suggestionFor(key, known) }]),
    path,
    ignored: context.ignored,
  })
}

/**
 * Returns the names of the attributes that responses to this client may contain. Error messages may contain no others.
 */
function namesOf({ attributes }: Structure, { grant }: Context): readonly string[] {
  return [...attributes.values()]
    .filter((attribute) => isShown(attribute, grant))
    .map(({ name }) => name)
}

/** Whether responses to this client may contain the attribute. */
export function isShown(attribute: Attribute, grant: Grant): boolean {
  if (!isReadable(attribute)) return false
  return attribute.type !== 'relation' || allows(grant, attribute.target, 'find')
}

/**
 * Creates an error whose message names the first unknown key.
 * @param failures other errors of the body to report together with the keys
 */
export function unknownKeys(keys: readonly UnknownKey[], failures: readonly Failure[] = []): Error {
  const [first] = keys.map(({ path, ...rest }) => ({
    ...rest,
    path: path.length === 0 ? null : path.join('.'),
    source: 'body',
  }))
  if (first === undefined) throw new Error('a body with unknown keys has one')
  const all = [...keys.map(keyFailure), ...failures]
  const errors = all.length === 1 ? {} : { errors: all.map(showFailure) }
  return fail('invalid-key', first, { ...first, ...errors })
}

function keyFailure({ key, path, suggestion }: UnknownKey): Failure {
  const message = `Invalid key ${key}${path.length === 0 ? '' : ` at ${path.join('.')}`}`
  const help = suggestion === undefined ? {} : { suggestion }
  return { path: [...path, key], message, value: undefined, help }
}

/** Creates the error for a key that this request must not change. */
export function restricted(path: readonly string[]): Error {
  const place = path.join('.')
  const key = path.at(-1) ?? ''
  return fail(
    'invalid-key',
    { key, path: place === key ? null : place },
    { key, path: place, source: 'body' },
  )
}

/**
 * Rejects edits of relations that are stored in entries of types without draft & publish, because clients who may only
 * write drafts must not change published content (docs/internals/decisions.md, "Permissions are given one by one").
 * @throws ApiError 400 that names the relation
 */
export function checkDraftOnly(body: Body, type: ContentType, registry: Registry): void {
  for (const key of Object.keys(body)) {
    const attribute = type.attributes.get(key)
    if (attribute?.type !== 'relation' || attribute.owner) continue
    if (!typeOf(registry, attribute.target).draftAndPublish)
      throw fail('invalid-key', { key }, { key, path: key, source: 'body' })
  }
}
