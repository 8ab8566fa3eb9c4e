import { fail, ApiError } from '../../errors.js'
import { isObject } from '../../values/is-object.js'
import {
  type Repeated,
  type RepeatedName,
  restricted,
  type Unwritable,
  isShown,
} from '../body/keys.js'
import { parameterConflict } from '../body/parameters.js'
import { type Version, type Versions, versionIn, referencesIn } from '../change/change.js'
import type { SaveRequest } from '../change/resolve-change.js'
import { isDeepStrictEqual } from 'node:util'
import { type Attribute, type ScalarAttribute, isScalar, isStored } from '../../schema/attribute.js'
import type { Structure } from '../../schema/content-type.js'
import type { ReferringAttribute } from '../../schema/edge-attribute.js'
import { type Grant, allows } from '../../schema/grant.js'
import { componentsIn } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import type { Fields, TypedReference } from '../../values/stored-types.js'
import { unwrap } from '../body/edge-keys.js'
import { placeValue } from '../body/read-body.js'
import { readRelation } from '../body/relation-payload.js'
import { storeScalar, viewScalar } from '../change/store-scalar.js'

type Request = Pick<SaveRequest, 'type' | 'documentId' | 'locale' | 'publish'>

/**
 * Checks that keys which Quire sets itself (`id`, `createdAt` …) have the same values as in the draft or published
 * version (docs/internals/decisions.md, "Sending back what was read").
 * @param ignored if given, keys that contradict a query parameter are ignored, as in Strapi
 * @throws 400 that names the key, or the query parameter to use instead
 */
export function checkRepeated(
  request: Request,
  repeated: Repeated,
  versions: Versions,
  ignored?: (path: string) => void,
): void {
  const { locale } = request
  const own = [versions.current, versions.published].flatMap((all) => versionIn(all, locale) ?? [])
  const stored: StoredVersions = { ...request, versions, own }
  for (const [name, value] of Object.entries(repeated)) {
    const key = name as RepeatedName
    if (checks[key](value, stored)) continue
    if (ignored === undefined || !parameterNames.has(key))
      throw refusals[key]?.() ?? restricted([key])
    ignored(`data.${key}`)
  }
}

/** Keys whose values are set by query parameters. */
const parameterNames: ReadonlySet<RepeatedName> = new Set(['publishedAt', 'locale'] as const)

type StoredVersions = Request & Readonly<{ versions: Versions; own: readonly Version[] }>

const checks: Readonly<Record<RepeatedName, (value: unknown, stored: StoredVersions) => boolean>> =
  {
    id: (value, { own }) => own.some(({ _id }) => _id === value || String(_id) === value),
    documentId: (value, { documentId, versions }) =>
      versions.current.length > 0 && value === documentId,
    createdAt: (value, { own }) => own.some(({ createdAt }) => isTime(value, createdAt)),
    updatedAt: (value, { own }) => own.some(({ updatedAt }) => isTime(value, updatedAt)),
    createdBy: (value, { own }) => own.some((version) => isWriter(value, version['createdBy'])),
    updatedBy: (value, { own }) => own.some((version) => isWriter(value, version['updatedBy'])),
    publishedAt: (value, { type, own, publish }) =>
      value === null
        ? type.draftAndPublish && !publish
        : own.some(({ publishedAt }) => isTime(value, publishedAt)),
    locale: (value, { type, locale }) => !type.localized || value === locale,
    localizations: (value, stored) => isLocalizations(value, stored),
  }

const refusals: { readonly [K in RepeatedName]?: () => Error } = {
  id: () => fail('invalid-key', { key: 'id' }, { key: 'id', source: 'body' }),
  documentId: () =>
    fail('invalid-key', { key: 'documentId' }, { key: 'documentId', source: 'body' }),
  publishedAt: () => parameterConflict('publishedAt'),
  locale: () => parameterConflict('locale'),
}

const isTime = (value: unknown, time: Date | null | undefined): boolean =>
  typeof value === 'string' && time instanceof Date && Date.parse(value) === time.getTime()

/** Whether a value identifies the stored admin: a populated object, a documentId, or null if there is none. */
function isWriter(value: unknown, stored: unknown): boolean {
  const documentId = isObject(stored) ? stored['documentId'] : undefined
  if (value === null || documentId === undefined) return value === null && documentId === undefined
  return (isObject(value) ? value['documentId'] : value) === documentId
}

/** Whether a value is a list of other existing locales of the document, as in responses. */
function isLocalizations(
  value: unknown,
  { documentId, versions, locale: own }: StoredVersions,
): boolean {
  const given: unknown = isObject(value) ? value['data'] : value
  if (!Array.isArray(given)) return false
  const all = [...versions.current, ...versions.published]
  return given.every((item: unknown) => {
    if (!isObject(item) || item['documentId'] !== documentId) return false
    const { id } = item
    return all.some((version) => version.locale !== own && (id === undefined || version._id === id))
  })
}

type Context = Readonly<{ registry: Registry; grant: Grant }>

/**
 * Checks that each non-writable attribute in a body has the same value as in the draft or published version of the
 * locale (docs/internals/decisions.md, "Sending back what was read").
 * @throws 400 that names the attribute
 */
export function checkUnwritable(
  {
    type,
    registry,
    locale,
    unwritable = [],
  }: Pick<SaveRequest, 'type' | 'registry' | 'locale'> &
    Readonly<{ unwritable?: readonly Unwritable[] }>,
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
