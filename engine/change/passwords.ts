import type { Structure } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import { componentOf } from '../schema/registry.js'
import { isObject } from './read-body.js'

/** Every password that a body holds, in components too: they are hashed before they are stored. */
export function* passwordsIn(
  structure: Structure,
  value: unknown,
  registry: Registry,
): Generator<string> {
  if (!isObject(value)) return
  for (const [key, inner] of Object.entries(value)) {
    const attribute = structure.attributes.get(key)
    if (attribute?.type === 'password' && typeof inner === 'string') yield inner
    if (attribute?.type === 'component')
      for (const item of Array.isArray(inner) ? inner : [inner])
        yield* passwordsIn(componentOf(registry, attribute.component), item, registry)
    if (attribute?.type === 'dynamiczone' && Array.isArray(inner))
      for (const item of inner as readonly unknown[]) {
        const uid = isObject(item) ? item['__component'] : undefined
        if (typeof uid === 'string' && attribute.components.includes(uid))
          yield* passwordsIn(componentOf(registry, uid), item, registry)
      }
  }
}
