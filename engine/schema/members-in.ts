import type { Fields } from '../values/stored-types.js'
import type { Attribute, ComponentAttribute, DynamicZoneAttribute } from './attribute.js'
import type { Structure } from './content-type.js'
import { isObject, objectOf } from '../values/is-object.js'
import type { Registry } from './registry.js'

/** An attribute of an entry or component, and its value in a request body. */
export type Member = Readonly<{
  attribute: Attribute
  value: unknown
  /** Such as `['seo', 'social', '0', 'network']`. */
  path: readonly string[]
}>

/** Returns all attributes in a body, outer ones first. Skips values of a wrong type, and disallowed components. */
export function membersIn(
  structure: Structure,
  body: unknown,
  registry: Registry,
  path: readonly string[] = [],
): readonly Member[] {
  return Object.entries(objectOf(body)).flatMap(([name, value]): readonly Member[] => {
    const attribute = structure.attributes.get(name)
    if (attribute === undefined) return []
    const here = [...path, name]
    const below = componentsIn(attribute, value, registry).flatMap(([component, item, at]) =>
      membersIn(component, item, registry, at === undefined ? here : [...here, `${at}`]),
    )
    return [{ attribute, value, path: here }, ...below]
  })
}

/** A component, one of its values, and the value's index if it is in a list. */
type Item = readonly [component: Structure, item: unknown, at: number | undefined]

/** Returns the components in a value. */
export function componentsIn(
  attribute: Attribute,
  value: unknown,
  registry: Registry,
): readonly Item[] {
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return []
  const isList = Array.isArray(value)
  if (attribute.type === 'dynamiczone' && !isList) return []
  const items = isList ? (value as readonly unknown[]) : [value]
  return items.flatMap((item, at): readonly Item[] => {
    const component = claimedComponent(item, attribute, registry)
    if (component === undefined || !takes(attribute, component)) return []
    return [[component, item, isList ? at : undefined]]
  })
}

const takes = (attribute: ComponentAttribute | DynamicZoneAttribute, { uid }: Structure): boolean =>
  attribute.type === 'component' || attribute.components.includes(uid)

/** Maps the component or components in a value. Items of a dynamic zone keep their `__component`. */
export function mapComponents(
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: unknown,
  registry: Registry,
  make: (component: Structure, item: Fields, at: number | undefined) => Fields,
): unknown {
  const made = componentsIn(attribute, value, registry).map(([component, item, at]) => {
    if (!isObject(item)) return null
    const fields = make(component, item, at)
    return attribute.type === 'component' ? fields : { __component: component.uid, ...fields }
  })
  return Array.isArray(value) ? made : (made[0] ?? null)
}

/** Returns an item's component. In a dynamic zone, `__component` names it, even if the zone does not allow it. */
export function claimedComponent(
  item: unknown,
  attribute: Attribute,
  { components }: Registry,
): Structure | undefined {
  if (attribute.type === 'component') return components.get(attribute.component)
  const isEntry = attribute.type === 'dynamiczone' && isObject(item)
  const uid = isEntry ? item.__component : undefined
  return typeof uid === 'string' ? components.get(uid) : undefined
}
