import { isDeepStrictEqual } from 'node:util'
import { isScalar, isStored, type Attribute } from '../../../engine/schema/attribute.js'
import type { Structure } from '../../../engine/schema/content-type.js'
import { claimedComponent } from '../../../engine/schema/members-in.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { isObject } from '../../../engine/values/is-object.js'
import type { Fields } from '../../../engine/values/stored-types.js'

/**
 * Returns the value of a component attribute. Components that equal those of another version are replaced by these.
 * Versions share the ids of their components in Quire (docs/storage.md, "An entry version"), but not in Strapi.
 * @param other the value in the draft, or in another locale
 */
export function alignComponents(
  attribute: Attribute,
  value: unknown,
  other: unknown,
  registry: Registry,
): unknown {
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? (other as readonly unknown[]) : []
    return value.map((item, at) => alignComponents(attribute, item, others[at], registry))
  }
  return isSame(attribute, value, other, registry) ? other : value
}

/** Whether two values of an attribute are equal except for the ids of components and positions in inverse lists. */
function isSame(attribute: Attribute, one: unknown, other: unknown, registry: Registry): boolean {
  if (Array.isArray(one) && !isScalar(attribute))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSame(attribute, item, other[at], registry))
    )
  if (isScalar(attribute) || !isObject(one) || !isObject(other))
    return isDeepStrictEqual(one, other)
  if (attribute.type === 'component' || attribute.type === 'dynamiczone') {
    const component = claimedComponent(one, attribute, registry)
    return (
      component !== undefined &&
      component === claimedComponent(other, attribute, registry) &&
      hasSameAttributes(component, one, other, registry)
    )
  }
  return one.documentId === other.documentId && one.__type === other.__type
}

function hasSameAttributes(
  structure: Structure,
  one: Fields,
  other: Fields,
  registry: Registry,
): boolean {
  return [...structure.attributes.values()]
    .filter(isStored)
    .every((attribute) =>
      isSame(attribute, one[attribute.storedAs], other[attribute.storedAs], registry),
    )
}
