import type { Structure } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import { isObject } from './read-body.js'

/** How many components a body holds: as many ids it needs at most. */
export function countComponents(structure: Structure, value: unknown, registry: Registry): number {
  if (!isObject(value)) return 0
  let count = 0
  for (const [key, inner] of Object.entries(value)) {
    const attribute = structure.attributes.get(key)
    if (attribute?.type !== 'component' && attribute?.type !== 'dynamiczone') continue
    for (const item of (Array.isArray(inner) ? inner : [inner]) as readonly unknown[]) {
      if (!isObject(item)) continue
      const uid = attribute.type === 'component' ? attribute.component : String(item['__component'])
      const component = registry.components.get(uid)
      count += 1 + (component === undefined ? 0 : countComponents(component, item, registry))
    }
  }
  return count
}
