import { ApiError, fail } from '../../errors.js'
import { exceeded } from '../parse/bounds.js'
import type { RawPopulate, RawPopulateEntry, RawPopulateOptions } from '../parse/raw-query.js'
import type { ComponentAttribute, DynamicZoneAttribute } from '../../schema/attribute.js'
import { isReadable, isScalar } from '../../schema/attribute.js'
import type { Component } from '../../schema/content-type.js'
import { isFile, related } from '../../schema/file-uses.js'
import { builtIn, componentOf, typeOf } from '../../schema/registry.js'
import type { AttributeOwner } from './resolve-attributes.js'
import {
  edgeOf,
  isUsersOfRole,
  findAttribute,
  structureOf,
  resolveFields,
  refusedName,
  unknownName,
} from './resolve-attributes.js'
import { resolveFilter } from './resolve-filters.js'
import { localizationsOf } from './resolve-versions.js'
import {
  firstPopulatable,
  param,
  populatable,
  refuseOptions,
  refuseUnfragmented,
  starOption,
  unknownInPath,
} from './populate-errors.js'
import { resolveMorph, resolveUses } from './resolve-morph.js'
import type { Here } from './resolve-populate-options.js'
import { resolvePopulatedEdge } from './resolve-populate-options.js'
import type { Edge, Populated, PopulatedEdge, PopulatedValues, Selection } from './query.js'
import type { Scope } from './scope.js'
import { resolveSort } from './resolve-sort.js'

/** Resolves which members of an entry or component value are shown, including everything that is populated. */
export function resolveSelection(
  scope: Scope,
  owner: AttributeOwner,
  options: Pick<RawPopulateOptions, 'fields' | 'populate'>,
): Selection {
  const here = { scope, depth: 0, path: [] }
  return {
    ...resolveFields(owner, options.fields),
    populated: resolvePopulate(here, owner, options.populate ?? []),
  }
}

function resolveNested(here: Here, owner: AttributeOwner, options: RawPopulateOptions): Selection {
  return {
    ...resolveFields(owner, options.fields, param),
    populated: resolvePopulate(here, owner, options.populate ?? []),
  }
}

function resolvePopulate(
  here: Here,
  owner: AttributeOwner,
  raw: RawPopulate,
): readonly Populated[] {
  if (raw === '*') return everything(here, owner)
  const populated = new Map<string, Populated | null>()
  for (const entry of raw) populated.set(entry.name, resolveAllowed(here, owner, entry))
  return inSchemaOrder(owner, populated)
}

/** Resolves `populate=*`: one level, without relations whose targets the caller may not find. */
function everything(here: Here, owner: AttributeOwner): readonly Populated[] {
  const names = [...structureOf(owner).attributes.values()]
    .filter((attribute) => !isScalar(attribute) && isReadable(attribute))
    .map(({ name }) => name)
  if (owner.kind === 'type' && isFile(owner.type)) names.push(related.name)
  if (owner.kind === 'type' && owner.type.localized && !isHidden(owner, 'localizations'))
    names.push('localizations')
  return names.flatMap((name) => {
    const entry = { name, form: 'key' as const, options: {} }
    return resolveEntry(here, owner, entry) ?? []
  })
}

/**
 * A default tree has been checked with all permissions, so an error means that the caller lacks one. The name is then
 * left out.
 */
function resolveAllowed(
  here: Here,
  owner: AttributeOwner,
  entry: RawPopulateEntry,
): Populated | null {
  if (!here.scope.byDefault) return resolveEntry(here, owner, entry)
  try {
    return resolveEntry(here, owner, entry)
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'limit-exceeded') return null
    throw error
  }
}

/**
 * Returns null if the caller may not find the target of a relation. Even then, throws for invalid names and options.
 */
function resolveEntry(
  here: Here,
  owner: AttributeOwner,
  entry: RawPopulateEntry,
): Populated | null {
  const { name, options } = entry
  here.scope.budget.populated()
  if (isHidden(owner, name)) throw refusedName(name, here.path, param)
  const special = owner.kind === 'type' ? specialEdge(here, owner, name) : undefined
  if (special !== undefined) return resolveEdgeEntry(descend(here, entry), name, special, options)
  if (name === related.name && owner.kind === 'type' && isFile(owner.type))
    return resolveRelated(descend(here, entry), owner, options)
  const attribute = findAttribute(owner, name)
  if (attribute === undefined) {
    if (name === 'createdBy' || name === 'updatedBy') throw refusedName(name, here.path, param)
    // Strapi gives the path for a name in a string, but not for a name in a key.
    throw entry.form === 'path' || here.path.length > 0
      ? unknownInPath(name, here.path, owner)
      : unknownName(name, [], param, populatable(owner))
  }
  if (isScalar(attribute) || !isReadable(attribute)) throw refusedName(name, here.path, param)
  // Strapi allows `*` for media, where it populates nothing more.
  if (options.star === true && attribute.type !== 'media')
    throw starOption(here.scope.registry, here.path, attribute)
  const inner = descend(here, entry)
  if (attribute.type === 'component') return resolveComponent(inner, attribute, options)
  if (attribute.type === 'dynamiczone') return resolveZone(inner, owner, attribute, options)
  if (attribute.type === 'morph')
    return resolveMorph(inner, owner, attribute, options, resolveNested)
  const edge = resolveEdgeEntry(inner, name, edgeOf(here.scope.registry, attribute), options)
  return isUsersOfRole(owner, name) ? null : edge
}

