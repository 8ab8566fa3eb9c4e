import type { RawPagination, RawPopulateOptions } from '../parse/raw-query.js'
import type { Model } from './resolve-attributes.js'
import { creatorNames, unknownName, withoutSuggestion } from './resolve-attributes.js'
import { resolveFilter } from './resolve-filters.js'
import { resolvePagination } from './resolve-pagination.js'
import { param } from './populate-errors.js'
import { resolvePublication } from './resolve-versions.js'
import type { Edge, PopulatedEdge, Selection } from './query.js'
import type { Scope } from './scope.js'
import { mayFind } from './scope.js'
import { resolveSort } from './resolve-sort.js'

/** A position in a populate tree. */
export type Here = Readonly<{ scope: Scope; depth: number; path: readonly string[] }>

type Select = (model: Model) => Selection

/**
 * Resolves a populated relation, media, `localizations` or creator; null if the caller may not find the target. As in
 * Strapi, invalid options are a 400 for every caller.
 */
export function resolvePopulatedEdge(
  here: Here,
  name: string,
  edge: Edge,
  options: RawPopulateOptions,
  select: Select,
): PopulatedEdge | null {
  if (edge.via === 'creator' || mayFind(here.scope, edge.target))
    return resolveOptions(here, name, edge, options, select)
  try {
    resolveOptions(here, name, edge, options, select)
    return null
  } catch (error) {
    throw withoutSuggestion(error)
  }
}

function resolveOptions(
  here: Here,
  name: string,
  edge: Edge,
  options: RawPopulateOptions,
  select: Select,
): PopulatedEdge {
  const { scope } = here
  if (options.on !== undefined) throw unknownName('on', here.path, param)
  scope.budget.nodes()
  const only = edge.via === 'creator' ? { only: creatorNames } : {}
  const model: Model = { kind: 'type', type: edge.target, ...only }
  const selection = select(model)
  const filters = [
    ...(options.filters === undefined ? [] : [resolveFilter(scope, model, options.filters, param)]),
    ...resolvePublication(scope, edge.target),
  ]
  const sort = resolveSort(scope, model, options.sort ?? [], param)
  const many = edge.via === 'localizations' || (edge.via === 'relation' && edge.attribute.many)
  const refined = options.filters !== undefined || sort.length > 0
  return {
    kind: 'edge',
    name,
    edge,
    selection,
    filter: filters.length === 0 ? null : { kind: 'all', of: filters },
    sort,
    count: options.count === true,
    wrapped: scope.rules.wrapFilteredRelations && edge.via === 'relation' && many && refined,
    page: options.pagination === undefined ? null : resolvePage(scope, options.pagination),
  }
}

function resolvePage({ rules }: Scope, raw: RawPagination): PopulatedEdge['page'] {
  const { start, limit } = resolvePagination(raw, rules)
  return { start, limit }
}
