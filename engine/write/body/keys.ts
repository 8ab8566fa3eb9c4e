import { fail } from '../../errors.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import type { Attribute } from '../../schema/attribute.js'
import { isReadable } from '../../schema/attribute.js'
import type { ContentType, Structure } from '../../schema/content-type.js'
import type { Grant } from '../../schema/grant.js'
import { allows } from '../../schema/grant.js'
import type { EdgeAttribute } from '../../schema/edge-attribute.js'
import { isEdgeAttribute, targetOf } from '../../schema/edge-attribute.js'
import { componentsIn } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import type { Failure } from './failure.js'
import { showFailure } from './failure.js'
import type { Body } from './read-body.js'
import { isObject } from '../../values/is-object.js'
import { attributeShown, readEdgeKeys } from './edge-keys.js'
import { readMorphKeys } from './morph-keys.js'

type Context = Readonly<{
  registry: Registry
  grant: Grant
  /** Called with the path of each ignored key of a position. */
  ignored?: ((path: string) => void) | undefined
}>

/** Values that the service sets itself; a body may only repeat the stored ones. */
export type Repeated = { readonly [K in RepeatedName]?: unknown }

const repeatedNames = [
  ...(['id', 'documentId', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'] as const),
  ...(['publishedAt', 'locale', 'localizations'] as const),
]
export type RepeatedName = (typeof repeatedNames)[number]

/** The value of an attribute that is not writable; it may only repeat the stored one. */
export type Unwritable = Readonly<{
  /** `['seo', 'rank']`. */
  path: readonly string[]
  attribute: Attribute
  value: unknown
  /** `id` of the component that has the value; as sent. */
  componentId?: unknown
  /** Permissions of the caller. Values that the caller may not see are not compared with the stored ones. */
  grant: Grant
}>

/** The parts of a body. */
export type ReadKeys = Readonly<{
  /** The attributes of the body. */
  body: Body
  /** Keys that the service sets itself. They are compared with the stored versions after those are read. */
  repeated: Repeated
  unwritable: readonly Unwritable[]
  /** Keys that the type does not have. */
  unknown: readonly UnknownKey[]
}>

/** A key that the structure does not have. */
type UnknownKey = Readonly<{
  key: string
  /** Path of the attribute that contains the key. */
  path: readonly string[]
  suggestion?: string
}>

/**
 * Maximum number of unknown keys that get a suggestion. A body of a megabyte can hold 100,000 keys, and each would be
 * compared with all names.
 */
const maxSuggested = 100

type Reading = Context &
  Readonly<{
    /** Collects values of attributes that are not writable. */
    collect: (value: Unwritable) => void
    /** Collects unknown keys. */
    unknown: UnknownKey[]
    /** `id` of the current component, as sent. */
    componentId?: unknown
    /** Whether the path is below an attribute that the caller may not see. */
    concealed?: boolean
  }>

/**
 * Takes a body apart by the keys of its type. Refuses keys that the caller may not write, and collects keys that the
 * type does not have (docs/coming-from-strapi.md, "Error messages" and "Bodies"). To write a relation, the caller needs
 * `find` on its target.
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

/** Maps the members of an object. Leaves out members for which `make` returns undefined. */
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
    // The validator refuses entries whose component the dynamic zone does not allow.
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
 * Returns the names that a message may reveal: attributes that may be read, and relations whose target may be found.
 */
function namesOf({ attributes }: Structure, { grant }: Context): readonly string[] {
  return [...attributes.values()]
    .filter((attribute) => isShown(attribute, grant))
    .map(({ name }) => name)
}

/** Whether responses to this caller may show the attribute. */
export function isShown(attribute: Attribute, grant: Grant): boolean {
  if (!isReadable(attribute)) return false
  return attribute.type !== 'relation' || allows(grant, attribute.target, 'find')
}

/**
 * Creates the error for a body with unknown keys. Its message names the first of them.
 * @param failures other errors of the body
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

/** Creates the error for an existing attribute that this body may not write. */
export function restricted(path: readonly string[]): Error {
  const place = path.join('.')
  const key = path.at(-1) ?? ''
  return fail(
    'invalid-key',
    { key, path: place === key ? null : place },
    { key, path: place, source: 'body' },
  )
}
