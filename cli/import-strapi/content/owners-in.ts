import { componentsIn } from '../../../engine/schema/members-in.js'
import type { Structure } from '../../../engine/schema/content-type.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { isObject, objectOf } from '../../../engine/values/is-object.js'
import { keyOf } from '../archive/exported.js'

type ComponentId = Readonly<{ uid: string; id: number }>

/** Yields the components in a row at any depth, with their record ids in Strapi. */
export function* componentIdsIn(
  structure: Structure,
  data: unknown,
  registry: Registry,
): Generator<ComponentId> {
  if (!isObject(data)) return
  for (const attribute of structure.attributes.values())
    for (const [component, item] of componentsIn(attribute, data[attribute.name], registry)) {
      const id = componentIdOf(item)
      if (id !== undefined) yield { uid: component.uid, id }
      yield* componentIdsIn(component, item, registry)
    }
}

/** Returns the record id of a component in Strapi, or undefined if it has no valid id. */
export function componentIdOf(item: unknown): number | undefined {
  const id = Number(objectOf(item).id)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Returns the keys of a row and of all components in it. Each of them may be the source of relations. */
export function ownersIn(
  structure: Structure,
  id: number,
  data: unknown,
  registry: Registry,
): readonly string[] {
  const components = [...componentIdsIn(structure, data, registry)]
  return [keyOf(structure.uid, id), ...components.map(({ uid, id }) => keyOf(uid, id))]
}
