import { isMeasurable, measures, unitsOf } from '../../../../../engine/read/parse/group-words.js'
import type { ContentType, Structure } from '../../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { drawBounds } from './draw-bounds.js'
import { drawFallback } from './draw-query.js'
import { drawFilters } from './draw-filters.js'
import { behindOf, drawPath, scalarNames, stepsFrom } from './draw-sort.js'
import type { Draw } from './draw.js'
import type { GroupQuery } from './groups.js'
import { scalarTypeOf } from './values.js'
import type { ScalarType } from '../../../../../engine/values/scalar-type.js'

/** Draws a valid aggregation, mostly through relations and components. */
export function drawGroupQuery(draw: Draw, registry: Registry, type: ContentType): GroupQuery {
  const paths = new Set(
    Array.from({ length: draw.index(4) }, () => drawPath(draw, registry, type, stepsFrom(type, 3))),
  )
  const groupBy = [...paths].map((path) => withUnit(draw, registry, type, path))
  const measured = measures.flatMap((of) => {
    const names = draw.chance(40) ? measurable(registry, type, of) : []
    return names.length === 0 ? [] : [[of, [...draw.some(names, 3)]] as const]
  })
  const shown = measured.filter(([, names]) => names.length > 0)
  const count = draw.chance(60) ? { count: '*' as const } : {}
  const isCounted = 'count' in count || shown.length === 0
  // Sort by extremes only: sums of doubles depend on the order of addition.
  const extremes = shown.flatMap(([of, names]) =>
    of === 'min' || of === 'max' ? names.map((name) => `${of}.${name}`) : [],
  )
  const sortable = [...paths, ...(isCounted ? ['count'] : []), ...extremes]
  const sort = draw.some(sortable, 2).map((name) => `${name}${draw.pick(['', ':desc', ':asc'])}`)
  const query: GroupQuery = {
    groupBy,
    ...count,
    ...Object.fromEntries(shown),
    ...(sort.length === 0 ? {} : { sort }),
    ...(draw.chance(40) ? { filters: drawFilters(draw, registry, type, 2) } : {}),
    ...(draw.chance(30) ? { pagination: drawBounds(draw) } : {}),
    ...(draw.chance(40) ? { status: draw.pick(['draft', 'published'] as const) } : {}),
    ...(draw.chance(60) ? { locale: draw.pick(['*', 'fr', ['fr', 'de'], 'xx']) } : {}),
  }
  return { ...query, ...drawFallback(draw, query) }
}

function withUnit(draw: Draw, registry: Registry, type: ContentType, path: string): string {
  const units = unitsOf(typeAt(registry, type, path.split('.')))
  return units.length > 0 && draw.chance(70) ? `${path}:${draw.pick(units)}` : path
}

function typeAt(registry: Registry, from: Structure, path: readonly string[]): ScalarType {
  const [name = '', ...rest] = path
  if (rest.length === 0) return scalarTypeOf(from, name) ?? 'string'
  const attribute = from.attributes.get(name)
  if (attribute === undefined) throw new Error(`${from.uid} has no ${name}`)
  return typeAt(registry, behindOf(registry, attribute), rest)
}

/**
 * Returns the attributes that `of` can measure. Measures support only attributes of the entries themselves and of their
 * single components.
 */
function measurable(
  registry: Registry,
  type: ContentType,
  of: (typeof measures)[number],
): readonly string[] {
  const namesIn = (structure: Structure): readonly string[] =>
    scalarNames(structure).filter((name) =>
      isMeasurable(of, scalarTypeOf(structure, name) ?? 'json'),
    )
  const components = [...type.attributes.values()].flatMap((attribute) =>
    attribute.type === 'component' && !attribute.repeatable && !attribute.private
      ? namesIn(behindOf(registry, attribute)).map((name) => `${attribute.name}.${name}`)
      : [],
  )
  return [...namesIn(type), ...components]
}
