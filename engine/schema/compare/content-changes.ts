import {
  isScalar,
  isStored,
  type Attribute,
  type DynamicZoneAttribute,
  type ScalarAttribute,
} from '../attribute.js'
import { storedForm } from './compare-types.js'
import type { Component, ContentType } from '../content-type.js'
import { indexList, type Index } from '../index-list.js'
import { placesOf, type StoredPlace, type Types } from '../stored-places.js'
import { stricterBounds, type StricterBound } from './stricter-bounds.js'
import { uniquePlaces, type UniquePlaces } from '../unique-places.js'

/** A change in a definition, and where the entries are stored that it may affect. */
export type ContentChange = Readonly<{
  uid: string
  /** Where entries may contain a value of the attribute or, for `required`, lack one. */
  places: readonly StoredPlace[]
}> &
  (
    | Readonly<{
        kind: 'attribute-gone'
        attribute: Attribute
        /** Stored field of the new attribute with the same name, if there is one. */
        movedTo: string | undefined
        /** Whether this name now belongs to the inverse side of a relation, which stores nothing. */
        isMapped: boolean
        /** Names of new attributes that could read the removed attribute's values if their `renamedFrom` named it. */
        heirs: readonly string[]
      }>
    | Readonly<{ kind: 'attribute-renamed'; attribute: Attribute; from: string }>
    | Readonly<{ kind: 'component-gone'; attribute: DynamicZoneAttribute; component: string }>
    | Readonly<{ kind: 'required'; attribute: Attribute }>
    | Readonly<{ kind: 'enum'; attribute: ScalarAttribute }>
    | StricterBound
    /** Enforced by an index, which is created when the service starts. */
    | Readonly<{ kind: 'unique'; attribute: Attribute; collection: string; index: Index }>
    /** Unique across all uses of the component within one content-type. */
    | Readonly<{ kind: 'unique-in-components'; attribute: Attribute }>
    | Readonly<{ kind: 'type-gone' }>
  )

/** Returns the schema changes that affect stored entries but, unlike `strandingChanges`, do not make them unusable. */
export function contentChanges(before: Types, after: Types): readonly ContentChange[] {
  const types = [...before.contentTypes.values()].flatMap((old) => {
    const type = after.contentTypes.get(old.uid)
    if (type === undefined)
      return [{ kind: 'type-gone', uid: old.uid, places: [] } satisfies ContentChange]
    return [...changesWithin(old, type, before, after), ...newUniques(old, type, before, after)]
  })
  const components = [...before.components.values()].flatMap((old) => {
    const component = after.components.get(old.uid)
    return component === undefined ? [] : changesWithin(old, component, before, after)
  })
  return [...types, ...components]
}

type Structures<T> = readonly [old: T, now: T, before: Types, after: Types]

function changesWithin(
  ...[old, now, before, after]: Structures<ContentType | Component>
): readonly ContentChange[] {
  const { uid } = old
  const changes: ContentChange[] = []
  const oldByField = storedIn(old)
  const nowByField = storedIn(now)
  for (const [field, attribute] of oldByField) {
    const other = nowByField.get(field)
    // `placesOf` searches all types, so only call it for changed attributes.
    const change = <T>(what: T) => ({ uid, ...what, places: placesOf(attribute, before) })
    if (other === undefined) {
      const heirs = [...nowByField.values()]
        .filter((one) => !oldByField.has(one.storedAs) && storedForm(one) === storedForm(attribute))
        .map(({ name }) => name)
      const same = now.attributes.get(attribute.name)
      const isMapped = same !== undefined && !isStored(same)
      const gone = {
        ...({ kind: 'attribute-gone', attribute, isMapped, heirs } as const),
        movedTo: same?.storedAs,
      }
      changes.push(change(gone))
    } else if (other.name !== attribute.name) {
      const renamed = { kind: 'attribute-renamed', attribute: other, from: attribute.name } as const
      changes.push(change(renamed))
    }
    if (attribute.type === 'dynamiczone' && other?.type === 'dynamiczone')
      for (const component of attribute.components)
        if (!other.components.includes(component))
          changes.push(change({ kind: 'component-gone', attribute: other, component } as const))
  }
  for (const [field, attribute] of nowByField) {
    const previous = oldByField.get(field)
    const isStricter = attribute.required && previous?.required !== true
    if (isStricter && attribute.visibleIf === undefined)
      changes.push({ kind: 'required', uid, attribute, places: placesOf(attribute, after, before) })
    if (isScalar(attribute) && isNarrower(attribute, previous))
      changes.push({ kind: 'enum', uid, attribute, places: placesOf(attribute, after, before) })
    for (const bound of previous === undefined ? [] : stricterBounds(attribute, previous))
      changes.push({ uid, ...bound, places: placesOf(attribute, after, before) })
  }
  return changes
}

const storedIn = ({ attributes }: ContentType | Component): ReadonlyMap<string, Attribute> =>
  new Map([...attributes.values()].filter(isStored).map((one) => [one.storedAs, one]))

/** Whether an enumeration allows fewer values than before. */
function isNarrower(now: ScalarAttribute, old: Attribute | undefined): boolean {
  if (now.type !== 'enumeration') return false
  if (old?.type !== 'enumeration') return true
  return old.enum.some((value) => !now.enum.includes(value))
}

function newUniques(
  ...[old, type, before, after]: Structures<ContentType>
): readonly ContentChange[] {
  const { uid } = type
  const known = new Set(indexList(old).flatMap(({ indexes }) => indexes.map(({ name }) => name)))
  const byField = storedIn(type)
  const inIndexes = indexList(type).flatMap(({ collection, indexes }) =>
    indexes.flatMap((index): readonly ContentChange[] => {
      const attribute = byField.get(index.fields[0]?.split('.')[0] ?? '')
      if (!index.unique || known.has(index.name) || attribute === undefined) return []
      return [{ kind: 'unique', uid, attribute, collection, index, places: [] }]
    }),
  )
  const listed = new Set(uniquesBelow(uniquePlaces(old, before)).map(({ key }) => key))
  const now = new Map(uniquesBelow(uniquePlaces(type, after)).map((one) => [one.key, one]))
  const inComponents = [...now.values()].flatMap(({ attribute, key }): readonly ContentChange[] => {
    if (listed.has(key)) return []
    const places = placesOf(attribute, after, before).filter((place) => place.type === uid)
    const component = key.slice(0, key.lastIndexOf('.'))
    return [{ kind: 'unique-in-components', uid: component, attribute, places }]
  })
  return [...inIndexes, ...inComponents]
}

const uniquesBelow = ({ below }: UniquePlaces): UniquePlaces['values'] =>
  below
    .flatMap(({ inside }) => [...inside.values()])
    .flatMap((places) => [...places.values, ...uniquesBelow(places)])
