import type { Definition, Structure } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'
import type { Json } from '../http/route.js'

type JsonObject = Readonly<Record<string, Json | undefined>>

/** Returns a member of a definition if it is an object. Definitions were read as JSON, so its values are JSON. */
export function objectOf(definition: Definition, key: string): JsonObject {
  const value = definition[key]
  return isObject(value) ? (value as JsonObject) : {}
}

/** Returns the attributes of a definition as Strapi's builder shows them: as written, with some defaults filled in. */
export function showAttributes({ definition, attributes }: Structure): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(definition, 'attributes'))
      // Attributes that are not served are left out, as in Strapi.
      .filter(([name]) => attributes.has(name))
      .map(([name, attribute]) => [
        name,
        isObject(attribute) ? showAttribute(attribute as JsonObject) : attribute,
      ]),
  )
}

function showAttribute(attribute: JsonObject): JsonObject {
  const flags = {
    required: attribute.required === true,
    private: attribute.private === true,
  }
  if (attribute.type === 'media')
    return { ...attribute, multiple: attribute.multiple === true, ...flags }
  if (attribute.type !== 'relation') return attribute
  const targetAttribute = attribute.inversedBy ?? attribute.mappedBy ?? null
  return { ...attribute, targetAttribute, ...flags }
}
