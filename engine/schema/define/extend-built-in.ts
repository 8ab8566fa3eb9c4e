import type { Definition } from '../content-type.js'
import { builtInDefinitions } from './built-in.js'
import { builtIn } from '../registry.js'
import { RawOptions } from './read-options.js'
import { withoutFolders } from './strapi-types.js'
import { isObject, objectOf, type PlainObject } from '../../values/is-object.js'
import { reportBelow, type Report } from '../schema-error.js'

/**
 * Adds a project's attributes to a built-in type. Strapi's extension files also contain the built-in attributes: these
 * keep their definitions, but an extension may hide them (`private: true`, `searchable: false`,
 * `options.privateAttributes`).
 */
export function extendBuiltIn(
  original: Definition,
  extension: Definition,
  report: Report,
): Definition {
  const own = objectOf(original.attributes)
  const raw = new RawOptions(extension, report)
  const added = addedTo(original, raw.object('attributes').given, report)
  const kept = Object.entries(own).map(([name, expected]) => [
    name,
    isObject(expected) && isObject(added[name])
      ? hideToo(expected, new RawOptions(added[name], reportBelow(report, `attributes.${name}`)))
      : expected,
  ])
  const { privateAttributes } = raw.object('options').given
  return {
    ...original,
    ...(privateAttributes !== undefined && {
      options: { ...objectOf(original.options), privateAttributes },
    }),
    attributes: { ...own, ...added, ...(Object.fromEntries(kept) as PlainObject) },
  }
}

/**
 * Returns the attributes of an extension. New attributes of files are never `required`, because an upload cannot
 * provide their values.
 */
function addedTo(original: Definition, given: PlainObject, report: Report): PlainObject {
  if (original !== builtInDefinitions.get(builtIn.file)) return given
  const own = objectOf(original.attributes)
  return Object.fromEntries(
    Object.entries(withoutFolders(given)).map(([name, attribute]) => {
      if (Object.hasOwn(own, name) || !isObject(attribute)) return [name, attribute]
      if (attribute.required !== true) return [name, attribute]
      report.warn(`attributes.${name}.required`, 'is ignored: an upload cannot provide a value')
      return [name, { ...attribute, required: false }]
    }),
  )
}

function hideToo(expected: PlainObject, given: RawOptions): PlainObject {
  const { type } = expected
  if (given.get('type') !== type)
    given.warn(
      'type',
      `the service needs this attribute to be "${String(type)}"; its type is unchanged`,
    )
  return {
    ...expected,
    ...(given.flag('private') && { private: true }),
    ...(given.get('searchable') === false && { searchable: false }),
  }
}