/** Whether `options.privateAttributes` hides a system attribute. */
const isHidden = (owner: AttributeOwner, name: string): boolean =>
  owner.kind === 'type' && owner.type.hidden?.has(name) === true

function resolveRelated(
  here: Here,
  owner: AttributeOwner,
  options: RawPopulateOptions,
): Populated | null {
  if (options.star === true) throw unknownName('*', here.path, param)
  return resolveUses(here, owner, options, resolveNested)
}

function resolveEdgeEntry(
  here: Here,
  name: string,
  edge: Edge,
  options: RawPopulateOptions,
): PopulatedEdge | null {
  return resolvePopulatedEdge(here, name, edge, options, (owner) =>
    resolveNested(here, owner, options),
  )
}

function specialEdge(
  here: Here,
  owner: AttributeOwner & { kind: 'type' },
  name: string,
): Edge | undefined {
  if (name === 'localizations' && owner.type.localized) {
    return localizationsOf(here.scope, owner.type)
  }
  if ((name === 'createdBy' || name === 'updatedBy') && owner.type.populateCreatorFields) {
    return { via: 'creator', name, target: typeOf(here.scope.registry, builtIn.adminUser) }
  }
  return undefined
}

function resolveComponent(
  here: Here,
  attribute: ComponentAttribute,
  options: RawPopulateOptions,
): Populated {
  refuseOptions(here.path, options, ['on', 'pagination', 'count'])
  const component = componentOf(here.scope.registry, attribute.component)
  return {
    kind: 'component',
    attribute,
    ...resolveValues(here, component, options, attribute.name),
  }
}

/** @param name name of the component values in errors */
function resolveValues(
  here: Here,
  component: Component,
  options: RawPopulateOptions,
  name: string,
): PopulatedValues {
  const owner: AttributeOwner = { kind: 'component', component }
  const sort = resolveSort(here.scope, owner, options.sort ?? [], param)
  if (sort.some(({ steps }) => steps.some(({ kind }) => kind === 'edge'))) {
    throw fail('validation', {
      message: `Invalid sort at ${name}. Components cannot be sorted through relations`,
    })
  }
  return {
    selection: resolveNested(here, owner, options),
    filter:
      options.filters === undefined
        ? null
        : resolveFilter(here.scope, owner, options.filters, param),
    sort,
  }
}

function resolveZone(
  here: Here,
  owner: AttributeOwner,
  attribute: DynamicZoneAttribute,
  options: RawPopulateOptions,
): Populated {
  refuseOptions(here.path, options, ['pagination'])
  refuseUnfragmented(owner, attribute, options)
  const { registry } = here.scope
  const components = new Map<string, PopulatedValues>()
  if (options.on === undefined) {
    refuseUnknownInZone(here, attribute, options.populate)
    for (const uid of attribute.components) {
      const component = componentOf(registry, uid)
      const populate =
        options.populate === undefined || options.populate === '*'
          ? options.populate
          : options.populate.filter(({ name }) => component.attributes.has(name))
      components.set(uid, resolveValues(here, component, { populate }, uid))
    }
    return { kind: 'zone', attribute, components, count: options.count === true }
  }
  for (const [uid, fragment] of options.on) {
    const component = registry.components.get(uid)
    if (component === undefined) throw unknownName(uid, here.path, param, attribute.components)
    const inner = { ...here, path: [] }
    refuseOptions(here.path, fragment, ['on', 'count', 'pagination'])
    if (fragment.star === true) throw firstPopulatable(here.path, component.attributes.values())
    const values = resolveValues(inner, component, fragment, uid)
    if (attribute.components.includes(uid)) components.set(uid, values)
  }
  return { kind: 'zone', attribute, components, count: options.count === true }
}

function refuseUnknownInZone(
  here: Here,
  attribute: DynamicZoneAttribute,
  populate: RawPopulate | undefined,
): void {
  if (populate === undefined || populate === '*') return
  const components = attribute.components.map((uid) => componentOf(here.scope.registry, uid))
  for (const { name } of populate) {
    if (components.some((component) => component.attributes.has(name))) continue
    throw unknownName(name, here.path, param)
  }
}

function descend(here: Here, { name }: RawPopulateEntry): Here {
  const depth = here.depth + 1
  const { maxPopulateDepth } = here.scope.rules
  if (depth > maxPopulateDepth) {
    throw exceeded('The depth of populate', 'api.rest.maxPopulateDepth', maxPopulateDepth)
  }
  return { ...here, depth, path: [...here.path, name] }
}

function inSchemaOrder(
  owner: AttributeOwner,
  populated: ReadonlyMap<string, Populated | null>,
): readonly Populated[] {
  const names = [
    ...structureOf(owner).attributes.keys(),
    ...(owner.kind === 'type' && isFile(owner.type) ? [related.name] : []),
    'createdBy',
    'updatedBy',
    'localizations',
  ]
  return names.flatMap((name) => populated.get(name) ?? [])
}
