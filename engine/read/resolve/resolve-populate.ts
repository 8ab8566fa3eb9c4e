import { ApiError, fail } from '../../errors.js'
import { exceeded } from '../parse/bounds.js'
import type { RawPopulate, RawPopulateEntry, RawPopulateOptions } from '../parse/raw-query.js'
import type { ComponentAttribute, DynamicZoneAttribute } from '../../schema/attribute.js'
import { isReadable, isScalar } from '../../schema/attribute.js'
import type { Component } from '../../schema/content-type.js'
import { isFile, related } from '../../schema/file-uses.js'
import { builtIn, componentOf, typeOf } from '../../schema/registry.js'
import type { Model } from './resolve-attributes.js'
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
  model: Model,
  options: Pick<RawPopulateOptions, 'fields' | 'populate'>,
): Selection {
  const here = { scope, depth: 0, path: [] }
  return {
    ...resolveFields(model, options.fields),
    populated: resolvePopulate(here, model, options.populate ?? []),
  }
}

function resolveNested(here: Here, model: Model, options: RawPopulateOptions): Selection {
  return {
    ...resolveFields(model, options.fields, param),
    populated: resolvePopulate(here, model, options.populate ?? []),
  }
}

function resolvePopulate(here: Here, model: Model, raw: RawPopulate): readonly Populated[] {
  if (raw === '*') return everything(here, model)
  const populated = new Map<string, Populated | null>()
  for (const entry of raw) populated.set(entry.name, resolveAllowed(here, model, entry))
  return inSchemaOrder(model, populated)
}

/** Resolves `populate=*`: one level, without relations whose targets the caller may not find. */
function everything(here: Here, model: Model): readonly Populated[] {
  const names = [...structureOf(model).attributes.values()]
    .filter((attribute) => !isScalar(attribute) && isReadable(attribute))
    .map(({ name }) => name)
  if (model.kind === 'type' && isFile(model.type)) names.push(related.name)
  if (model.kind === 'type' && model.type.localized && !isHidden(model, 'localizations'))
    names.push('localizations')
  return names.flatMap((name) => {
    const entry = { name, form: 'key' as const, options: {} }
    return resolveEntry(here, model, entry) ?? []
  })
}

/**
 * A default tree has been checked with all permissions, so an error means that the caller lacks one. The name is then
 * left out.
 */
function resolveAllowed(here: Here, model: Model, entry: RawPopulateEntry): Populated | null {
  if (!here.scope.byDefault) return resolveEntry(here, model, entry)
  try {
    return resolveEntry(here, model, entry)
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'limit-exceeded') return null
    throw error
  }
}

/**
 * Returns null if the caller may not find the target of a relation. Even then, throws for invalid names and options.
 */
function resolveEntry(here: Here, model: Model, entry: RawPopulateEntry): Populated | null {
  const { name, options } = entry
  here.scope.budget.populated()
  if (isHidden(model, name)) throw refusedName(name, here.path, param)
  const special = model.kind === 'type' ? specialEdge(here, model, name) : undefined
  if (special !== undefined) return resolveEdgeEntry(descend(here, entry), name, special, options)
  if (name === related.name && model.kind === 'type' && isFile(model.type))
    return resolveRelated(descend(here, entry), model, options)
  const attribute = findAttribute(model, name)
  if (attribute === undefined) {
    if (name === 'createdBy' || name === 'updatedBy') throw refusedName(name, here.path, param)
    // Strapi gives the path for a name in a string, but not for a name in a key.
    throw entry.form === 'path' || here.path.length > 0
      ? unknownInPath(name, here.path, model)
      : unknownName(name, [], param, populatable(model))
  }
  if (isScalar(attribute) || !isReadable(attribute)) throw refusedName(name, here.path, param)
  // Strapi allows `*` for media, where it populates nothing more.
  if (options.star === true && attribute.type !== 'media')
    throw starOption(here.scope.registry, here.path, attribute)
  const inner = descend(here, entry)
  if (attribute.type === 'component') return resolveComponent(inner, attribute, options)
  if (attribute.type === 'dynamiczone') return resolveZone(inner, model, attribute, options)
  if (attribute.type === 'morph')
    return resolveMorph(inner, model, attribute, options, resolveNested)
  const edge = resolveEdgeEntry(inner, name, edgeOf(here.scope.registry, attribute), options)
  return isUsersOfRole(model, name) ? null : edge
}

/** Whether `options.privateAttributes` hides a system attribute. */
const isHidden = (model: Model, name: string): boolean =>
  model.kind === 'type' && model.type.hidden?.has(name) === true

function resolveRelated(here: Here, model: Model, options: RawPopulateOptions): Populated | null {
  if (options.star === true) throw unknownName('*', here.path, param)
  return resolveUses(here, model, options, resolveNested)
}

function resolveEdgeEntry(
  here: Here,
  name: string,
  edge: Edge,
  options: RawPopulateOptions,
): PopulatedEdge | null {
  return resolvePopulatedEdge(here, name, edge, options, (model) =>
    resolveNested(here, model, options),
  )
}

function specialEdge(here: Here, model: Model & { kind: 'type' }, name: string): Edge | undefined {
  if (name === 'localizations' && model.type.localized) {
    return localizationsOf(here.scope, model.type)
  }
  if ((name === 'createdBy' || name === 'updatedBy') && model.type.populateCreatorFields) {
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
  const model: Model = { kind: 'component', component }
  const sort = resolveSort(here.scope, model, options.sort ?? [], param)
  if (sort.some(({ steps }) => steps.some(({ kind }) => kind === 'edge'))) {
    throw fail('validation', {
      message: `Invalid sort at ${name}. Components cannot be sorted through relations`,
    })
  }
  return {
    selection: resolveNested(here, model, options),
    filter:
      options.filters === undefined
        ? null
        : resolveFilter(here.scope, model, options.filters, param),
    sort,
  }
}

function resolveZone(
  here: Here,
  model: Model,
  attribute: DynamicZoneAttribute,
  options: RawPopulateOptions,
): Populated {
  refuseOptions(here.path, options, ['pagination'])
  refuseUnfragmented(model, attribute, options)
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
  model: Model,
  populated: ReadonlyMap<string, Populated | null>,
): readonly Populated[] {
  const names = [
    ...structureOf(model).attributes.keys(),
    ...(model.kind === 'type' && isFile(model.type) ? [related.name] : []),
    'createdBy',
    'updatedBy',
    'localizations',
  ]
  return names.flatMap((name) => populated.get(name) ?? [])
}
