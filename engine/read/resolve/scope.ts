import { ApiError } from '../../errors.js'
import type { Count } from '../parse/bounds.js'
import { countTo } from '../parse/bounds.js'
import type { PublicationFilter } from '../parse/raw-query.js'
import { maxPopulatedNames } from '../parse/raw-query.js'
import type { ContentType, Status } from '../../schema/content-type.js'
import type { Grant } from '../../schema/grant.js'
import { allows } from '../../schema/grant.js'
import type { Registry } from '../../schema/registry.js'
import type { PopulateTree, Selection } from './query.js'

/** Settings for queries. */
export type QueryRules = Readonly<{
  defaultLimit: number
  maxLimit: number
  maxPopulateDepth: number
  maxPopulateNodes: number
  wrapFilteredRelations: boolean
  nestedPagination: boolean
  /** With `ignore`, errors about page numbers have the same text as in a Strapi without its strict flags. */
  unknownKeys: 'refuse' | 'ignore'
  /**
   * `creators`: whether the users who created or updated an entry are shown. `maxCost`: maximum cost of a tree, in
   * units of 10 µs.
   */
  deepPopulate: Readonly<{ creators: boolean; maxCost: number }>
  defaultLocale: string
  /** Codes of the configured locales. */
  locales: ReadonlySet<string>
  /** By the code of a locale that falls back: this locale, followed by its fallback locales in order. */
  chains: ReadonlyMap<string, readonly string[]>
  localeFallback: boolean
}>

/** The context that all resolvers share. */
export type Scope = Readonly<{
  registry: Registry
  grant: Grant
  rules: QueryRules
  status: Status
  /** Filters that apply on every level of the query. */
  publication: readonly PublicationFilter[]
  /** Whether the response shows drafts or depends on them. */
  drafts: boolean
  budget: Budget
  trees: KnownTrees
  /** Whether the populate is a default. Names that the caller may not use are then left out. */
  byDefault: boolean
}>

/** Returns the cached populate tree of a key, or the result of `make`. */
export type KnownTrees = (key: string, make: () => PopulateTree) => PopulateTree

/**
 * Returns the selection of a cached populate tree, or of the tree that `make` returns.
 * @param parameters text of all parameters that the tree depends on
 * @throws ApiError for a tree that is rejected
 */
export function knownSelection(
  scope: Scope,
  { uid }: ContentType,
  parameters: string,
  make: () => PopulateTree,
): Selection {
  const { grant, status, publication, drafts, rules, byDefault } = scope
  const key = JSON.stringify([
    uid,
    grant.key,
    status,
    publication,
    drafts,
    [...rules.locales],
    byDefault,
  ])
  const tree = scope.trees(`${key} ${parameters}`, make)
  if (tree.kind === 'refused') throw new ApiError(tree.error)
  return tree.selection
}

/** Counters for one request, across all its levels (docs/internals/decisions.md, "Everything is bounded"). */
export type Budget = Readonly<{
  /** Counts populated relations and media. */
  nodes: Count
  /** Counts a name once for every component of a dynamic zone that has it. */
  populated: Count
  filteredRelations: Count
  /** Conditions that the database computes for each entry, such as a number converted to a string. */
  computed: Count
}>

/** Each computed condition takes some kilobytes of a command. */
const maxComputed = 500

/** Real requests have fewer filtered relations. `api.rest.maxCost` limits their cost. */
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
 * Files are always visible, as in Strapi. Drafts need their own permission (docs/internals/decisions.md, "Drafts are
 * not public").
 */
export function mayFind(scope: Scope, type: ContentType): boolean {
  if (type.uid === 'plugin::upload.file') return true
  if (!allows(scope.grant, type.uid, 'find')) return false
  const drafts = scope.drafts && type.draftAndPublish
  return !drafts || allows(scope.grant, type.uid, 'findDrafts')
}
