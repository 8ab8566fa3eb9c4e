import type { Count } from './bounds.js'
import { countTo } from './bounds.js'
import type { PublicationFilter } from './raw-query.js'
import { maxPopulatedNames } from './raw-query.js'
import type { ContentType, Status } from '../../schema/content-type.js'
import type { Grant } from '../../schema/grant.js'
import { allows } from '../../schema/grant.js'
import type { Registry } from '../../schema/registry.js'
import type { DeepTree } from './query.js'
import type { Slots } from './slots.js'

/** The settings that decide what a query may ask. */
export type QueryRules = Readonly<{
  defaultLimit: number
  maxLimit: number
  maxPopulateDepth: number
  maxPopulateNodes: number
  wrapFilteredRelations: boolean
  nestedPagination: boolean
  /** `ignore`: numbers of pages that are none are told in the words of a Strapi without strict flags. */
  unknownKeys: 'refuse' | 'ignore'
  /** Whether trees of `pLevel` show creators, and what such a tree may cost at least, in units of 10 µs. */
  deepPopulate: Readonly<{ creators: boolean; maxCost: number }>
  defaultLocale: string
  /** The configured locales' codes. */
  locales: ReadonlySet<string>
  /** For each locale that falls back: itself, then the others in their order. */
  chains: ReadonlyMap<string, readonly string[]>
  /** Whether locales fall back in requests that do not name `fallback`. */
  localeFallback: boolean
}>

/** What every pass of resolve is given. */
export type Scope = Readonly<{
  registry: Registry
  grant: Grant
  rules: QueryRules
  status: Status
  /** Where the values of the request go. */
  slots: Slots
  /** Holds on every level. */
  publication: readonly PublicationFilter[]
  /** Whether the answer shows or depends on drafts. */
  drafts: boolean
  budget: Budget
  trees: KnownTrees
  /** Whether nobody asked for what is populated: what this caller may not name is left out then. */
  byDefault: boolean
}>

/** Gives the tree of deep populate that was made before for a key, or makes it. */
export type KnownTrees = (key: string, make: () => DeepTree) => DeepTree

/** Counts what one request asks for (docs/decisions.md, "Everything is bounded"), on all its levels. */
export type Budget = Readonly<{
  /** Populated relations and media. */
  nodes: Count
  /** Populated names, in every component of a dynamic zone that has them. */
  populated: Count
  filteredRelations: Count
  /** Conditions on what the database has to make of a value, entry by entry: the text of a number. */
  computed: Count
}>

/** Each is some kilobytes of a command. */
const maxComputed = 500

/** More than anybody filters through; `api.rest.maxCost` bounds what they cost. */
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
 * Whether entries of a type may be seen through a relation (docs/coming-from-strapi.md, "Populate"). Files
 * are always shown, as in Strapi. Drafts need the permission for drafts on every type that has them
 * (docs/decisions.md, "Drafts are not public").
 */
export function mayFind(scope: Scope, type: ContentType): boolean {
  if (type.uid === 'plugin::upload.file') return true
  if (!allows(scope.grant, type.uid, 'find')) return false
  const drafts = scope.drafts && type.draftAndPublish
  return !drafts || allows(scope.grant, type.uid, 'findDrafts')
}
