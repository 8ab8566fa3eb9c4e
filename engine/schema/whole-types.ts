import { isStored, type Attribute } from './attribute.js'
import type { ContentType, Structure } from './content-type.js'
import type { Registry } from './registry.js'
import type { Types } from './stored-places.js'

/** Types of a registry, and those of other definitions with what they have beside it. */
export function withTypes({ contentTypes, components }: Types, others: Types): Types {
  return {
    contentTypes: joined(contentTypes, others.contentTypes, joinTypes),
    components: joined(components, others.components, joinStructures),
  }
}

/** A type with every attribute that its entries may hold; that of the registry, where there is no more. */
export function wholeType({ whole }: Registry, type: ContentType): ContentType {
  return whole?.stored.contentTypes.get(type.uid) ?? type
}

/** All types with every attribute that entries may hold. */
export const storedTypesOf = (registry: Registry): Types => registry.whole?.stored ?? registry

/** All types that this registry or the newest one has. */
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

/** Of two attributes in one place the first is meant; a dynamic zone may hold what either allows. */
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
  // The same name may be another attribute here.
  const entries = added.map((attribute): [string, Attribute] => [
    `stored as ${attribute.storedAs}`,
    attribute,
  ])
  const beside = new Set(added.map(({ storedAs }) => storedAs))
  return { ...own, beside, attributes: new Map([...kept, ...entries]) }
}

function joinZones(own: Attribute, other: Attribute | undefined): Attribute {
  if (own.type !== 'dynamiczone' || other?.type !== 'dynamiczone') return own
  const components = [...new Set([...own.components, ...other.components])]
  return components.length === own.components.length ? own : { ...own, components }
}
