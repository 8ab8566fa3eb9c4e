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
import type { Failure } from '../rules/failure.js'
import { showFailure } from '../rules/failure.js'
import type { Body } from './read-body.js'
import { isObject } from '../../values/is-object.js'
import { attributeShown, readEdgeKeys } from './edge-keys.js'
import { readMorphKeys } from './morph-keys.js'

type Context = Readonly<{
  registry: Registry
  grant: Grant
  /** Told of keys of positions that are passed over, by their path. */
  ignored?: ((path: string) => void) | undefined
}>

/** What the service writes itself, and a body may only repeat. */
export type Repeated = { readonly [K in RepeatedName]?: unknown }

const repeatedNames = [
  ...(['id', 'documentId', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'] as const),
  ...(['publishedAt', 'locale', 'localizations'] as const),
]
export type RepeatedName = (typeof repeatedNames)[number]

/** What a body says of an attribute that is not writable: it may only repeat what is so. */
export type Unwritable = Readonly<{
  /** `['seo', 'rank']`. */
  path: readonly string[]
  attribute: Attribute
  value: unknown
  /** `id` of the component that the value stands in; as sent. */
  componentId?: unknown
  /** Whose body it is: what is not shown to it is not compared for it either. */
  grant: Grant
}>

/** A body, taken apart. */
export type ReadKeys = Readonly<{
  /** Its attributes. */
  body: Body
  /** What it says of the entry beside them: whether that is so is seen when the versions are read. */
  repeated: Repeated
  unwritable: readonly Unwritable[]
  /** What nothing answers to. */
  unknown: readonly UnknownKey[]
}>

/** A key of a body that nothing answers to. */
type UnknownKey = Readonly<{
  key: string
  /** Of the attribute that it stands in. */
  path: readonly string[]
  suggestion?: string
}>

/** Keys with a suggestion: a megabyte holds 100,000, each of which would be compared with all names. */
const maxSuggested = 100

type Reading = Context &
  Readonly<{
    /** Takes what is said of attributes that are not writable. */
    collect: (value: Unwritable) => void
    /** Keys that nothing answers to. */
    unknown: UnknownKey[]
    /** Of the component that is read, as sent. */
    componentId?: unknown
    /** Whether it is below an attribute that the caller is not shown. */
    concealed?: boolean
  }>

/**
 * A body as far as the type knows its keys. Refuses what the caller may not write, and collects what the type does not
 * have (docs/coming-from-strapi.md, "Error messages" and "Bodies"). To write a relation, the caller needs `find` on its
 * target.
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
    // An entry of a component that a dynamic zone does not take is the validator's to refuse.
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

/** The names that a message may give away: of what may be read, and of relations whose target may be found. */
function namesOf({ attributes }: Structure, { grant }: Context): readonly string[] {
  return [...attributes.values()]
    .filter((attribute) => isShown(attribute, grant))
    .map(({ name }) => name)
}

/** Whether answers to this caller may show it. */
export function isShown(attribute: Attribute, grant: Grant): boolean {
  if (!isReadable(attribute)) return false
  return attribute.type !== 'relation' || allows(grant, attribute.target, 'find')
}

/**
 * The error of a body with unknown keys. Its message names the first of them.
 * @param failures what else is wrong with it
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

/** Something that is there, but not for this body to write. */
export function restricted(path: readonly string[]): Error {
  const place = path.join('.')
  const key = path.at(-1) ?? ''
  return fail(
    'invalid-key',
    { key, path: place === key ? null : place },
    { key, path: place, source: 'body' },
  )
}
