import type { Explain } from '../parse/raw-query.js'
import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../schema/attribute.js'
import type { Component, ContentType, Status } from '../schema/content-type.js'
import type { Test } from '../schema/value-test.js'

/**
 * What is asked, with every name resolved to an attribute of the schema and every value coerced to its
 * type. What this caller may not name has been refused, what it may not see has been pruned.
 */
export type Query = Readonly<{
  kind: 'query'
  type: ContentType
  status: Status
  locales: LocaleScope
  /** The locale as it was sent, for writes; undefined = none. */
  askedLocale: string | undefined
  /**
   * What relations from entries that are not localized show (D33): the request's locale, else the
   * default; empty for one that is not configured, in which nothing is shown.
   */
  contextLocale: string
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
  page: Page
  /** What is answered instead of the data; null for the data. */
  explain: Explain | null
}>

/** Versions of which locales: those of the list, or `all` (`locale=*`). Types that are not localized have `all`. */
export type LocaleScope = 'all' | readonly string[]

export type Page = Readonly<{
  /** How it was asked for, which is how `meta.pagination` answers. */
  by: 'page' | 'offset'
  start: number
  limit: number
  withCount: boolean
}>

/** What is shown of an entry or component value: scalars, then what was populated, in schema order (D5). */
export type Selection = Readonly<{
  leading: readonly ScalarAttribute[]
  fields: readonly ScalarAttribute[]
  trailing: readonly ScalarAttribute[]
  populated: readonly Populated[]
}>

export type Populated = PopulatedComponent | PopulatedZone | PopulatedEdge

export type PopulatedComponent = Readonly<{
  kind: 'component'
  attribute: ComponentAttribute
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
}>

export type PopulatedZone = Readonly<{
  kind: 'zone'
  attribute: DynamicZoneAttribute
  /** What is shown of each component; entries of components that are not among them are left out. */
  components: ReadonlyMap<string, Selection>
  count: boolean
}>

/** A step from an entry or component value to entries of a content-type. */
export type Edge =
  | Readonly<{
      via: 'relation'
      attribute: RelationAttribute
      counterpart: RelationAttribute | null
      target: ContentType
    }>
  | Readonly<{ via: 'media'; attribute: MediaAttribute; target: ContentType }>
  /** The same document in the other configured `locales`. */
  | Readonly<{ via: 'localizations'; target: ContentType; locales: readonly string[] }>
  /** `createdBy`, `updatedBy` (D16). */
  | Readonly<{ via: 'creator'; name: 'createdBy' | 'updatedBy'; target: ContentType }>

export type PopulatedEdge = Readonly<{
  kind: 'edge'
  name: string
  edge: Edge
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
  count: boolean
  /** Shown as `{ "data": [] }` (D4). */
  wrapped: boolean
  page: Readonly<{ start: number; limit: number }> | null
}>

/** One key to sort by: a path through components and relations to a scalar. */
export type Sort = Readonly<{
  steps: readonly SortStep[]
  attribute: ScalarAttribute
  order: 'asc' | 'desc'
}>
export type SortStep =
  | Readonly<{ kind: 'component'; attribute: ComponentAttribute; component: Component }>
  | Readonly<{ kind: 'edge'; edge: Edge }>

/**
 * A filter in negation normal form: `$not` has been pushed down into the tests, each of which says by
 * itself what it does with null. Null satisfies `null` alone, so every other test, negated or not, is
 * false of it, as in SQL.
 */
export type Filter =
  | Readonly<{ kind: 'all' | 'any'; of: readonly Filter[] }>
  | Readonly<{ kind: 'test'; attribute: ScalarAttribute; test: Test }>
  | Readonly<{ kind: 'component'; attribute: ComponentAttribute; of: Filter }>
  /** True if a target satisfies it, or if there is none and a target of nulls would (an outer join's row). */
  | Readonly<{ kind: 'edge'; edge: Edge; of: Filter }>
  /** Whether the same document is published in the same locale. */
  | Readonly<{ kind: 'published'; type: ContentType; exists: boolean }>
