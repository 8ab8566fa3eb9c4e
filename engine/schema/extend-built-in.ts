import type { Definition } from './content-type.js'
import { builtInDefinitions } from './built-in.js'
import { builtIn } from './registry.js'
import type { RawObject } from './read-options.js'
import { member, readFlag, readObject } from './read-options.js'
import { withoutFolders } from './strapi-types.js'
import { isObject } from '../values/is-object.js'
import type { Report } from './schema-error.js'
import { within } from './schema-error.js'

/**
 * A built-in type with the attributes a project adds to it. Strapi's extension files repeat the
 * type's own attributes: those stay as the service needs them but for what only hides (`private: true`,
 * `searchable: false`, `options.privateAttributes`), and their type is compared. What is hidden here stays hidden.
 */
export function extendBuiltIn(
  original: Definition,
  extension: Definition,
  report: Report,
): Definition {
  const own = readObject(original, 'attributes', report)
  const added = addedTo(original, readObject(extension, 'attributes', report), report)
  const kept = Object.entries(own).map(([name, expected]) => [
    name,
    isObject(expected)
      ? hideToo(expected, member(added, name), within(report, `attributes.${name}`))
      : expected,
  ])
  const { privateAttributes } = readObject(extension, 'options', report)
  return {
    ...original,
    ...(privateAttributes === undefined
      ? {}
      : { options: { ...readObject(original, 'options', report), privateAttributes } }),
    attributes: { ...own, ...added, ...(Object.fromEntries(kept) as RawObject) },
  }
}

/**
 * What an extension says of attributes. The file that Strapi has for its file type names the place of a file in folders,
 * which is for admins alone, and its use, for which no entry has a field; and nothing that an upload cannot give may be required of one.
 */
function addedTo(original: Definition, given: RawObject, report: Report): RawObject {
  if (original !== builtInDefinitions.get(builtIn.file)) return given
  const own = readObject(original, 'attributes', report)
  return Object.fromEntries(
    Object.entries(withoutFolders(given)).map(([name, attribute]) => {
      if (Object.hasOwn(own, name) || !isObject(attribute)) return [name, attribute]
      if (member(attribute, 'required') !== true) return [name, attribute]
      report.warn(`attributes.${name}.required`, 'is not held: an upload cannot give a value')
      return [name, { ...attribute, required: false }]
    }),
  )
}

function hideToo(expected: RawObject, given: unknown, report: Report): RawObject {
  if (!isObject(given)) return expected
  const type = member(expected, 'type')
  if (member(given, 'type') !== type)
    report.warn('type', `the service needs this attribute to be "${String(type)}", which it stays`)
  return {
    ...expected,
    ...(readFlag(given, 'private', report) ? { private: true } : {}),
    ...(member(given, 'searchable') === false ? { searchable: false } : {}),
  }
}
