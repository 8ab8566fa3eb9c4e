import { isScalar } from '../schema/attribute.js'
import type { ContentType } from '../schema/content-type.js'
import type { Body } from './read-body.js'

/** A body with the defaults of what it does not name; null is a value. */
export function withDefaults(body: Body, type: ContentType): Body {
  const defaults = [...type.attributes.values()].flatMap((attribute) =>
    isScalar(attribute) && attribute.default !== undefined
      ? [[attribute.name, structuredClone(attribute.default)] as const]
      : [],
  )
  return { ...Object.fromEntries(defaults), ...body }
}
