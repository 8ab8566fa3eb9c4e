import escapeRegExp from 'escape-string-regexp'
import {
  isOfSeveral,
  isReadable,
  isScalar,
  type Attribute,
  type ScalarAttribute,
} from '../../engine/schema/attribute.js'
import type { Component, ContentType } from '../../engine/schema/content-type.js'
import { isFile } from '../../engine/schema/file-uses.js'
import { jsonTypes } from '../../engine/values/scalar-type.js'
import type { JsonSchema, JsonSchemas } from '../http/documented.js'
import { flag, list, object } from '../http/routes/json-schemas.js'
import { closedObject } from './closed-object.js'
import {
  creatorsShown,
  isHiddenRelation,
  showsLocalizations,
} from '../../engine/schema/shown-members.js'
import { filtersSchema, systemOf } from './filter-schemas.js'
import { partsOf, typesWithFiles, type DocumentBuilder } from './document-builder.js'

/** Schema of `populate`: `*` for one level, a list of names, or an object with options by name. */
export function populateSchema(making: DocumentBuilder, of: ContentType | Component): JsonSchema {
  return making.part(of, 'Populate', () => {
    const members = populateMembers(making, of)
    const names = [...members.keys()]
    return {
      anyOf: [
        { const: '*' },
        ...(names.length === 0 ? [] : [list({ type: 'string', pattern: pathPattern(names) })]),
        closedObject(Object.fromEntries(members)),
      ],
    }
  })
}

/** Matches paths that begin with one of `names` and may continue: `author.avatar`. */
const pathPattern = (names: readonly string[]): string =>
  `^(${names.map(escapeRegExp).join('|')})(\\.[^.,]+)*$`

/** Returns, for each name that can be populated, the schema of its options. */
function populateMembers(
  making: DocumentBuilder,
  of: ContentType | Component,
): ReadonlyMap<string, JsonSchema> {
  const members = new Map<string, JsonSchema>()
  for (const attribute of of.attributes.values()) {
    if (!isReadable(attribute) || isHiddenRelation(of, attribute)) continue
    const schema = optionsOf(making, attribute)
    if (schema !== undefined) members.set(attribute.name, schema)
  }
  if (showsLocalizations(of)) members.set('localizations', flagOr(optionsSchema(making, of)))
  for (const name of creatorsShown(of)) members.set(name, creator)
  if (isFile(of)) members.set('related', severalOptions(making, typesWithFiles(making)))
  return members
}

function optionsOf(making: DocumentBuilder, attribute: Attribute): JsonSchema | undefined {
  const parts = partsOf(making, attribute)
  if (isOfSeveral(attribute)) return severalOptions(making, parts)
  const [part] = parts
  return part && flagOr(optionsSchema(making, part))
}

/** Schema of the options for several target types or a dynamic zone. In `on`, each type can have options of its own. */
function severalOptions(
  making: DocumentBuilder,
  parts: readonly (ContentType | Component)[],
): JsonSchema {
  // The options for one type have no `count`, because `count` always includes all types.
  const on = parts.map((one) => [one.uid, flagOr(closedObject(shownMembers(making, one)))] as const)
  return flagOr(
    closedObject({
      populate: { const: '*' },
      count: flag,
      on: closedObject(Object.fromEntries(on)),
    }),
  )
}

/** Returns the schema of the options of a populated relation, media field or component. */
function optionsSchema(making: DocumentBuilder, of: ContentType | Component): JsonSchema {
  const pages = 'kind' in of && making.settings['api.rest.nestedPagination']
  return making.part(of, 'Options', () =>
    closedObject({
      ...shownMembers(making, of),
      count: 'kind' in of ? flag : undefined,
      pagination: pages ? object : undefined,
    }),
  )
}

const shownMembers = (making: DocumentBuilder, of: ContentType | Component): JsonSchemas => ({
  fields: fieldsSchema(making, of),
  sort: sortSchema(making, of),
  filters: filtersSchema(making, of),
  populate: populateSchema(making, of),
})

/** Schema of a flag, as in `populate[author]=true`, or an object. */
const flagOr = (schema: JsonSchema): JsonSchema => ({ anyOf: [flag, schema] })

const creator = flagOr(
  closedObject({
    fields: list({ enum: ['*', 'id', 'documentId', 'firstname', 'lastname', 'username'] }),
  }),
)

/** Schema of `fields`: a list of scalar attributes, or `*`. */
export function fieldsSchema(making: DocumentBuilder, of: ContentType | Component): JsonSchema {
  return making.part(of, 'Fields', () => {
    return list({ enum: ['*', ...scalarNames(of, () => true)] })
  })
}

function scalarNames(
  of: ContentType | Component,
  isMeant: (attribute: ScalarAttribute) => boolean,
): ReadonlySet<string> {
  const own = [...of.attributes.values()].filter(isScalar)
  const shown = own.filter((attribute) => isReadable(attribute) && isMeant(attribute))
  return new Set([...systemOf(of), ...shown].map(({ name }) => name))
}

/** Schema of `sort`: a list of scalar attributes, or paths to them, such as `title:desc` and `author.name`. */
export function sortSchema(making: DocumentBuilder, of: ContentType | Component): JsonSchema {
  return making.part(of, 'Sort', () => {
    const names = scalarNames(of, ({ type }) => !jsonTypes.has(type))
    const parts = [...[...names].map(escapeRegExp), ...pathsThrough(making, of, 'all')]
    return list({ type: 'string', pattern: `^(${parts.join('|')})(:(asc|desc))?$` })
  })
}

/**
 * Returns a pattern that matches paths through components and, if `which` is `all`, through relations. The list is
 * empty if there are no such paths.
 */
export function pathsThrough(
  making: DocumentBuilder,
  of: ContentType | Component,
  which: 'all' | 'components',
): readonly string[] {
  const leads = (attribute: Attribute): boolean =>
    isReadable(attribute) &&
    !isOfSeveral(attribute) &&
    (which === 'all' || attribute.type === 'component') &&
    partsOf(making, attribute).length > 0
  const names = [...of.attributes.values()].filter(leads).map(({ name }) => name)
  return names.length === 0 ? [] : [`(${names.map(escapeRegExp).join('|')})(\\.[^.,]+)+`]
}
