import type { Fields } from '../values/stored-types.js'
import type { Attribute, ComponentAttribute, DynamicZoneAttribute } from './attribute.js'
import type { Structure } from './content-type.js'
import { isObject, objectOf } from '../values/is-object.js'
import type { Registry } from './registry.js'

/** What an entry or a component says of one of its attributes. */
export type Member = Readonly<{
  attribute: Attribute
  value: unknown
  /** Where it stands: `['seo', 'social', '0', 'network']`. */
  path: readonly string[]
}>

/**
 * All that a body names of its structure, at any depth; a component comes before what it holds. Values of
 * a wrong shape are passed over, and so is what a dynamic zone does not take.
 */
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

/** A value of a component, the component that it is one of, and its place in a list. */
type Item = readonly [component: Structure, item: unknown, at: number | undefined]

/** The values of components that an attribute is given. */
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

/**
 * What `componentsIn` finds, each in its place what is made of it: a list of them, one, or null. What is made of
 * an entry of a dynamic zone gets its `__component`.
 */
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

/** The component that an item says it is one of, which a dynamic zone need not take. */
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
