import type { RawPagination, RawPopulateOptions } from '../parse/raw-query.js'
import type { Ground } from './attributes.js'
import { exceeded } from './exceeded.js'
import { resolveFilter } from './filters.js'
import { unknownKey } from './keys.js'
import { resolvePagination } from './pagination.js'
import { param } from './populate-errors.js'
import { resolvePublication } from './publication.js'
import type { Edge, PopulatedEdge, Selection, Slot } from './query.js'
import type { Scope } from './scope.js'
import { mayFind } from './scope.js'
import { resolveSort } from './sort.js'

/** Where in a populate tree a name stands. */
export type Here = Readonly<{ scope: Scope; depth: number; path: readonly string[] }>

/**
 * A relation, media, `localizations` or creator that is populated; null where its target may not be found.
 * `select` resolves what is shown of its targets. Throws 400 for options that it does not take.
 */
export function resolvePopulatedEdge(
  here: Here,
  name: string,
  edge: Edge,
  options: RawPopulateOptions,
  select: (ground: Ground) => Selection,
): PopulatedEdge | null {
  const { scope } = here
  const { budget } = scope
  if (options.on !== undefined) throw unknownKey('on', here.path, param)
  budget.nodes += 1
  if (budget.nodes > scope.rules.maxPopulateNodes) {
    throw exceeded(
      'The number of populated relations',
      'api.rest.maxPopulateNodes',
      scope.rules.maxPopulateNodes,
    )
  }
  const ground: Ground = { kind: 'type', type: edge.target }
  const nested = select(ground)
  const selection = edge.via === 'creator' ? creatorSelection(nested) : nested
  const filters = [
    ...(options.filters === undefined
      ? []
      : [resolveFilter(scope, ground, options.filters, param)]),
    ...resolvePublication(scope, edge.target),
  ]
  const sort = resolveSort(scope, ground, options.sort ?? [], param)
  const many = edge.via === 'localizations' || (edge.via === 'relation' && edge.attribute.many)
  const refined = options.filters !== undefined || sort.length > 0
  const resolved: PopulatedEdge = {
    kind: 'edge',
    name,
    edge,
    selection,
    filter: filters.length === 0 ? null : { kind: 'all', of: filters },
    sort,
    count: options.count === true,
    wrapped: scope.rules.wrapFilteredRelations && edge.via === 'relation' && many && refined,
    page: options.pagination === undefined ? null : openPage(scope, options.pagination),
  }
  const shown = edge.via === 'creator' || mayFind(scope, edge.target)
  return shown ? resolved : null
}

function openPage({ slots, rules }: Scope, raw: RawPagination): Slot {
  const pageOf = slots.pageOf(raw)
  return slots.open((sent) => {
    const { start, limit } = resolvePagination(pageOf(sent), rules)
    return { start, limit }
  })
}

/** D16: nothing else of an admin user is shown. */
const creatorFields = new Set(['firstname', 'lastname', 'username'])
function creatorSelection(selection: Selection): Selection {
  return {
    leading: selection.leading,
    fields: selection.fields.filter(({ name }) => creatorFields.has(name)),
    trailing: [],
    populated: [],
  }
}
