import type { Attribute } from './attribute.js'
import type { Structure } from './content-type.js'
import { isObject } from './read-options.js'
import type { Registry } from './registry.js'
import { componentOf } from './registry.js'

/** What an entry or a component says of one of its attributes. */
export type Member = Readonly<{ attribute: Attribute; value: unknown }>

/**
 * All that a body names of its structure, at any depth; a component comes before what it holds. Values of
 * a wrong shape are passed over, and so is what a dynamic zone does not take.
 */
export function* membersIn(
  structure: Structure,
  body: unknown,
  registry: Registry,
): Generator<Member> {
  if (!isObject(body)) return
  for (const [name, value] of Object.entries(body)) {
    const attribute = structure.attributes.get(name)
    if (attribute === undefined) continue
    yield { attribute, value }
    for (const [component, item] of componentsIn(attribute, value, registry))
      yield* membersIn(component, item, registry)
  }
}

/** The values of components that an attribute is given, each with the component that it is one of. */
export function* componentsIn(
  attribute: Attribute,
  value: unknown,
  registry: Registry,
): Generator<readonly [Structure, unknown]> {
  if (attribute.type === 'component') {
    const component = componentOf(registry, attribute.component)
    for (const item of Array.isArray(value) ? value : [value]) yield [component, item]
  }
  if (attribute.type !== 'dynamiczone' || !Array.isArray(value)) return
  for (const item of value as readonly unknown[]) {
    const uid = isObject(item) ? item['__component'] : undefined
    if (typeof uid === 'string' && attribute.components.includes(uid))
      yield [componentOf(registry, uid), item]
  }
}
