import type { AttributeBase, MorphAttribute } from './attribute.js'
import type { RawObject } from './read-options.js'
import { member } from './read-options.js'

/** The polymorphic relations that store what they refer to, by the name that definitions give them. */
const many: Readonly<Record<string, boolean>> = { morphToOne: false, morphToMany: true }

/**
 * The owning side of a polymorphic relation; undefined for a definition of any other. What it refers to may be of
 * any content-type, so it names no target, and a `target` that it does name means nothing, as in Strapi.
 */
export function defineMorph(base: AttributeBase, raw: RawObject): MorphAttribute | undefined {
  const relation = member(raw, 'relation')
  if (typeof relation !== 'string' || !Object.hasOwn(many, relation)) return undefined
  return { ...base, type: 'morph', many: many[relation] === true }
}
