import { ApiError } from '../errors.js'
import type { QueryNode } from './parse/brackets.js'
import type { ParseLimits } from './parse/parse-limits.js'
import { createParsing } from './parse/parse-limits.js'
import { parsePopulate } from './parse/parse-populate.js'
import { resolveQuery } from './resolve/resolve-query.js'
import type { QueryRules } from './resolve/scope.js'
import type { ContentType } from '../schema/content-type.js'
import { fullGrant } from '../schema/grant.js'
import type { Registry } from '../schema/registry.js'
import { isObject } from '../values/is-object.js'

type RawPopulate = ReturnType<typeof parsePopulate>

/** Returns the populate tree for a GET request without `populate`. Undefined: nothing is populated. */
export type DefaultPopulate = (type: ContentType) => RawPopulate | undefined

export type PopulateTrees = Readonly<Record<string, unknown>>

type Context = Readonly<{ registry: Registry; limits: ParseLimits; rules: QueryRules }>

const setting = 'api.rest.defaultPopulate'

/**
 * Reads the default populate trees from `api.rest.defaultPopulate`, by uid, or else from a definition's
 * `options.defaultPopulate` (docs/internals/decisions.md, "Default populate").
 * @throws Error that names an unknown content-type, or the place of an invalid tree
 */
export function readDefaultPopulate(trees: PopulateTrees, context: Context): DefaultPopulate {
  const known = new Map<string, RawPopulate>()
  for (const uid of Object.keys(trees))
    if (!context.registry.contentTypes.has(uid))
      throw new Error(`${setting}: there is no content-type ${uid}`)
  for (const type of context.registry.contentTypes.values()) {
    const isSet = Object.hasOwn(trees, type.uid)
    const tree = isSet ? trees[type.uid] : optionOf(type)
    const place = isSet ? `${setting}: ${type.uid}` : `${type.uid}: options.defaultPopulate`
    if (tree !== undefined) known.set(type.uid, readTree(tree, type, place, context))
  }
  return ({ uid }) => known.get(uid)
}

function optionOf({ definition }: ContentType): unknown {
  const { options } = definition
  return isObject(options) ? options['defaultPopulate'] : undefined
}

function readTree(
  tree: unknown,
  type: ContentType,
  place: string,
  { registry, limits, rules }: Context,
): RawPopulate {
  try {
    const populate = parsePopulate(nodeOf(tree), createParsing(limits, registry.colonNames))
    resolveQuery({ populate }, type, fullGrant, registry, rules, 'read', {
      trees: (_name, make) => make(),
    })
    return populate
  } catch (error) {
    if (error instanceof ApiError) throw new Error(`${place}: ${error.message}`, { cause: error })
    throw error
  }
}

/** Converts JSON to a parsed query string: `true` becomes `'true'`. Developers write it, so depth is not limited. */
function nodeOf(value: unknown): QueryNode {
  if (value === null || typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(nodeOf)
  if (!isObject(value)) return JSON.stringify(value)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, nodeOf(inner)]))
}
