import type { Pagination } from './query.js'

/** Returns the start, limit and `meta` of a page (docs/internals/decisions.md, "Page sizes"). */
export function pageOf(
  pagination: Pagination = {},
  total: number,
): Readonly<{ start: number; limit: number; meta: object }> {
  const counted = pagination['withCount'] !== 'false'
  const size = (value: number | string | undefined): number =>
    Math.min(100, Math.max(1, Number(value ?? 25)))
  if ('start' in pagination || 'limit' in pagination) {
    const start = Math.max(0, Number(pagination['start'] ?? 0))
    const limit = size(pagination['limit'])
    return { start, limit, meta: { pagination: { start, limit, ...(counted ? { total } : {}) } } }
  }
  const page = Math.max(1, Number(pagination['page'] ?? 1))
  const pageSize = size(pagination['pageSize'])
  const count = counted ? { pageCount: Math.ceil(total / pageSize), total } : {}
  const meta = { pagination: { page, pageSize, ...count } }
  return { start: (page - 1) * pageSize, limit: pageSize, meta }
}
