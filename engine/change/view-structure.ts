import type { Structure } from '../schema/content-type.js'
import { isScalar, isStored } from '../schema/attribute.js'
import type { Registry } from '../schema/registry.js'
import { componentOf } from '../schema/registry.js'
import type { Body } from './read-body.js'
import type { Hashes } from './store-scalar.js'
import { viewScalar } from './store-scalar.js'
import { emptyOf } from './store-structure.js'
import type { Fields } from '../values/fields.js'

/** Stored fields as the rules of a full check see them: by attribute name, nothing absent. */
export function viewStructure(
  structure: Structure,
  fields: Fields,
  registry: Registry,
  hashes: Hashes,
): Body {
  const values: Record<string, unknown> = {}
  for (const attribute of structure.attributes.values()) {
    if (!isStored(attribute)) continue
    const stored = fields[attribute.storedAs] ?? emptyOf(attribute)
    const view = (uid: string, item: Fields | null): Body | null =>
      item === null ? null : viewStructure(componentOf(registry, uid), item, registry, hashes)
    if (isScalar(attribute)) values[attribute.name] = viewScalar(attribute, stored, hashes)
    else if (attribute.type === 'component')
      values[attribute.name] = Array.isArray(stored)
        ? (stored as readonly Fields[]).map((item) => view(attribute.component, item))
        : view(attribute.component, stored as Fields | null)
    else if (attribute.type === 'dynamiczone')
      values[attribute.name] = (stored as readonly Fields[]).flatMap((item) => {
        const uid = String(item['__component'])
        // What the zone took before its definition changed is kept, and not shown: nobody could mend it.
        return attribute.components.includes(uid) ? [{ __component: uid, ...view(uid, item) }] : []
      })
    else values[attribute.name] = stored
  }
  return values
}
