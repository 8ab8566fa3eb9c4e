import type { Attribute } from '../../../../../engine/schema/attribute.js'
import { isScalar } from '../../../../../engine/schema/attribute.js'
import type { Structure } from '../../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { componentOf } from '../../../../../engine/schema/registry.js'
import { drawFilters } from './draw-filters.js'
import { behindOf, drawFields, drawSort, stepsFrom } from './draw-sort.js'
import { drawBounds } from './draw-bounds.js'
import type { Draw } from './draw.js'
import type { Populate, PopulateOptions } from './query.js'
import { isFile } from './show-related.js'
import { isEntry } from './world.js'

export function drawPopulate(
  draw: Draw,
  registry: Registry,
  structure: Structure,
  depth: number,
): Populate {
  const names = populatable(structure)
  const form = draw.index(6)
  if (form === 0 || names.length === 0) return '*'
  const chosen = draw.some(names, 4)
  const [first = draw.pick(names), ...rest] = chosen
  if (form === 1) return [first, ...rest].map((name) => drawDotted(draw, registry, structure, name))
  return Object.fromEntries(
    [first, ...rest].map((name) => [name, drawOptions(draw, registry, structure, name, depth)]),
  )
}

/** Returns the attributes that can be populated, in the order of the schema. */
function populatable(structure: Structure): readonly string[] {
  const own = [...structure.attributes.values()].filter((it) => !isScalar(it) && !it.private)
  const names = own.map(({ name }) => name)
  if (!isEntry(structure)) return names
  return [
    ...names,
    ...(isFile(structure) ? ['related'] : []),
    ...(structure.localized ? ['localizations'] : []),
    ...(structure.populateCreatorFields ? ['createdBy', 'updatedBy'] : []),
  ]
}

function drawDotted(draw: Draw, registry: Registry, structure: Structure, name: string): string {
  const attribute = structure.attributes.get(name)
  if (attribute === undefined || attribute.type === 'dynamiczone' || draw.chance(50)) return name
  const below = populatable(behindOf(registry, attribute))
  return below.length === 0 ? name : `${name}.${draw.pick(below)}`
}

function drawOptions(
  draw: Draw,
  registry: Registry,
  structure: Structure,
  name: string,
  depth: number,
): PopulateOptions | 'true' {
  const attribute = structure.attributes.get(name)
  if (attribute?.type === 'dynamiczone') {
    return drawZone(draw, registry, attribute.components, depth)
  }
  if (name === 'createdBy' || name === 'updatedBy')
    return draw.pick(['true', { fields: ['lastname'] }])
  if (name === 'related' && isFile(structure)) return draw.pick(['true', { count: 'true' }])
  const inner = attribute === undefined ? structure : behindOf(registry, attribute)
  return orTrue({
    ...(draw.chance(30) ? { fields: drawFields(draw, inner) } : {}),
    ...(draw.chance(40) ? { sort: drawSort(draw, registry, inner, stepsFrom(inner, 1)) } : {}),
    ...(draw.chance(40) ? { filters: drawFilters(draw, registry, inner, 2) } : {}),
    ...(depth > 0 && draw.chance(50)
      ? { populate: drawPopulate(draw, registry, inner, depth - 1) }
      : {}),
    ...drawCut(draw, attribute),
  })
}

/** Draws a count, or a page of a list (docs/internals/decisions.md, "Paging inside populate"). */
function drawCut(draw: Draw, attribute: Attribute | undefined): PopulateOptions {
  if (attribute?.type === 'component') return {}
  const list =
    attribute === undefined ||
    (attribute.type === 'relation'
      ? attribute.many
      : attribute.type === 'media' && attribute.multiple)
  if (draw.chance(15)) return { count: 'true' }
  return list && draw.chance(20) ? { pagination: drawBounds(draw) } : {}
}

const orTrue = (options: PopulateOptions): PopulateOptions | 'true' =>
  Object.keys(options).length === 0 ? 'true' : options

function drawZone(
  draw: Draw,
  registry: Registry,
  uids: readonly string[],
  depth: number,
): PopulateOptions | 'true' {
  const form = draw.index(4)
  if (form === 0 || depth === 0) return 'true'
  if (form === 1) return { count: 'true' }
  const components = uids.map((uid) => componentOf(registry, uid))
  if (form === 2) {
    const names = components.flatMap(populatable).filter((name) => {
      const named = components.filter(({ attributes }) => attributes.has(name))
      return named.every((component) => populatable(component).includes(name))
    })
    return { populate: names.length === 0 || draw.chance(50) ? '*' : [draw.pick(names)] }
  }
  const [first = draw.pick(components), ...rest] = draw.some(components, components.length)
  const fragments = [first, ...rest].map((component) => [
    component.uid,
    orTrue({
      ...(draw.chance(30) ? { fields: drawFields(draw, component) } : {}),
      ...(draw.chance(50) ? { populate: drawPopulate(draw, registry, component, depth - 1) } : {}),
      ...(draw.chance(40)
        ? { sort: drawSort(draw, registry, component, stepsFrom(component, 1)) }
        : {}),
      ...(draw.chance(40) ? { filters: drawFilters(draw, registry, component, 2) } : {}),
    }),
  ])
  return { on: Object.fromEntries(fragments) as NonNullable<PopulateOptions['on']> }
}
