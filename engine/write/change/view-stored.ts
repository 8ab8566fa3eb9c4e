import type { Structure } from '../../schema/content-type.js'
import type { Attribute, ComponentAttribute, DynamicZoneAttribute } from '../../schema/attribute.js'
import { isScalar, isStored } from '../../schema/attribute.js'
import { mapComponents } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import type { Body } from '../body/read-body.js'
import type { Hashes } from './store-scalar.js'
import { viewScalar } from './store-scalar.js'
import { emptyOf, isList } from './components.js'
import type { Fields } from '../../values/stored-types.js'

/**
 * Converts stored fields to values by attribute name, for the validation of a publish. Omits lists of components that
 * were never written but are required, so that validation reports them as missing.
 */
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
    if (stored === null && isComponents(attribute) && isList(attribute)) continue
    if (isScalar(attribute)) values[attribute.name] = viewScalar(attribute, stored, hashes)
    // Clients can neither see nor correct components that the zone no longer allows, so these are not validated.
    else if (isComponents(attribute))
      values[attribute.name] = mapComponents(attribute, stored, registry, (component, item) =>
        viewStructure(component, item, registry, hashes),
      )
    else values[attribute.name] = stored
  }
  return values
}

function isComponents(
  attribute: Attribute,
): attribute is ComponentAttribute | DynamicZoneAttribute {
  return attribute.type === 'component' || attribute.type === 'dynamiczone'
}
