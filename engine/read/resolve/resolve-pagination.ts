import { fail } from '../../errors.js'
import type { RawPagination } from '../parse/raw-query.js'
import type { Page } from './query.js'
import { refusedParameter } from '../parse/refused-value.js'
import type { QueryRules } from './scope.js'

/**
 * Resolves the page of a list, with sizes from 1 to the maximum. Throws a 400 for values that are not integers, and for
 * pages mixed with offsets (docs/internals/decisions.md, "Page sizes").
 */
export function resolvePagination(raw: RawPagination, rules: QueryRules): Page {
  const byPage = raw.page !== undefined || raw.pageSize !== undefined
  const byOffset = raw.start !== undefined || raw.limit !== undefined
  if (byPage && byOffset) {
    throw fail('pagination', {
      message: 'Cannot use both page & offset pagination in the same query',
    })
  }
  const withCount = resolveWithCount(raw.withCount)
  if (byOffset) {
    const start = Math.max(0, expectInteger('start', raw.start ?? 0, rules))
    return { by: 'offset', start, limit: resolveSize(raw.limit, rules), withCount }
  }
  const limit = resolveSize(raw.pageSize, rules)
  const page = raw.page === undefined || raw.page < 1 ? 1 : raw.page
  const start = expectInteger('start', (page - 1) * limit, rules)
  return { by: 'page', start, limit, withCount }
}

function resolveSize(raw: number | undefined, rules: QueryRules): number {
  const { defaultLimit, maxLimit } = rules
  const size = expectInteger('limit', raw ?? Math.min(defaultLimit, maxLimit), rules)
  return Math.min(Math.max(1, size), maxLimit)
}

const expected = {
  start: {
    bounds: '>= 0',
    classic: 'convertStartQueryParams expected a positive integer got',
  },
  limit: {
    bounds: '>= 1 or -1',
    classic: 'convertLimitQueryParams expected a positive integer got',
  },
}

function expectInteger(
  name: keyof typeof expected,
  value: number,
  { unknownKeys }: QueryRules,
): number {
  if (Number.isSafeInteger(value)) return value
  const { bounds, classic } = expected[name]
  const strict = `Invalid parameter at '${name}'. Expected integer ${bounds}, received: ${value}`
  const message = unknownKeys === 'ignore' ? `${classic} ${value}` : strict
  throw refusedParameter(message, 'pagination', `an integer ${bounds}`, String(value))
}

function resolveWithCount(raw: string | undefined): boolean {
  if (raw === undefined || raw === 'true' || raw === 't' || raw === '1') return true
  if (raw === 'false' || raw === 'f' || raw === '0') return false
  const expected = '"t","1","true","false","0","f"'
  const message = `Invalid withCount parameter. Expected ${expected}`
  throw refusedParameter(message, 'pagination', expected, raw)
}
