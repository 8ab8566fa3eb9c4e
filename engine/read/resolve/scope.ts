import type { Count } from '../parse/bounds.js'
import { countTo } from '../parse/bounds.js'
import type { PublicationFilter } from '../parse/raw-query.js'
import { maxPopulatedNames } from '../parse/raw-query.js'
import type { ContentType, Status } from '../../schema/content-type.js'
import type { Grant } from '../../schema/grant.js'
import { allows } from '../../schema/grant.js'
import type { Registry } from '../../schema/registry.js'
import type { DeepTree } from './query.js'
import type { Slots } from './slots.js'

/** Settings for queries. */
export type QueryRules = Readonly<{
  defaultLimit: number
  maxLimit: number
  maxPopulateDepth: number
  maxPopulateNodes: number
  wrapFilteredRelations: boolean
  nestedPagination: boolean
  /** `ignore`: errors about invalid page numbers have the messages of a Strapi without strict flags. */
  unknownKeys: 'refuse' | 'ignore'
  /** `creators`: whether deep populate shows creators. `maxCost`: limit of a tree's minimum cost, in units of 10 µs. */
  deepPopulate: Readonly<{ creators: boolean; maxCost: number }>
  defaultLocale: string
  /** Codes of the configured locales. */
  locales: ReadonlySet<string>
  /** For each locale that falls back: the locale itself, then its fallback locales in order. */
  chains: ReadonlyMap<string, readonly string[]>
  /** Default of the parameter `fallback`. */
  localeFallback: boolean
}>

/** The context that all resolvers share. */
export type Scope = Readonly<{
  registry: Registry
  grant: Grant
  rules: QueryRules
  status: Status
  slots: Slots
  /** Filters that apply on every level of the query. */
  publication: readonly PublicationFilter[]
  /** Whether the response shows drafts or depends on them. */
  drafts: boolean
  budget: Budget
  trees: KnownTrees
  /**
   * Whether the populate is a default instead of a part of the request. Names that this caller may not use are then
   * left out.
   */
  byDefault: boolean
}>

/** Returns the cached deep populate tree of a key. If there is none, calls `make` and caches its result. */
export type KnownTrees = (key: string, make: () => DeepTree) => DeepTree

/** Counters for one request, across all its levels (docs/internals/decisions.md, "Everything is bounded"). */
export type Budget = Readonly<{
  /** Number of populated relations and media. */
  nodes: Count
  /** Populated names. A name counts once for every component of a dynamic zone that has it. */
  populated: Count
  filteredRelations: Count
  /** Conditions on values that the database computes for each entry, such as a number converted to a string. */
  computed: Count
}>

/** Maximum number of `computed` conditions. Each takes some kilobytes of a command. */
const maxComputed = 500

/** Maximum number of relations in filters. Real requests have fewer. `api.rest.maxCost` limits their cost. */
const maxFilteredRelations = 50

export function createBudget({ maxPopulateNodes }: QueryRules): Budget {
  return {
    nodes: countTo(
      maxPopulateNodes,
      'The number of populated relations',
      'api.rest.maxPopulateNodes',
    ),
    populated: countTo(maxPopulatedNames, 'The number of populated names', 'populate'),
    filteredRelations: countTo(
      maxFilteredRelations,
      'The number of relations that are filtered through',
      'filters',
    ),
    computed: countTo(
      maxComputed,
      'The number of conditions on the text of numbers and on JSON',
      'filters',
    ),
  }
}

/**
 * Whether the caller may see entries of a type through a relation (docs/internals/strapi-behaviour.md, "Populate").
 * Files are always visible, as in Strapi. If the query concerns drafts, the caller also needs the permission for the
 * type's drafts, if the type has drafts (docs/internals/decisions.md, "Drafts are not public").
 */
export function mayFind(scope: Scope, type: ContentType): boolean {
  if (type.uid === 'plugin::upload.file') return true
  if (!allows(scope.grant, type.uid, 'find')) return false
  const drafts = scope.drafts && type.draftAndPublish
  return !drafts || allows(scope.grant, type.uid, 'findDrafts')
}
