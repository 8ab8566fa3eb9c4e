import { fail } from '../../errors.js'
import {
  type Attribute,
  type ComponentAttribute,
  type DynamicZoneAttribute,
  isStored,
  isScalar,
} from '../../schema/attribute.js'
import type { Structure } from '../../schema/content-type.js'
import { mapComponents, componentsIn, membersIn } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import { isMany } from '../../schema/edge-attribute.js'
import { editReferences } from './relation-edit.js'
import type { Body } from '../body/read-body.js'
import { isObject } from '../../values/is-object.js'
import { type ScalarContext, storeScalar, type Hashes, viewScalar } from './store-scalar.js'
import type { FindTarget } from '../body/targets.js'
import { placeDetails } from '../body/failure.js'
import { referencesIn } from './change.js'
import type { Fields } from '../../values/stored-types.js'

export type StoreContext = ScalarContext &
  Readonly<{
    registry: Registry
    find: FindTarget
    /** Returns a new component id. */
    takeComponentId: () => number
    /** `order` of new references: milliseconds since 1970. */
    connectedAt: number
  }>

type Path = readonly string[]

/**
 * Converts validated values to stored fields. Without `before`, the document or component is new and gets all fields.
 * With `before`, only the fields in `values` are returned, and components with an `id` are edited in place.
 * @param previous the published version. A client may send back components from it that the draft no longer has
 * @throws 400 for an unknown component id, an invalid date or an impossible position
 */
export function storeStructure(
  structure: Structure,
  values: Body,
  before: Fields | undefined,
  context: StoreContext,
  previous?: Fields,
  path: Path = [],
): Fields {
  const fields: Record<string, unknown> = {}
  for (const attribute of structure.attributes.values()) {
    if (!isStored(attribute)) continue
    const value = values[attribute.name]
    if (value !== undefined)
      fields[attribute.storedAs] = storeValue(attribute, value, before, context, previous, [
        ...path,
        attribute.name,
      ])
    else if (before === undefined) fields[attribute.storedAs] = emptyOf(attribute)
  }
  return fields
}

/**
 * Returns the stored value of an attribute that has no value. For a required list of components this is null, which
 * publishing rejects, unlike an empty list that a client has sent. Responses contain an empty list in both cases.
 */
export function emptyOf(attribute: Attribute): unknown {
  switch (attribute.type) {
    case 'dynamiczone':
    case 'component':
      return isList(attribute) && !attribute.required ? [] : null
    case 'media':
    case 'relation':
    case 'morph':
      return isMany(attribute) ? [] : null
    default:
      return null
  }
}

/** Whether the attribute has several components. */
export function isList(attribute: ComponentAttribute | DynamicZoneAttribute): boolean {
  return attribute.type === 'dynamiczone' || attribute.repeatable
}

function storeValue(
  attribute: Attribute,
  value: unknown,
  before: Fields | undefined,
  context: StoreContext,
  previous: Fields | undefined,
  path: Path,
): unknown {
  const stored = before?.[attribute.storedAs]
  switch (attribute.type) {
    case 'component':
    case 'dynamiczone': {
      const there = {
        now: componentsOf(stored),
        previous: componentsOf(previous?.[attribute.storedAs]),
      }
      return mapComponents(attribute, value, context.registry, (component, item, at) =>
        storeComponent(
          component,
          item,
          there,
          context,
          at === undefined ? path : [...path, String(at)],
        ),
      )
    }
    case 'media':
    case 'relation':
    case 'morph': {
      const { find, connectedAt } = context
      const there = referencesIn(stored)
      const references = editReferences(attribute, value, there, find, connectedAt, path)
      return isMany(attribute) ? references : (references.at(-1) ?? null)
    }
    default:
      return storeScalar(attribute, value, context, path)
  }
}

type Stored = readonly (Fields | null)[]
/**
 * Stored components that a body may edit: those of the draft or only version (`now`), and those of the published
 * version (`previous`). If `now` is undefined, the document or component is new, and ids in the body are ignored.
 */
type EditableComponents = Readonly<{ now: Stored | undefined; previous: Stored | undefined }>

