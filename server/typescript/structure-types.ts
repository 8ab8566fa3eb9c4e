import {
  isReadable,
  isScalar,
  type Attribute,
  type ScalarAttribute,
} from '../../engine/schema/attribute.js'
import type { Structure } from '../../engine/schema/content-type.js'
import {
  isEdgeAttribute,
  isMany,
  isReferring,
  targetOf,
  type ReferringAttribute,
} from '../../engine/schema/edge-attribute.js'
import { isFile } from '../../engine/schema/file-uses.js'
import {
  creatorsShown,
  isHiddenRelation,
  isType,
  showsLocalizations,
} from '../../engine/schema/shown-members.js'
import {
  componentIdAttribute,
  leadingAttributes,
  trailingAttributes,
} from '../../engine/schema/system-attributes.js'
import { jsonTypes } from '../../engine/values/scalar-type.js'
import type { Settings } from '../settings/settings.js'
import { formsOf, isAlwaysThere } from './scalar-types.js'
import { literal, union, type Member } from './source-text.js'

/** What the types of all definitions are generated with: their names by uid, and the settings. */
export type TypeContext = Readonly<{
  names: ReadonlyMap<string, string>
  settings: Settings
}>

/** Returns the TypeScript name of a definition. */
export function nameOf({ names }: TypeContext, uid: string): string {
  const name = names.get(uid)
  if (name === undefined) throw new Error(`There is no type of ${uid}`)
  return name
}

/** Returns the system attributes that responses show before and after the others. */
function systemOf(structure: Structure): Readonly<Record<'before' | 'after', ScalarAttribute[]>> {
  if (!isType(structure)) return { before: [componentIdAttribute], after: [] }
  return { before: [...leadingAttributes], after: [...trailingAttributes(structure)] }
}

const readable = ({ attributes }: Structure): readonly Attribute[] =>
  [...attributes.values()].filter(isReadable)

/** Returns the members that responses contain by default. */
export function entryMembers(structure: Structure): readonly Member[] {
  const { before, after } = systemOf(structure)
  const system = ({ name, type }: ScalarAttribute): Member => ({
    name,
    type: type === 'integer' ? 'number' : 'string',
  })
  const own = readable(structure).filter(isScalar)
  return [
    ...before.map(system),
    ...own.map((attribute) => {
      const { shown } = formsOf(attribute)
      const type = isAlwaysThere(attribute) ? shown : `${shown} | null`
      return { name: attribute.name, type }
    }),
    ...after.map(system),
  ]
}

/** Returns a union of the attributes that cannot be used for sorting. */
export const unsortedNames = (structure: Structure): string =>
  union(
    readable(structure)
      .filter(({ type }) => jsonTypes.has(type))
      .map(({ name }) => literal(name)),
  )

/** Returns the members that responses contain only if populated. */
export function partMembers(structure: Structure, context: TypeContext): readonly Member[] {
  const members = readable(structure).flatMap((attribute) => {
    const type = isHiddenRelation(structure, attribute) ? undefined : partOf(attribute, context)
    return type === undefined ? [] : { name: attribute.name, type }
  })
  const uses = context.settings['api.rest.wrapFilteredRelations'] ? 'UsesWrapped' : 'Uses'
  if (isFile(structure)) members.push({ name: 'related', type: `Types.${uses}<MorphTargets>` })
  for (const name of creatorsShown(structure))
    members.push({ name, type: 'Types.ToCreator<CreatorType>' })
  if (showsLocalizations(structure)) {
    const type = `Types.ToMany<${nameOf(context, structure.uid)}Type>`
    members.push({ name: 'localizations', type })
  }
  return members
}

function partOf(attribute: Attribute, context: TypeContext): string | undefined {
  switch (attribute.type) {
    case 'component': {
      const one = isAlwaysThere(attribute) ? 'RequiredComponent' : 'OneComponent'
      const kind = attribute.repeatable ? 'Components' : one
      return `Types.${kind}<${nameOf(context, attribute.component)}Type>`
    }
    case 'dynamiczone': {
      const members = attribute.components.map(
        (uid) => `${literal(uid)}: ${nameOf(context, uid)}Type`,
      )
      return `Types.DynamicZone<{ ${members.join('; ')} }>`
    }
    default:
      return isReferring(attribute) ? referenceType(attribute, context) : undefined
  }
}

function referenceType(attribute: ReferringAttribute, context: TypeContext): string {
  if (attribute.type === 'media') {
    const kind = attribute.multiple ? 'Files' : 'OneFile'
    return `Types.${kind}<${nameOf(context, targetOf(attribute))}Type>`
  }
  const wraps = context.settings['api.rest.wrapFilteredRelations']
  const kind = isMany(attribute) ? (wraps ? 'ToManyWrapped' : 'ToMany') : 'ToOne'
  return attribute.type === 'morph'
    ? `Types.Morph${kind}<MorphTargets>`
    : `Types.${kind}<${nameOf(context, targetOf(attribute))}Type>`
}

/** Returns the members that `filters` may contain. */
export function filterMembers(structure: Structure, context: TypeContext): readonly Member[] {
  const { before, after } = systemOf(structure)
  const member = (name: string, type: string): Member => ({
    name,
    optional: true,
    type: `${type} | undefined`,
  })
  const members = [...before, ...readable(structure), ...after].flatMap((attribute) => {
    const type = filterOf(attribute, context)
    return type === undefined ? [] : member(attribute.name, type)
  })
  if (!showsLocalizations(structure)) return members
  const type = `Filters.RelationsFilter<${nameOf(context, structure.uid)}Filters>`
  return [...members, member('localizations', type)]
}

/**
 * Returns the type of filters on an attribute; undefined for relations with several target types, which filters do not
 * support.
 */
function filterOf(attribute: Attribute, context: TypeContext): string | undefined {
  if (isScalar(attribute)) return formsOf(attribute).filter
  if (attribute.type === 'component')
    return `Filters.Component${attribute.repeatable ? 's' : ''}Filter<${nameOf(context, attribute.component)}Filters>`
  if (!isEdgeAttribute(attribute)) return undefined
  return `Filters.Relation${isMany(attribute) ? 's' : ''}Filter<${nameOf(context, targetOf(attribute))}Filters>`
}

/** Returns the uids of the content-types and components that a structure refers to. */
export function namedBy(structure: Structure): readonly string[] {
  return [...structure.attributes.values()].flatMap((attribute) => {
    if (attribute.type === 'component') return [attribute.component]
    if (attribute.type === 'dynamiczone') return attribute.components
    return attribute.type === 'relation' ? [attribute.target] : []
  })
}
