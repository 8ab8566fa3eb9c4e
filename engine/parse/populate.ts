import { fail } from '../errors.js'
import { suggestionFor } from '../nearest-name.js'
import { parseFields } from './fields.js'
import { parseFilters } from './filters.js'
import { parsePagination } from './pagination.js'
import type { ParseLimits } from './parse-limits.js'
import type { QueryNode } from './query-string.js'
import { isObject } from './query-string.js'
import type { RawPopulate, RawPopulateEntry, RawPopulateOptions } from './raw-query.js'
import { parseSort } from './sort.js'

const param = 'populate'

/**
 * `*`, `author,tags`, `populate[0]=author.avatar`, `populate[author][fields]=name` to one tree.
 * Throws a 400 for what is none of these forms and for options that populate does not have.
 */
export function parsePopulate(node: QueryNode, limits: ParseLimits): RawPopulate {
  if (node === null || node === '') return []
  if (node === '*') return '*'
  if (typeof node === 'string') return parsePaths([node])
  if (Array.isArray(node)) return parsePaths(node)
  const entries = Object.entries(node)
  if (entries.some(([key]) => /^\d+$/.test(key))) {
    throw fail('validation', {
      message:
        'Invalid populate parameter. Expected a string, an array of strings, a populate object',
    })
  }
  return entries.flatMap(([name, value]) => {
    const options = parseOptions(name, value, limits)
    return options === undefined ? [] : [{ name, form: 'key' as const, options }]
  })
}

function parsePaths(nodes: readonly QueryNode[]): readonly RawPopulateEntry[] {
  return nodes.flatMap((node) => {
    if (typeof node !== 'string') {
      throw fail('validation', {
        message:
          'Invalid populate parameter. Expected a string, an array of strings, a populate object',
      })
    }
    return node
      .split(',')
      .map((path) =>
        path
          .trim()
          .split('.')
          .filter((name) => name !== ''),
      )
      .filter((path) => path.length > 0)
      .map(parsePath)
  })
}

/** `author.avatar`: author, and in it avatar. */
function parsePath(path: readonly string[]): RawPopulateEntry {
  const [name = '', ...rest] = path
  return {
    name,
    form: 'path',
    options: rest.length === 0 ? {} : { populate: [parsePath(rest)] },
  }
}

/** The value of `populate[name]`; undefined when it says not to populate. */
function parseOptions(
  name: string,
  value: QueryNode,
  limits: ParseLimits,
): RawPopulateOptions | undefined {
  if (value === 'false' || value === '0' || value === 'f') return undefined
  if (value === 'true' || value === '1' || value === 't') return {}
  if (value === '*') return { star: true }
  if (!isObject(value)) {
    throw fail('validation', {
      message: `Invalid populate parameter at ${name}. Expected true, false, or an object`,
    })
  }
  return parseOptionObject(name, value, limits)
}

const optionNames = ['fields', 'sort', 'filters', 'populate', 'count', 'on']

function parseOptionObject(
  name: string,
  node: { readonly [key: string]: QueryNode },
  limits: ParseLimits,
): RawPopulateOptions {
  const options: { -readonly [K in keyof RawPopulateOptions]: RawPopulateOptions[K] } = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'fields') options.fields = parseFields(value)
    else if (key === 'sort') options.sort = parseSort(value)
    else if (key === 'filters') options.filters = parseFilters(value, param)
    else if (key === 'populate') options.populate = parsePopulate(value, limits)
    else if (key === 'count') options.count = parseCount(name, value)
    else if (key === 'on') options.on = parseFragments(name, value, limits)
    else if (key === 'pagination' && limits.nestedPagination) {
      options.pagination = parsePagination(value, param)
    } else throw unknownOption(key, name)
  }
  return options
}

function parseCount(name: string, value: QueryNode): boolean {
  if (value === 'true' || value === '1' || value === 't') return true
  if (value === 'false' || value === '0' || value === 'f') return false
  throw fail('validation', {
    message: `Invalid populate parameter at ${name}.count. Expected true or false`,
  })
}

/** `[on][section.hero][populate]=picture`: by component uid. */
function parseFragments(
  name: string,
  node: QueryNode,
  limits: ParseLimits,
): ReadonlyMap<string, RawPopulateOptions> {
  if (!isObject(node)) {
    throw fail('validation', {
      message: `Invalid populate parameter at ${name}. Expected "on" to name components`,
    })
  }
  const fragments = new Map<string, RawPopulateOptions>()
  for (const [uid, value] of Object.entries(node)) {
    const options = parseOptions(uid, value, limits)
    if (options !== undefined) fragments.set(uid, options)
  }
  return fragments
}

function unknownOption(key: string, name: string): Error {
  // Strapi names these two by their full path, as attributes that exist but may not be asked for.
  const path = key === 'locale' || key === 'status' ? `${name}.${key}` : name
  return fail(
    'invalid-key',
    { key, path },
    { key, path, source: 'query', param, ...suggestionFor(key, optionNames) },
  )
}
