import { exceeded } from './bounds.js'
import type { QueryNode } from './brackets.js'
import { fail } from '../../errors.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import type { DateUnit, Measure } from './group-words.js'
import { dateUnits, maxGroupKeys, maxMeasures, measures } from './group-words.js'
import type { ParseLimits, Parsing } from './parse-limits.js'
import { countMembers } from './parse-limits.js'
import { membersOf, namesOf, splitWord } from './pieces.js'
import { countTo } from './bounds.js'
import type { RawGroupKey, RawGroups, RawMeasure } from './raw-query.js'

/** The parameters of an aggregation as they were sent. */
export type GroupNodes = Readonly<Partial<Record<'groupBy' | 'count' | Measure, QueryNode>>>

/**
 * Parses `groupBy=kind,publishedAt:month&count=*&sum=views`, without duplicates. Without `count` and measures, entries
 * are counted.
 */
export function parseGroups(nodes: GroupNodes, { limits, colonNames }: Parsing): RawGroups {
  const keys = new Map<string, RawGroupKey>()
  let sent = 0
  for (const text of piecesIn(nodes.groupBy, 'groupBy', limits)) {
    sent += 1
    if (sent > maxGroupKeys) throw exceeded('The number of group keys', 'groupBy', maxGroupKeys)
    const key = parseKey(text, limits, colonNames)
    keys.set(key.name, key)
  }
  const measuresByName = new Map<string, RawMeasure>()
  for (const of of measures) {
    for (const text of piecesIn(nodes[of], of, limits)) {
      const path = parsePath(text, of, limits)
      measuresByName.set(`${of} ${path.join('.')}`, { of, path })
      if (measuresByName.size > maxMeasures)
        throw exceeded('The number of measures', measures.join(', '), maxMeasures)
    }
  }
  return {
    by: [...keys.values()],
    count: nodes.count === undefined ? measuresByName.size === 0 : parseCount(nodes.count),
    measures: [...measuresByName.values()],
  }
}

function parseCount(node: QueryNode): true {
  if (node === '*') return true
  throw invalid('count', "Invalid parameter at 'count'. Expected '*'", {})
}

/** Yields the members of a list, sent with commas or as an array. Skips empty members, as `sort` does. */
function* piecesIn(
  node: QueryNode | undefined,
  param: string,
  limits: ParseLimits,
): Generator<string, void, undefined> {
  if (node === undefined || node === null) return
  const count = countMembers(param, limits)
  const members: readonly QueryNode[] = Array.isArray(node) ? node : [node]
  for (const member of members) {
    if (typeof member !== 'string') {
      const message = `Invalid ${param} parameter. Expected a string or an array of strings`
      throw invalid(param, message, {})
    }
    yield* membersOf(member, count)
  }
}

function parseKey(text: string, limits: ParseLimits, colonNames: ReadonlySet<string>): RawGroupKey {
  const [names, unit] = splitWord(text, colonNames)
  const path = parsePath(names, 'groupBy', limits)
  const name = path.join('.')
  if (unit === undefined) return { name, path }
  return { name: `${name}:${unit}`, path, unit: parseUnit(unit, name) }
}

function parseUnit(text: string, path: string): DateUnit {
  const unit = dateUnits.find((known) => known === text)
  if (unit !== undefined) return unit
  const message = `Invalid unit ${text} at ${path}. Expected one of: ${dateUnits.join(', ')}`
  throw invalid('groupBy', message, { path, ...suggestionFor(text, dateUnits) })
}

/** The last name is an attribute; the others are relations and components. */
function parsePath(
  text: string,
  param: string,
  { maxPopulateDepth }: ParseLimits,
): readonly string[] {
  const what = `The path of a member of ${param}`
  const step = countTo(maxPopulateDepth, what, 'api.rest.maxPopulateDepth', -1)
  const path: string[] = []
  for (const name of namesOf(text)) {
    step()
    path.push(name)
  }
  if (path.length > 0) return path
  throw invalid(param, `Invalid ${param} parameter. Expected the name of an attribute`, {})
}

const invalid = (param: string, message: string, details: object): Error =>
  fail('validation', message, { ...details, source: 'query', param })
