import { resolveContextLocale, resolveLocales } from './locales.js'
import { resolvePagination } from './pagination.js'
import type { Query, QueryShape, Sent } from './query.js'
import type { QueryRules } from './scope.js'

/**
 * A shape with what one request sends for it. Throws a 400 for a value that is not of its attribute's
 * type, and for pages that cannot be.
 */
export function bindQuery(shape: QueryShape, sent: Sent, rules: QueryRules): Query {
  return {
    kind: 'query',
    shape,
    values: shape.slots.map((bind) => bind(sent)),
    locales: resolveLocales(shape, sent, rules),
    askedLocale: sent.locale?.[0],
    contextLocale: resolveContextLocale(sent, rules),
    page: resolvePagination(sent.pagination, rules),
  }
}
