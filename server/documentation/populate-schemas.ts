import type { Attribute } from '../../engine/schema/attribute.js'
import { isReadable, isScalar } from '../../engine/schema/attribute.js'
import type { Component, ContentType } from '../../engine/schema/content-type.js'
import { isEdgeAttribute, targetOf } from '../../engine/schema/edge-attribute.js'
import { fileUsers, isFile } from '../../engine/schema/file-uses.js'
import { morphTargets } from '../../engine/schema/morph-targets.js'
import { builtIn, componentOf, typeOf } from '../../engine/schema/registry.js'
import { jsonTypes } from '../../engine/values/scalar-type.js'
import type { JsonSchema } from '../http/documented.js'
import { filtersSchema, systemOf } from './filter-schemas.js'
import { mayFind, type Making } from './making.js'

type Members = Readonly<Record<string, JsonSchema>>

/** `populate`: everything one level deep, names, or an object that says of each name what is shown of it. */
export function populateSchema(making: Making, of: ContentType | Component): JsonSchema {
  return making.part(of, 'Populate', () => {
    const members = populateMembers(making, of)
    const names = Object.keys(members)
    return {
      anyOf: [
        { const: '*' },
        ...(names.length === 0 ? [] : [listOf({ type: 'string', pattern: pathPattern(names) })]),
        { type: 'object', properties: members, additionalProperties: false },
      ],
    }
  })
}

/** `author.avatar` goes on in what is populated; names hold nothing that means something in a pattern. */
const pathPattern = (names: readonly string[]): string => `^(${names.join('|')})(\\.[^.,]+)*$`

/** What may be populated, with what can be said of it. */
function populateMembers(making: Making, of: ContentType | Component): Members {
  const isType = 'kind' in of
  const members = [...of.attributes.values()].flatMap((attribute) => {
    if (isScalar(attribute) || !isReadable(attribute)) return []
    if (of.uid === builtIn.role && attribute.name === 'users') return []
    const schema = optionsOf(making, attribute)
    return schema === undefined ? [] : [[attribute.name, schema] as const]
  })
  const shows = (name: string): boolean => isType && of.hidden?.has(name) !== true
  const creator = flagOr({
    type: 'object',
    properties: {
      fields: listOf({ enum: ['*', 'id', 'documentId', 'firstname', 'lastname', 'username'] }),
    },
    additionalProperties: false,
  })
  return {
    ...Object.fromEntries(members),
    ...(isType && of.localized && shows('localizations')
      ? { localizations: flagOr(optionsSchema(making, of)) }
      : {}),
    ...(isType && of.populateCreatorFields && shows('createdBy') ? { createdBy: creator } : {}),
    ...(isType && of.populateCreatorFields && shows('updatedBy') ? { updatedBy: creator } : {}),
    ...(isFile(of)
      ? {
          related: severalOptions(
            making,
            fileUsers(making.registry).map(({ type }) => type),
          ),
        }
      : {}),
  }
}

function optionsOf(making: Making, attribute: Attribute): JsonSchema | undefined {
  const { registry } = making
  switch (attribute.type) {
    case 'component':
      return flagOr(optionsSchema(making, componentOf(registry, attribute.component)))
    case 'dynamiczone': {
      const components = attribute.components.map((uid) => componentOf(registry, uid))
      return severalOptions(making, components)
    }
    case 'morph':
      return severalOptions(making, morphTargets(registry))
    case 'relation':
    case 'media': {
      const target = typeOf(registry, targetOf(attribute))
      return mayFind(making, target) ? flagOr(optionsSchema(making, target)) : undefined
    }
    default:
      return undefined
  }
}

/** Of what may be of several types or components, `on` says which is shown how. */
function severalOptions(making: Making, all: readonly (ContentType | Component)[]): JsonSchema {
  const shown = all.filter((one) => !('kind' in one) || mayFind(making, one))
  const on = {
    type: 'object',
    properties: Object.fromEntries(
      shown.map((one) => [one.uid, flagOr(fragmentSchema(making, one))]),
    ),
    additionalProperties: false,
  }
  return flagOr({
    type: 'object',
    properties: { populate: { const: '*' }, count: { type: 'boolean' }, on },
    additionalProperties: false,
  })
}

/** What `on` says of one of them: no count, which is of all together. */
const fragmentSchema = (making: Making, of: ContentType | Component): JsonSchema => ({
  type: 'object',
  properties: shownMembers(making, of),
  additionalProperties: false,
})

/** What is said of a populated relation, medium or component. */
function optionsSchema(making: Making, of: ContentType | Component): JsonSchema {
  return making.part(of, 'Options', () => ({
    type: 'object',
    properties: {
      ...shownMembers(making, of),
      count: 'kind' in of ? { type: 'boolean' } : undefined,
      pagination:
        'kind' in of && making.settings['api.rest.nestedPagination']
          ? { type: 'object' }
          : undefined,
    },
    additionalProperties: false,
  }))
}

const shownMembers = (making: Making, of: ContentType | Component): Members => ({
  fields: fieldsSchema(making, of),
  sort: sortSchema(making, of),
  filters: filtersSchema(making, of),
  populate: populateSchema(making, of),
})

/** `populate[author]=true`, or an object. */
const flagOr = (schema: JsonSchema): JsonSchema => ({ anyOf: [{ type: 'boolean' }, schema] })

const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** The scalars that may be asked for. */
export function fieldsSchema(making: Making, of: ContentType | Component): JsonSchema {
  return making.part(of, 'Fields', () => {
    const own = [...of.attributes.values()].filter((one) => isScalar(one) && isReadable(one))
    const names = [...systemOf(of), ...own].map(({ name }) => name)
    return listOf({ enum: ['*', ...new Set(names)] })
  })
}

/** `title:desc`, `author.name`: a scalar, or the path to one through relations and components. */
export function sortSchema(making: Making, of: ContentType | Component): JsonSchema {
  return making.part(of, 'Sort', () => {
    const own = [...of.attributes.values()].filter(
      (one) => isScalar(one) && isReadable(one) && !jsonTypes.has(one.type),
    )
    const names = [...systemOf(of), ...own].map(({ name }) => name)
    const parts = [...new Set(names), ...pathsThrough(making, of, 'all')]
    return listOf({ type: 'string', pattern: `^(${parts.join('|')})(:(asc|desc))?$` })
  })
}

/** Patterns of the paths to what is in relations and components, or in components alone; of none, none. */
export function pathsThrough(
  making: Making,
  of: ContentType | Component,
  which: 'all' | 'components',
): readonly string[] {
  const leads = (attribute: Attribute): boolean => {
    if (!isReadable(attribute)) return false
    if (attribute.type === 'component') return true
    if (which === 'components' || !isEdgeAttribute(attribute)) return false
    return mayFind(making, typeOf(making.registry, targetOf(attribute)))
  }
  const names = [...of.attributes.values()].filter(leads).map(({ name }) => name)
  return names.length === 0 ? [] : [`(${names.join('|')})(\\.[^.:,]+)+`]
}
