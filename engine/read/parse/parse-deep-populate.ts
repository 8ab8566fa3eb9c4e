import { fail } from '../../errors.js'
import type { QueryNode } from './brackets.js'
import type { Parsing } from './parse-limits.js'
import { countMembers } from './parse-limits.js'
import { membersOf } from './pieces.js'
import type { RawDeepPopulate, RawPopulate } from './raw-query.js'
import { isDeep } from './raw-query.js'

/** The parameters of deep populate other than `populate`. */
export type DeepNodes = Readonly<{ pLevel?: QueryNode; pIgnore?: QueryNode }>

/**
 * Parses `populate=deep`, `populate=deep,3` and `populate=all`. Returns undefined for any other `populate`: a name in a
 * list or in brackets is an attribute, as in `populate[0]=deep`. Throws a 400 like `parseDeepPopulate`.
 */
export function parseDeepWord(node: QueryNode, parsing: Parsing): RawDeepPopulate | undefined {
  if (node === 'all') return deep(parsing.limits.deepPopulate.max)
  if (node === 'deep') return deep(parseLevels('populate', null, parsing))
  if (typeof node !== 'string' || !node.startsWith(before)) return undefined
  const level = node.slice(before.length).trim()
  // `deep,author` is a list of two attributes.
  return /^\p{L}/u.test(level) ? undefined : deep(parseLevels('populate', level || '?', parsing))
}

const before = 'deep,'

const deep = (levels: number): RawDeepPopulate => ({ kind: 'deep', levels, ignore: [] })

/**
 * Parses `pLevel`, `pLevel=3` and `pIgnore`. Throws a 400 for a level that is not a whole number up to the maximum, for
 * `pLevel` with `populate`, and for `pIgnore` without a deep populate.
 */
export function parseDeepPopulate(
  populate: RawPopulate | RawDeepPopulate | undefined,
  { pLevel, pIgnore }: DeepNodes,
  parsing: Parsing,
): RawPopulate | RawDeepPopulate | undefined {
  if (pLevel !== undefined && populate !== undefined) {
    throw invalid('pLevel', "It cannot be combined with 'populate'")
  }
  const meant = pLevel === undefined ? populate : deep(parseLevels('pLevel', pLevel, parsing))
  if (pIgnore === undefined) return meant
  if (meant !== undefined && isDeep(meant))
    return { ...meant, ignore: parseNames(pIgnore, parsing) }
  throw invalid('pIgnore', "It needs 'pLevel', 'populate=deep' or 'populate=all'")
}

function parseLevels(param: string, node: QueryNode, { limits }: Parsing): number {
  const { default: usual, max } = limits.deepPopulate
  if (node === null || node === '') return Math.min(usual, max)
  const levels = typeof node === 'string' && /^\d+$/.test(node) ? Number(node) : NaN
  if (levels >= 1 && levels <= max) return levels
  const bound = 'api.rest.deepPopulate.max'
  const expected = `Expected levels, a whole number from 1 to ${max} (${bound})`
  throw invalid(param, expected, { bound, limit: max })
}

/** Parses `author,tags` or `pIgnore[0]=author` to sorted names. */
function parseNames(node: QueryNode, parsing: Parsing): readonly string[] {
  const count = countMembers('pIgnore', parsing.limits)
  const names = new Set<string>()
  const members: readonly QueryNode[] = Array.isArray(node) ? node : [node]
  for (const member of members) {
    if (member === null) continue
    if (typeof member !== 'string') throw invalid('pIgnore', 'Expected names, or a list of them')
    for (const name of membersOf(member, count)) names.add(name)
  }
  return [...names].sort()
}

function invalid(
  param: string,
  what: string,
  details: Readonly<Record<string, unknown>> = {},
): Error {
  return fail('validation', `Invalid parameter at '${param}'. ${what}`, {
    source: 'query',
    param,
    ...details,
  })
}
