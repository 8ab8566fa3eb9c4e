import type { ErrorMessage } from '../../errors.js'
import type { DateUnit, Measure } from '../parse/group-words.js'
import type { Explain } from '../parse/raw-query.js'
import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  MorphAttribute,
  OwningAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../schema/attribute.js'
import type { Component, ContentType, Status } from '../../schema/content-type.js'
import type { FilePlace } from '../../schema/file-uses.js'
import type { Test } from '../../values/value-test.js'

/**
 * A query with every name resolved to an attribute, and every value converted to its type. Parts that the caller may
 * not see have been left out.
 */
export type Query = Readonly<{
  type: ContentType
  status: Status
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
  /** Set for an aggregation. */
  groups?: Groups | undefined
  /** Set if the response shows an explanation instead of the data. */
  explain: Explain | null
  locales: LocaleScope
  /**
   * In order of preference: entries and targets are shown in the first of these locales in which they have a version
   * (docs/internals/decisions.md, "Locale fallback"). Null if locales do not fall back.
   */
  chain: readonly string[] | null
  /** The locale of the request, which only writes use. */
  requestedLocale: string | undefined
  /**
   * For the targets of entries without locales: each is shown in the first of these locales in which it has a version
   * (docs/internals/decisions.md, "Relations from entries without locales").
   */
  contextLocales: readonly string[]
  page: Page
  /** See `RawQuery.ignored`. */
  ignored?: readonly string[] | undefined
}>

/** `all` for types that are not localized. */
export type LocaleScope = 'all' | readonly string[]

export type Page = Readonly<{
  /** As requested, and as shown in `meta.pagination`. */
  by: 'page' | 'offset'
  withCount: boolean
}> &
  Bounds

type Bounds = Readonly<{ start: number; limit: number }>

/**
 * The shown members of an entry or component value: scalars, then populated attributes, in schema order
 * (docs/internals/decisions.md, "Order of members").
 */
export type Selection = Readonly<{
  leading: readonly ScalarAttribute[]
  fields: readonly ScalarAttribute[]
  trailing: readonly ScalarAttribute[]
  populated: readonly Populated[]
  /** Set with deep populate, if several relations below share one selection. */
  shared?: true
}>

/** A populate tree, or why deep populate is rejected. */
export type PopulateTree = (
  | Readonly<{ kind: 'tree'; selection: Selection }>
  | Readonly<{ kind: 'refused'; error: ErrorMessage }>
) &
  /** Estimated bytes of memory. */
  Readonly<{ size: number }>

export type Populated = PopulatedComponent | PopulatedZone | PopulatedEdge | PopulatedMorph

/** The shown members of component values, with their filter and sort. */
export type PopulatedValues = Readonly<{
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
}>

type PopulatedComponent = PopulatedValues &
  Readonly<{ kind: 'component'; attribute: ComponentAttribute }>

type PopulatedZone = Readonly<{
  kind: 'zone'
  attribute: DynamicZoneAttribute
  /** By component uid. Values of other components are left out. */
  components: ReadonlyMap<string, PopulatedValues>
  count: boolean
}>

/** A step from an entry or component value to entries of a content-type. */
export type Edge =
  | Readonly<{
      via: 'relation'
      attribute: RelationAttribute
      inverseSide: OwningAttribute | null
      target: ContentType
    }>
  | Readonly<{ via: 'media'; attribute: MediaAttribute; target: ContentType }>
  /** The targets of one type. */
  | Readonly<{ via: 'morph'; attribute: MorphAttribute; target: ContentType }>
  /** The entries of one type that use a file. */
  | Readonly<{
      via: 'use'
      target: ContentType
      places: readonly FilePlace[]
    }>
  /** The same document in the other configured `locales`. */
  | Readonly<{ via: 'localizations'; target: ContentType; locales: readonly string[] }>
  /** An admin user (docs/internals/decisions.md, "Who wrote an entry"). */
  | Readonly<{ via: 'creator'; name: 'createdBy' | 'updatedBy'; target: ContentType }>

export type PopulatedEdge = Readonly<{
  kind: 'edge'
  name: string
  edge: Edge
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
  count: boolean
  /** Whether the response wraps the list in an object with `data` (docs/internals/decisions.md, "Wrapped lists"). */
  wrapped: boolean
  page: Bounds | null
}>

/** A populated polymorphic relation. Entries of types without an edge are left out. */
export type PopulatedMorph = Readonly<{
  kind: 'morph'
  attribute: MorphAttribute
  /** By the uid of the target's type. */
  edges: ReadonlyMap<string, PopulatedEdge>
  count: boolean
  /** See `PopulatedEdge.wrapped`. */
  wrapped: boolean
}>

/** A path through components and relations to a scalar. */
export type Sort = Readonly<{
  steps: readonly SortStep[]
  attribute: ScalarAttribute
  order: 'asc' | 'desc'
}>
export type SortStep =
  | Readonly<{ kind: 'component'; attribute: ComponentAttribute; component: Component }>
  | Readonly<{ kind: 'edge'; edge: Edge }>

/** Groups of entries, and what is computed for each group. */
export type Groups = Readonly<{
  keys: readonly GroupKey[]
  count: boolean
  measures: readonly GroupMeasure[]
  /** Contains all group keys, so the order is unambiguous. */
  sort: readonly GroupOrder[]
}>

/** `name` is the key as requested, such as `author.name` or `publishedAt:month`. */
export type GroupKey = Readonly<{
  name: string
  steps: readonly SortStep[]
  attribute: ScalarAttribute
  unit?: DateUnit | undefined
}>

/** Computed from an attribute of the entries or of their non-repeatable components. */
export type GroupMeasure = Readonly<{
  of: Measure
  name: string
  steps: readonly SortStep[]
  attribute: ScalarAttribute
}>

export type GroupOrder = Readonly<{ by: GroupPlace; order: 'asc' | 'desc' }>

/** A group's number of entries, or one of its keys or measures. */
type GroupPlace = Readonly<{ kind: 'count' }> | Readonly<{ kind: 'key' | 'measure'; at: number }>

/**
 * True if a target matches `of`. Unless `strict`, a source without targets is tested as if its only target had only
 * null values, as in an outer join.
 */
type OfTargets = Readonly<{ of: Filter; strict: boolean }>

/**
 * A filter in negation normal form: `$not` has been pushed down into tests and quantifiers. Null passes only the test
 * `null`; every other test, negated or not, is false for null, as in SQL.
 */
export type Filter =
  /** `none`: the exact opposite of `any`, also for null. */
  | Readonly<{ kind: 'all' | 'any' | 'none'; of: readonly Filter[] }>
  | Readonly<{ kind: 'test'; attribute: ScalarAttribute; test: Test }>
  | (Readonly<{ kind: 'component'; attribute: ComponentAttribute }> & OfTargets)
  | (Readonly<{ kind: 'edge'; edge: Edge }> & OfTargets)
  /** Whether the document has a version of the other status, in the same locale or in any of `locales`. */
  | Readonly<{
      kind: 'version'
      type: ContentType
      status: Status
      locales: 'same' | readonly string[]
      exists: boolean
    }>
  /** Whether there are a draft and a published version, and the draft is newer. */
  | Readonly<{ kind: 'modified'; type: ContentType; is: boolean }>
