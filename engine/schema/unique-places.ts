import { isObject } from '../values/is-object.js'
import type { Fields } from '../values/stored-types.js'
import { uniqueText, type ListedUnique } from '../values/unique-list.js'
import {
  isScalar,
  type ComponentAttribute,
  type DynamicZoneAttribute,
  type ScalarAttribute,
} from './attribute.js'
import { structuresOf } from './attributes-in.js'
import type { ContentType, Structure } from './content-type.js'
import type { Types } from './stored-places.js'

/** Where an entry or component has unique values inside components. */
export type UniquePlaces = Readonly<{
  /** A component's own unique attributes. `key` is the prefix of their values in a version's list of unique values. */
  values: readonly Readonly<{ attribute: ScalarAttribute; key: string }>[]
  /** Attributes that contain components with unique values, with these components by uid. */
  below: readonly Readonly<{
    attribute: ComponentAttribute | DynamicZoneAttribute
    inside: ReadonlyMap<string, UniquePlaces>
  }>[]
}>

/** Cached, because a content-type never changes. */
const known = new WeakMap<ContentType, UniquePlaces>()

/** Returns where a type has unique values inside components. */
export function uniquePlaces(type: ContentType, types: Types): UniquePlaces {
  const places = known.get(type) ?? { values: [], below: placesBelow(type, types) }
  known.set(type, places)
  return places
}

function placesBelow(structure: Structure, types: Types): UniquePlaces['below'] {
  return [...structure.attributes.values()].flatMap((attribute) => {
    if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return []
    const inside = structuresOf(attribute, types).flatMap((component) => {
      const places = { values: valuesOf(component), below: placesBelow(component, types) }
      const isEmpty = places.values.length + places.below.length === 0
      return isEmpty ? [] : [[component.uid, places] as const]
    })
    return inside.length === 0 ? [] : [{ attribute, inside: new Map(inside) }]
  })
}

const valuesOf = ({ uid, attributes }: Structure): UniquePlaces['values'] =>
  [...attributes.values()].flatMap((attribute) =>
    isScalar(attribute) && attribute.unique
      ? [{ attribute, key: `${uid}.${attribute.storedAs}` }]
      : [],
  )

/** Returns the stored fields that may contain unique values inside components. */
export const uniqueFields = ({ below }: UniquePlaces): ReadonlySet<string> =>
  new Set(below.map(({ attribute }) => attribute.storedAs))

/** Returns a string such as `list menu.item.slug` for each place, to compare the places of two schemas. */
export function uniqueTexts(places: UniquePlaces): readonly string[] {
  const texts = places.below.flatMap(({ attribute, inside }) =>
    [...inside.values()].flatMap(keysIn).map((key) => `${attribute.storedAs} ${key}`),
  )
  return [...new Set(texts)].sort()
}

const keysIn = ({ values, below }: UniquePlaces): readonly string[] => [
  ...values.map(({ key }) => key),
  ...below.flatMap(({ inside }) => [...inside.values()].flatMap(keysIn)),
]

/** A unique value in a component of an entry. */
export type FoundUnique = Pick<ListedUnique, 'in' | 'is'> &
  Readonly<{
    attribute: ScalarAttribute
    /** Such as `['items', '0', 'slug']`. */
    path: readonly string[]
    value: unknown
  }>

/** Returns the unique values in an entry's components, in the order of its attributes. Skips nulls. */
export function uniquesIn({ below }: UniquePlaces, entry: Fields): readonly FoundUnique[] {
  return below.flatMap((one) => uniquesUnder(one, entry, { in: one.attribute.storedAs, path: [] }))
}

type Place = Pick<FoundUnique, 'in' | 'path'>

function uniquesUnder(
  { attribute, inside }: UniquePlaces['below'][number],
  fields: Fields,
  { in: field, path }: Place,
): readonly FoundUnique[] {
  const held = fields[attribute.storedAs]
  const here = [...path, attribute.name]
  const items: readonly unknown[] = Array.isArray(held) ? held : [held]
  return items.flatMap((item, at) => {
    const uid = isObject(item) && (item['__component'] ?? componentOf(attribute))
    const places = typeof uid === 'string' ? inside.get(uid) : undefined
    if (places === undefined) return []
    const place = { in: field, path: Array.isArray(held) ? [...here, String(at)] : here }
    return uniquesOf(places, item as Fields, place)
  })
}

const componentOf = (attribute: ComponentAttribute | DynamicZoneAttribute): string | undefined =>
  attribute.type === 'component' ? attribute.component : undefined

function uniquesOf(
  { values, below }: UniquePlaces,
  component: Fields,
  { in: field, path }: Place,
): readonly FoundUnique[] {
  const own = values.flatMap(({ attribute, key }): readonly FoundUnique[] => {
    const value = component[attribute.storedAs]
    if (value === null || value === undefined) return []
    const is = `${key}:${uniqueText(value)}`
    return [{ in: field, is, attribute, path: [...path, attribute.name], value }]
  })
  return [...own, ...below.flatMap((one) => uniquesUnder(one, component, { in: field, path }))]
}
