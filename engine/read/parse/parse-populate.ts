import { fail } from '../../errors.js'
import type { Count } from './bounds.js'
import { countTo } from './bounds.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import { parseFields } from './parse-fields.js'
import { parseFilters } from './parse-filters.js'
import { parsePagination } from './parse-pagination.js'
import type { Parsing } from './parse-limits.js'
import { countMembers } from './parse-limits.js'
import { membersOf, namesOf } from './pieces.js'
import type { QueryNode } from './brackets.js'
import { isObject } from '../../values/is-object.js'
import type { RawPopulate, RawPopulateEntry, RawPopulateOptions } from './raw-query.js'
import { parseSort } from './parse-sort.js'
import { refusedValue } from './refused-value.js'

const param = 'populate'

/**
 * Parses `*`, `author,tags`, `populate[0]=author.avatar` and `populate[author][fields]=name` to one tree. Throws a 400
 * for other forms, unknown options, and a path that is too deep.
 * @param depth depth of the populated entry
 */
export function parsePopulate(node: QueryNode, parsing: Parsing, depth = 0): RawPopulate {
  if (node === null || node === '') return []
  if (node === '*') return '*'
  if (typeof node === 'string') return parsePaths([node], parsing, depth)
  if (Array.isArray(node)) return parsePaths(node, parsing, depth)
  const entries = Object.entries(node)
  if (entries.some(([key]) => /^\d+$/.test(key))) {
    throw invalid([], 'a string, an array of strings, a populate object', node)
  }
  return entries.flatMap(([name, value]) => {
    parsing.populated()
    countLevels(parsing, depth)()
    const options = parseOptions(name, value, parsing, depth + 1)
    return options === undefined ? [] : [{ name, form: 'key' as const, options }]
  })
}

/** Names by level: `author.avatar,author.favorite` has `author` once. */
type Names = Map<string, Names>

function parsePaths(
  nodes: readonly QueryNode[],
  parsing: Parsing,
  depth: number,
): readonly RawPopulateEntry[] {
  const count = countMembers(param, parsing.limits)
  const names: Names = new Map()
  for (const node of nodes) {
    if (typeof node !== 'string') {
      throw invalid([], 'a string, an array of strings, a populate object', node)
    }
    for (const path of membersOf(node, count)) addPath(names, path, parsing, depth)
  }
  return entriesOf(names)
}

function addPath(names: Names, path: string, parsing: Parsing, depth: number): void {
  const level = countLevels(parsing, depth)
  let here = names
  for (const name of namesOf(path)) {
    level()
    let below = here.get(name)
    if (below === undefined) {
      parsing.populated()
      below = new Map()
      here.set(name, below)
    }
    here = below
  }
}

const entriesOf = (names: Names): readonly RawPopulateEntry[] =>
  [...names].map(([name, below]) => ({
    name,
    form: 'path',
    options: below.size === 0 ? {} : { populate: entriesOf(below) },
  }))

function countLevels({ limits: { maxPopulateDepth } }: Parsing, depth: number): Count {
  return countTo(maxPopulateDepth, 'The depth of populate', 'api.rest.maxPopulateDepth', depth)
}

/** Parses the value of `populate[name]`; undefined for `false`, `0` and `f`. `depth` is that of the attribute. */
function parseOptions(
  name: string,
  value: QueryNode,
  parsing: Parsing,
  depth: number,
): RawPopulateOptions | undefined {
  if (value === 'false' || value === '0' || value === 'f') return undefined
  if (value === 'true' || value === '1' || value === 't') return {}
  if (value === '*') return { star: true }
  if (!isObject(value)) {
    throw invalid([name], 'true, false, or an object', value)
  }
  return parseOptionObject(name, value, parsing, depth)
}

const optionNames = ['fields', 'sort', 'filters', 'populate', 'count', 'on']

function parseOptionObject(
  name: string,
  node: { readonly [key: string]: QueryNode },
  parsing: Parsing,
  depth: number,
): RawPopulateOptions {
  const options: { -readonly [K in keyof RawPopulateOptions]: RawPopulateOptions[K] } = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'fields') options.fields = parseFields(value, parsing)
    else if (key === 'sort') options.sort = parseSort(value, parsing)
    else if (key === 'filters') options.filters = parseFilters(value, parsing, param)
    else if (key === 'populate') options.populate = parsePopulate(value, parsing, depth)
    else if (key === 'count') options.count = parseCount(name, value)
    else if (key === 'on') options.on = parseFragments(name, value, parsing, depth)
    else if (key === 'pagination' && parsing.limits.nestedPagination) {
      options.pagination = parsePagination(value, param)
    } else throw unknownOption(key, name)
  }
  return options
}

function parseCount(name: string, value: QueryNode): boolean {
  if (value === 'true' || value === '1' || value === 't') return true
  if (value === 'false' || value === '0' || value === 'f') return false
  throw invalid([name, 'count'], 'true or false', value)
}

/** Parses `[on][section.hero][populate]=picture`. */
function parseFragments(
  name: string,
  node: QueryNode,
  parsing: Parsing,
  depth: number,
): ReadonlyMap<string, RawPopulateOptions> {
  if (!isObject(node)) {
    throw invalid([name], '"on" to name components', node)
  }
  const fragments = new Map<string, RawPopulateOptions>()
  for (const [uid, value] of Object.entries(node)) {
    parsing.populated()
    const options = parseOptions(uid, value, parsing, depth)
    if (options !== undefined) fragments.set(uid, options)
  }
  return fragments
}

function invalid(path: readonly string[], expected: string, received: QueryNode): Error {
  const at = path.length === 0 ? '' : ` at ${path.join('.')}`
  const message = `Invalid populate parameter${at}. Expected ${expected}`
  return refusedValue(message, { param, path }, expected, received)
}

function unknownOption(key: string, name: string): Error {
  // Strapi's error contains the full path of `locale` and `status`, because these attributes exist but may not be used.
  const path = key === 'locale' || key === 'status' ? `${name}.${key}` : name
  return fail(
    'invalid-key',
    { key, path },
    { key, path, source: 'query', param, ...suggestionFor(key, optionNames) },
  )
}