function storeComponent(
  component: Structure,
  value: Body,
  { now, previous = [] }: EditableComponents,
  context: StoreContext,
  path: Path,
): Fields {
  const { id } = value
  if (now === undefined || id === undefined)
    return {
      id: context.takeComponentId(),
      ...storeStructure(component, value, undefined, context, undefined, path),
    }
  const published = componentOfId(previous, id)
  const before = componentOfId(now, id) ?? published
  if (before === undefined)
    throw fail(
      'application',
      {
        message: `Some of the provided components in ${nameOf(path)} are not related to the entity`,
      },
      placeDetails(path),
    )
  return { ...before, ...storeStructure(component, value, before, context, published, path) }
}

const nameOf = (path: Path): string => path.findLast((part) => !/^\d+$/.test(part)) ?? ''

function componentOfId(stored: Stored, id: unknown): Fields | undefined {
  return stored.find((item) => item !== null && item['id'] === idOf(id)) ?? undefined
}

/** Removes unknown ids in dynamic zones, so that entries copied from another document become new entries. */
export function withKnownEntries(
  type: Structure,
  body: Body,
  before: Fields,
  previous: Fields | undefined,
): Body {
  const zones = [...type.attributes.values()].filter(
    ({ type, name }) => type === 'dynamiczone' && Array.isArray(body[name]),
  )
  if (zones.length === 0) return body
  return {
    ...body,
    ...Object.fromEntries(
      zones.map(({ name, storedAs }) => {
        const there = [before, previous].flatMap((fields) => componentsOf(fields?.[storedAs]) ?? [])
        const known = new Map(there.map((entry) => [entry?.['id'], entry?.['__component']]))
        return [name, (body[name] as readonly unknown[]).map((entry) => knownEntry(entry, known))]
      }),
    ),
  }
}

/**
 * Removes the `id` of an unknown entry.
 * @param known types of the stored entries, by id. Deletes each id that is used, so that only one entry can have it
 */
function knownEntry(entry: unknown, known: Map<unknown, unknown>): unknown {
  if (!isObject(entry) || entry['id'] === undefined) return entry
  const id = idOf(entry['id'])
  const isKnown = known.get(id) === entry['__component']
  known.delete(id)
  if (isKnown) return entry
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'id'))
}

function componentsOf(stored: unknown): Stored | undefined {
  if (stored === undefined) return undefined
  return (Array.isArray(stored) ? stored : [stored]) as Stored
}

function idOf(id: unknown): unknown {
  return typeof id === 'string' ? Number(id) : id
}

/** Returns the number of components in a body, which is the maximum number of new ids. */
export function countComponents(structure: Structure, body: unknown, registry: Registry): number {
  let count = 0
  for (const { attribute, value } of membersIn(structure, body, registry))
    for (const [, item] of componentsIn(attribute, value, registry)) if (isObject(item)) count += 1
  return count
}

/**
 * Converts stored fields to values by attribute name, for the validation of a publish. Omits lists of components that
 * were never written but are required, so that validation reports them as missing.
 */
export function viewStructure(
  structure: Structure,
  fields: Fields,
  registry: Registry,
  hashes: Hashes,
): Body {
  const values: Record<string, unknown> = {}
  for (const attribute of structure.attributes.values()) {
    if (!isStored(attribute)) continue
    const stored = fields[attribute.storedAs] ?? emptyOf(attribute)
    if (stored === null && isComponents(attribute) && isList(attribute)) continue
    if (isScalar(attribute)) values[attribute.name] = viewScalar(attribute, stored, hashes)
    // Clients can neither see nor correct components that the zone no longer allows, so these are not validated.
    else if (isComponents(attribute))
      values[attribute.name] = mapComponents(attribute, stored, registry, (component, item) =>
        viewStructure(component, item, registry, hashes),
      )
    else values[attribute.name] = stored
  }
  return values
}

function isComponents(
  attribute: Attribute,
): attribute is ComponentAttribute | DynamicZoneAttribute {
  return attribute.type === 'component' || attribute.type === 'dynamiczone'
}
