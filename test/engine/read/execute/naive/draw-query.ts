import { publicationFilters } from '../../../../../engine/read/parse/raw-query.js'
import type { ContentType } from '../../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { drawBounds } from './draw-bounds.js'
import { drawFilters } from './draw-filters.js'
import { drawPopulate } from './draw-populate.js'
import { drawFields, drawSort } from './draw-sort.js'
import type { Draw } from './draw.js'
import type { Pagination, Query } from './query.js'

/** Draws a valid query, mostly with one feature: several would often leave too few entries to show bugs. */
export function drawQuery(draw: Draw, registry: Registry, type: ContentType): Query {
  const query = drawWithout(draw, registry, type)
  return { ...query, ...drawFallback(draw, query) }
}

function drawWithout(draw: Draw, registry: Registry, type: ContentType): Query {
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
  return {
    ...(draw.chance(50) ? { fields: drawFields(draw, type) } : {}),
    ...(draw.chance(50) ? { sort: drawSort(draw, registry, type) } : {}),
    ...(draw.chance(50) ? { filters: drawFilters(draw, registry, type, 2) } : {}),
    ...(draw.chance(50) ? { populate: drawPopulate(draw, registry, type, 1) } : {}),
    ...(draw.chance(50) ? { pagination: drawPagination(draw) } : {}),
    ...(draw.chance(10) ? { hasPublishedVersion: draw.pick(['true', 'false'] as const) } : {}),
    ...(draw.chance(40) ? { publicationFilter: draw.pick(publicationFilters) } : {}),
    ...(draw.chance(30) ? { _q: draw.pick(['a', 'É', 'k', 'ss', '.', '😀', '\n']) } : {}),
  }
}

function drawLocale(draw: Draw): string | readonly string[] {
  return draw.pick(['*', '*', 'fr', 'de', 'en', ['fr', 'de'], ['en', 'de'], ['*', 'fr'], 'xx'])
}

/** Draws the parameter `fallback`, which is only valid in a request for a single locale. */
export function drawFallback(
  draw: Draw,
  { locale = 'en' }: Pick<Query, 'locale'>,
): Pick<Query, 'fallback'> {
  if (typeof locale !== 'string' || locale === '*' || draw.chance(50)) return {}
  return { fallback: draw.pick(['true', 'true', 'true', 'false'] as const) }
}

function drawPagination(draw: Draw): Pagination {
  const withCount = draw.chance(30) ? { withCount: draw.pick(['false', 'true']) } : {}
  return { ...drawBounds(draw), ...withCount }
}
