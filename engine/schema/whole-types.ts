import { isStored, type Attribute } from './attribute.js'
import type { ContentType, Structure } from './content-type.js'
import type { Registry } from './registry.js'
import type { Types } from './stored-places.js'

/** Adds the types and attributes of other definitions. */
export function withTypes({ contentTypes, components }: Types, others: Types): Types {
  return {
    contentTypes: joined(contentTypes, others.contentTypes, joinTypes),
    components: joined(components, others.components, joinStructures),
  }
}

/** Returns a type with all attributes that its entries may contain; without other definitions, `type` itself. */
export function wholeType({ whole }: Registry, type: ContentType): ContentType {
  return whole?.stored.contentTypes.get(type.uid) ?? type
}

/** Returns the types with all attributes that entries may contain. */
export const storedTypesOf = (registry: Registry): Types => registry.whole?.stored ?? registry

/** Returns the types of this registry merged with the newest definitions. */
export const newestTypesOf = (registry: Registry): Types => registry.whole?.newest ?? registry

function joined<T>(
  own: ReadonlyMap<string, T>,
  others: ReadonlyMap<string, T>,
  join: (one: T, other: T) => T,
): ReadonlyMap<string, T> {
  const all = new Map(others)
  for (const [uid, one] of own) {
    const other = others.get(uid)
    all.set(uid, other === undefined ? one : join(one, other))
  }
  return all
}

function joinTypes(own: ContentType, other: ContentType): ContentType {
  const type = joinStructures(own, other)
  return own.listed === true || other.listed !== true ? type : { ...type, listed: true }
}

/**
 * Merges two versions of a content-type or component. If both store an attribute in the same field, that of `own` wins.
 * A dynamic zone allows the components of both.
 */
function joinStructures<T extends Structure>(own: T, other: T): T {
  const others = new Map(
    [...other.attributes.values()].filter(isStored).map((one) => [one.storedAs, one]),
  )
  const used = new Set([...own.attributes.values()].map(({ storedAs }) => storedAs))
  const added = [...others.values()].filter(({ storedAs }) => !used.has(storedAs))
  const kept = [...own.attributes].map(([name, attribute]): [string, Attribute] => [
    name,
    joinZones(attribute, others.get(attribute.storedAs)),
  ])
  const isSame = kept.every(([name, attribute]) => own.attributes.get(name) === attribute)
  if (added.length === 0) return isSame ? own : { ...own, attributes: new Map(kept) }
  // The attribute's own name is no suitable key, because this version may have a different attribute with that name.
  const entries = added.map((attribute): [string, Attribute] => [
    `stored as ${attribute.storedAs}`,
    attribute,
  ])
  const unmanagedFields = new Set(added.map(({ storedAs }) => storedAs))
  return { ...own, unmanagedFields, attributes: new Map([...kept, ...entries]) }
}

function joinZones(own: Attribute, other: Attribute | undefined): Attribute {
  if (own.type !== 'dynamiczone' || other?.type !== 'dynamiczone') return own
  const components = [...new Set([...own.components, ...other.components])]
  return components.length === own.components.length ? own : { ...own, components }
}
