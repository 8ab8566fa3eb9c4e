import { isDeepStrictEqual } from 'node:util'
import type { Attribute, ScalarAttribute } from '../../schema/attribute.js'
import { isScalar, isStored } from '../../schema/attribute.js'
import type { Structure } from '../../schema/content-type.js'
import type { ReferringAttribute } from '../../schema/edge-attribute.js'
import type { Grant } from '../../schema/grant.js'
import { allows } from '../../schema/grant.js'
import { componentsIn } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import { isObject } from '../../values/is-object.js'
import type { Fields, TypedReference } from '../../values/stored-types.js'
import { ApiError } from '../../errors.js'
import type { Unwritable } from '../body/keys.js'
import { isShown, restricted } from '../body/keys.js'
import { unwrap } from '../body/edge-keys.js'
import { placeValue } from '../body/numbers.js'
import { readRelation } from '../body/relation-payload.js'
import type { Versions } from '../change/change.js'
import { referencesIn, versionIn } from '../change/change.js'
import type { SaveRequest } from '../change/resolve-change.js'
import { storeScalar, viewScalar } from '../change/store-scalar.js'

type Request = Pick<SaveRequest, 'type' | 'registry' | 'locale'> &
  Readonly<{ unwritable?: readonly Unwritable[] }>
type Context = Readonly<{ registry: Registry; grant: Grant }>

/**
 * Checks that each non-writable attribute in a body has the same value as in the draft or published version of the
 * locale (docs/internals/decisions.md, "Sending back what was read").
 * @throws 400 that names the attribute
 */
export function checkUnwritable(
  { type, registry, locale, unwritable = [] }: Request,
  versions: Versions,
): void {
  if (unwritable.length === 0) return
  const own = [versions.current, versions.published].flatMap((all) => versionIn(all, locale) ?? [])
  const components = new Map<unknown, readonly Fields[]>()
  for (const version of own)
    for (const fields of componentsOf(type, version, registry))
      components.set(fields['id'], [...(components.get(fields['id']) ?? []), fields])
  for (const { path, attribute, value, componentId, grant } of unwritable) {
    const id = typeof componentId === 'string' ? Number(componentId) : componentId
    const inPlace = id === undefined ? [] : components.get(id)
    const containers = path.length === 1 ? own : (inPlace ?? [])
    if (!containers.some((fields) => isUnchanged(attribute, value, fields, { registry, grant })))
      throw restricted(path)
  }
}

/** Yields all components of a version, at any depth. Their ids are distinct. */
export function* componentsOf(
  structure: Structure,
  fields: Fields,
  registry: Registry,
): Generator<Fields> {
  for (const attribute of structure.attributes.values())
    for (const [component, item] of componentsIn(attribute, fields[attribute.storedAs], registry)) {
      if (!isObject(item)) continue
      yield item
      yield* componentsOf(component, item, registry)
    }
}

/** Whether a value equals the stored one. Always false if the client may not read it, so that nobody can guess it. */
function isUnchanged(
  attribute: Attribute,
  value: unknown,
  container: Fields,
  context: Context,
): boolean {
  if (!isStored(attribute) || !isShown(attribute, context.grant)) return false
  const stored = container[attribute.storedAs]
  if (isScalar(attribute)) return isSameScalar(attribute, value, stored, context)
  return attribute.type === 'component' || attribute.type === 'dynamiczone'
    ? areComponents(attribute, value, stored, context)
    : areReferences(attribute, value, stored, context)
}

/**
 * Whether the document already has all references that a value contains. Responses omit some, such as those to
 * unpublished targets.
 */
function areReferences(
  { type }: ReferringAttribute,
  value: unknown,
  stored: unknown,
  { grant }: Context,
): boolean {
  const payload = readRelation(unwrap(value))
  const known = new Set(
    referencesIn(stored).map((reference) => keyOf((reference as TypedReference).__type, reference)),
  )
  return (
    payload.kind === 'set' &&
    payload.items.every((item) => {
      if (!('documentId' in item.target)) return false
      if (type !== 'morph') return known.has(keyOf(undefined, item.target))
      return allows(grant, item.type ?? '', 'find') && known.has(keyOf(item.type, item.target))
    })
  )
}

const keyOf = (uid: string | undefined, { documentId }: { readonly documentId: string }): string =>
  `${uid ?? ''} ${documentId}`

function isSameScalar(
  attribute: ScalarAttribute,
  value: unknown,
  stored: unknown,
  context: Context,
): boolean {
  if (value === null || stored === null || stored === undefined) return value === (stored ?? null)
  const form = (it: unknown): unknown => viewScalar(attribute, it, new Map())
  try {
    const meant = storeScalar(attribute, placeValue(value, attribute, context.registry), {
      hashes: new Map(),
    })
    return isDeepStrictEqual(form(meant), form(stored))
  } catch (error) {
    // The value does not fit the type of the attribute.
    if (error instanceof ApiError) return false
    throw error
  }
}

function areComponents(
  attribute: Attribute,
  value: unknown,
  stored: unknown,
  context: Context,
): boolean {
  const given = listOf(unwrap(value))
  const there = listOf(stored)
  const known = new Map<unknown, readonly [component: Structure, fields: unknown]>()
  for (const [component, fields, at] of componentsIn(attribute, there, context.registry))
    known.set(at, [component, fields])
  return (
    given.length === there.length &&
    given.every((item, at) => {
      const [component, fields] = known.get(at) ?? []
      if (component === undefined || !isObject(item) || !isObject(fields)) return false
      return Object.entries(item).every(([key, inner]) => {
        const member = component.attributes.get(key)
        if (key === '__component') return inner === component.uid
        if (member === undefined) return key === 'id' && isId(inner, fields['id'])
        return isUnchanged(member, inner, fields, context)
      })
    })
  )
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : (value ?? null) === null ? [] : [value]

const isId = (given: unknown, id: unknown): boolean =>
  given === id || (typeof given === 'string' && given === String(id))
