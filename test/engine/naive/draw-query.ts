import type { Attribute } from '../../../engine/schema/attribute.js'
import { isScalar } from '../../../engine/schema/attribute.js'
import type { ContentType, Structure } from '../../../engine/schema/content-type.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { builtIn, componentOf, typeOf } from '../../../engine/schema/registry.js'
import { drawFilters } from './draw-filters.js'
import type { Draw } from './draw.js'
import type { Populate, PopulateOptions, Query } from './query.js'
import { scalarTypeOf, shownScalars } from './values.js'
import { isEntry } from './world.js'

/**
 * A query that the engine has to understand. Most are of one thing, because a filter that nothing
 * satisfies, or a page of one entry, hides what is wrong with all else.
 */
export function drawQuery(draw: Draw, registry: Registry, type: ContentType): Query {
  const scope = {
    ...(draw.chance(30) ? { status: draw.pick(['draft', 'published'] as const) } : {}),
    ...(draw.chance(60) ? { locale: drawLocale(draw) } : {}),
  }
  switch (draw.index(5)) {
    case 0:
      return { fields: ['id'], filters: drawFilters(draw, registry, type, 3), ...scope }
    case 1:
      return { fields: ['id'], sort: drawSort(draw, registry, type), ...scope }
    case 2:
    case 3:
      return { fields: ['id'], populate: drawPopulate(draw, registry, type, 2), ...scope }
    default:
      return { ...drawAll(draw, registry, type), ...scope }
  }
}

function drawAll(draw: Draw, registry: Registry, type: ContentType): Query {
  const published = draw.pick(['true', 'false'] as const)
  return {
    ...(draw.chance(50) ? { fields: drawFields(draw, type) } : {}),
    ...(draw.chance(50) ? { sort: drawSort(draw, registry, type) } : {}),
    ...(draw.chance(50) ? { filters: drawFilters(draw, registry, type, 2) } : {}),
    ...(draw.chance(50) ? { populate: drawPopulate(draw, registry, type, 1) } : {}),
    ...(draw.chance(50) ? { pagination: drawPagination(draw) } : {}),
    ...(draw.chance(30) ? { hasPublishedVersion: published } : {}),
    ...(draw.chance(30) ? { _q: draw.pick(['a', 'É', 'k', 'ss', '.', '😀', '\n']) } : {}),
  }
}

function drawLocale(draw: Draw): string | readonly string[] {
  return draw.pick(['*', '*', 'fr', 'de', 'en', ['fr', 'de'], ['en', 'de'], ['*', 'fr'], 'xx'])
}

function drawPagination(draw: Draw): Record<string, number | string> {
  const withCount = draw.chance(30) ? { withCount: draw.pick(['false', 'true']) } : {}
  const [first, second] = draw.pick([
    ['page', 'pageSize'],
    ['start', 'limit'],
  ])
  return {
    ...(draw.chance(70) ? { [first ?? '']: draw.index(4) } : {}),
    ...(draw.chance(70) ? { [second ?? '']: draw.pick([3, 1, 0, 7, 1000]) } : {}),
    ...withCount,
  }
}

function drawFields(draw: Draw, structure: Structure): readonly string[] {
  const fields = draw.some(scalarNames(structure), 3)
  return fields.length === 0 ? ['id'] : fields
}

/** Scalars that can be shown; of entries the system's too. */
function scalarNames(structure: Structure): readonly string[] {
  const own = shownScalars(structure).map(({ name }) => name)
  if (!isEntry(structure)) return [...own, 'id']
  const system = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt']
  return [...own, ...system, ...(structure.localized ? ['locale'] : [])]
}

const unsortable = new Set(['json', 'array', 'blocks'])

type Steps = Readonly<{ most: number; into: (attribute: Attribute) => boolean }>

/** Components are sorted by what is in them, entries by what is behind them as well. */
function stepsFrom(structure: Structure, most: number): Steps {
  const entry = isEntry(structure)
  const into = ({ type }: Attribute): boolean =>
    type === 'component' || (entry && (type === 'relation' || type === 'media'))
  return { most, into }
}

function drawSort(
  draw: Draw,
  registry: Registry,
  structure: Structure,
  steps = stepsFrom(structure, 2),
): string[] {
  return Array.from({ length: 1 + draw.index(3) }, () => {
    const path = drawPath(draw, registry, structure, steps)
    return `${path}${draw.pick(['', ':desc', ':asc'])}`
  })
}

function drawPath(draw: Draw, registry: Registry, structure: Structure, steps: Steps): string {
  const { most, into } = steps
  const edges = [...structure.attributes.values()].filter((it) => !it.private && into(it))
  if (most > 0 && edges.length > 0 && draw.chance(50)) {
    const attribute = draw.pick(edges)
    const inner = behindOf(registry, attribute)
    return `${attribute.name}.${drawPath(draw, registry, inner, { most: most - 1, into })}`
  }
  const names = scalarNames(structure).filter(
    (name) => !unsortable.has(scalarTypeOf(structure, name) ?? ''),
  )
  return draw.pick(names)
}

function behindOf(registry: Registry, attribute: Attribute): Structure {
  if (attribute.type === 'component') return componentOf(registry, attribute.component)
  return typeOf(registry, attribute.type === 'relation' ? attribute.target : builtIn.file)
}

/** What can be populated, in the order of the schema. */
function populatable(structure: Structure): readonly string[] {
  const own = [...structure.attributes.values()].filter((it) => !isScalar(it) && !it.private)
  const names = own.map(({ name }) => name)
  if (!isEntry(structure)) return names
  return [
    ...names,
    ...(structure.localized ? ['localizations'] : []),
    ...(structure.populateCreatorFields ? ['createdBy', 'updatedBy'] : []),
  ]
}

function drawPopulate(
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
  const inner = attribute === undefined ? structure : behindOf(registry, attribute)
  const component = attribute?.type === 'component'
  return orTrue({
    ...(draw.chance(30) ? { fields: drawFields(draw, inner) } : {}),
    ...(draw.chance(40) ? { sort: drawSort(draw, registry, inner, stepsFrom(inner, 1)) } : {}),
    ...(draw.chance(40) ? { filters: drawFilters(draw, registry, inner, 2) } : {}),
    ...(depth > 0 && draw.chance(50)
      ? { populate: drawPopulate(draw, registry, inner, depth - 1) }
      : {}),
    ...(!component && draw.chance(15) ? { count: 'true' as const } : {}),
  })
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
    }),
  ])
  return { on: Object.fromEntries(fragments) as NonNullable<PopulateOptions['on']> }
}
