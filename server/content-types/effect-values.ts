import { attributesIn } from '../../engine/schema/attributes-in.js'
import { isReadable, type Attribute } from '../../engine/schema/attribute.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Types } from '../../engine/schema/stored-places.js'
import { maxNamed } from './content-counter.js'

/** Returns whether an attribute, or one that encloses it, is private in at least one place. */
export function isHidden(attribute: Attribute, types: Types): boolean {
  const count = (type: ContentType, isMeant?: (one: Attribute) => boolean): number =>
    [...attributesIn(type, types, isMeant)].filter((path) => path.attribute === attribute).length
  return [...types.contentTypes.values()].some((type) => count(type) !== count(type, isReadable))
}

/** Formats a value as in a definition or a body. Truncates long values. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(value)
      : value instanceof Date
        ? value.toISOString()
        : String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

export function bounded(
  names: readonly string[],
): Readonly<{ names: readonly string[]; more: boolean }> {
  return { names: names.slice(0, maxNamed), more: names.length > maxNamed }
}

export const listed = (names: readonly string[], more: boolean, separator = ', '): string =>
  [...names, ...(more ? ['and more'] : [])].join(separator)
