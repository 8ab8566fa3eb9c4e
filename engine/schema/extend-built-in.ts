import type { Definition } from './content-type.js'
import { isObject, member, readObject } from './read-options.js'
import type { Report } from './schema-error.js'

/**
 * A built-in type with the attributes a project adds to it. Strapi's extension files repeat the
 * type's own attributes: those stay as the service needs them, and only their type is compared.
 */
export function extendBuiltIn(
  original: Definition,
  extension: Definition,
  report: Report,
): Definition {
  const own = readObject(original, 'attributes', report)
  const added = readObject(extension, 'attributes', report)
  for (const [name, value] of Object.entries(added)) {
    const expected = member(own, name)
    if (!isObject(expected) || !isObject(value)) continue
    const type = member(expected, 'type')
    if (member(value, 'type') !== type)
      report(`attributes.${name}.type`, `the service needs this attribute to be "${String(type)}"`)
  }
  return { ...original, attributes: { ...own, ...added, ...own } }
}
