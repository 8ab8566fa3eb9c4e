import type { Definition, Structure } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'
import type { Json } from '../http/route.js'

type JsonObject = Readonly<Record<string, Json | undefined>>

/** A member of a definition that is an object; definitions were read as JSON, so what they hold is. */
export function objectOf(definition: Definition, key: string): JsonObject {
  const value = definition[key]
  return isObject(value) ? (value as JsonObject) : {}
}

/** The attributes of a definition as Strapi's builder shows them: as they were written, with some defaults filled in. */
export function showAttributes({ definition, attributes }: Structure): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(definition, 'attributes'))
      // What is not served is not there, as in Strapi.
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
