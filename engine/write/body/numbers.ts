import { NumberText } from '../../values/number-text.js'
import type { Attribute } from '../../schema/attribute.js'
import { isScalar } from '../../schema/attribute.js'
import type { Structure } from '../../schema/content-type.js'
import { claimedComponent } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import type { Body } from './read-body.js'
import { checkNumber } from './read-body.js'
import { isObject } from '../../values/is-object.js'
import { jsonTypes } from '../../values/scalar-type.js'

/**
 * Replaces every `NumberText`: by its text for `decimal` and `biginteger`, otherwise by a JavaScript number.
 * @throws 400 for a number in a JSON attribute that is too large for a JavaScript number
 */
export function placeNumbers(body: Body, structure: Structure, registry: Registry): Body {
  return mapMembers(body, (value, name) =>
    placeValue(value, structure.attributes.get(name), registry),
  )
}

/** Does for one value what `placeNumbers` does for a body. */
export function placeValue(
  value: unknown,
  attribute: Attribute | undefined,
  registry: Registry,
): unknown {
  if (value instanceof NumberText) return numberFor(value, attribute)
  if (Array.isArray(value)) {
    const items = value.map((item) => placeValue(item, attribute, registry))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isObject(value)) return value
  const component = attribute && claimedComponent(value, attribute, registry)
  if (component !== undefined) return placeNumbers(value, component, registry)
  const within = attribute !== undefined && isScalar(attribute) ? attribute : undefined
  return mapMembers(value, (inner) => placeValue(inner, within, registry))
}

function numberFor({ text }: NumberText, attribute: Attribute | undefined): number | string {
  if (attribute?.type === 'decimal' || attribute?.type === 'biginteger') return text
  const number = Number(text)
  // The rules of numeric attributes reject too large numbers themselves.
  if (attribute !== undefined && jsonTypes.has(attribute.type)) checkNumber(number, attribute.name)
  return number
}

/** Returns the object itself if nothing changes, which is usual. */
function mapMembers(body: Body, map: (value: unknown, name: string) => unknown): Body {
  const members = Object.entries(body).map(([name, value]) => [name, map(value, name)] as const)
  return members.some(([name, value]) => value !== body[name]) ? Object.fromEntries(members) : body
}
