import type { ErrorMessage } from '../../errors.js'
import type { DateUnit, Measure } from '../parse/group-words.js'
import type { Explain, RawPagination, RawValue } from '../parse/raw-query.js'
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
 * A query with every name resolved to an attribute of the schema, and slots (parameters) in place of values. Requests
 * that differ only in their values share one shape. Names that the caller may not use have been rejected, and parts
 * that the caller may not see have been left out.
 */
export type QueryShape = Readonly<{
  kind: 'shape'
  type: ContentType
  status: Status
  /** Whether the filter contains the attribute `locale`. */
  namesLocale: boolean
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
  /** The groups of an aggregation, which are shown instead of entries. */
  groups?: Groups | undefined
  /** The explanation that the response shows instead of the data; null for the data. */
  explain: Explain | null
  /** Functions that compute the values of the slots, in the order in which errors are reported. */
  slots: readonly Bind[]
  /** Estimated bytes of memory. The plan of the shape takes about as much. */
  size: number
}>

/** A parameter of a shape, whose value is `Query.values[at]`. */
export type Slot = Readonly<{ kind: 'slot'; at: number }>
export type SlotValue = Test | Bounds

/** Converts sent values to the value of a slot. Throws a 400 for values of another type. */
export type Bind = (sent: Sent) => SlotValue

/** The values of one request for a shape, as they were sent. */
export type Sent = Readonly<{
  /** The values of each comparison, in the order of the query string. */
  values: readonly (readonly RawValue[])[]
  /** The page of each populated relation that is paginated, in the order of the query string. */
  pages: readonly RawPagination[]
  pagination: RawPagination
  locale: readonly string[] | undefined
  /** Undefined if the request does not contain `fallback`. */
  fallback?: boolean | undefined
  /** The text of `_q`; empty if the request does not search. */
  search: string
  /** Unknown parameters that were ignored (`RawQuery.ignored`). */
  ignored?: readonly string[] | undefined
}>

/** A shape and the values of one request, converted to the types of their attributes. */
export type Query = Readonly<{
  kind: 'query'
  shape: QueryShape
  /** Values by the index of their slot. */
  values: readonly SlotValue[]
  locales: LocaleScope
  /**
   * Locales in order of preference, if locales fall back: entries and targets are shown in the first of these locales
   * in which they have a version (docs/internals/decisions.md, "Locale fallback"). Null if locales do not fall back.
   */
  chain: readonly string[] | null
  /** The requested locale, for writes; undefined if the request names none. */
  requestedLocale: string | undefined
  /**
   * Locales for the targets of entries without locales. Each target is shown in the first of these locales in which it
   * has a version (docs/internals/decisions.md, "Relations from entries without locales").
   */
  contextLocales: readonly string[]
  page: Page
  /** Unknown parameters that were ignored (`RawQuery.ignored`). */
  ignored?: readonly string[] | undefined
}>

/** Locales whose versions are read: a list of locales, or `all` for types that are not localized. */
export type LocaleScope = 'all' | readonly string[]

export type Page = Readonly<{
  /** How the page was requested. `meta.pagination` has the same form. */
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
  /** Set for the entries of a response with deep populate: several relations below them share one selection. */
  shared?: true
}>

/** The result of deep populate for entries of a type, or the reason why it is rejected. */
export type DeepTree = (
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
  /** Shown members by component uid. Values of other components are left out. */
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
  /** The entries of one type that a polymorphic relation refers to. */
  | Readonly<{ via: 'morph'; attribute: MorphAttribute; target: ContentType }>
  /** The entries of one type that use a file. */
  | Readonly<{
      via: 'use'
      target: ContentType
      places: readonly FilePlace[]
    }>
  /** The same document in the other configured `locales`. */
  | Readonly<{ via: 'localizations'; target: ContentType; locales: readonly string[] }>
  /** The admin user in `createdBy` or `updatedBy` (docs/internals/decisions.md, "Who wrote an entry"). */
  | Readonly<{ via: 'creator'; name: 'createdBy' | 'updatedBy'; target: ContentType }>

export type PopulatedEdge = Readonly<{
  kind: 'edge'
  name: string
  edge: Edge
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
  count: boolean
  /** Whether the list is shown as `{ "data": [] }` (docs/internals/decisions.md, "Wrapped lists"). */
  wrapped: boolean
  page: Slot | null
}>

/** A populated polymorphic relation. Entries of types without an edge are left out. */
export type PopulatedMorph = Readonly<{
  kind: 'morph'
  attribute: MorphAttribute
  /** Edges by the uid of the target's type. */
  edges: ReadonlyMap<string, PopulatedEdge>
  count: boolean
  /** See `PopulatedEdge.wrapped`. */
  wrapped: boolean
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

/** Groups of entries, and the values that are computed for each group. */
export type Groups = Readonly<{
  keys: readonly GroupKey[]
  count: boolean
  measures: readonly GroupMeasure[]
  /** Contains all group keys, so that the order of the groups is unambiguous. */
  sort: readonly GroupOrder[]
}>

/** A key by which entries are grouped. `name`: the key as requested, such as `author.name` or `publishedAt:month`. */
export type GroupKey = Readonly<{
  name: string
  steps: readonly SortStep[]
  attribute: ScalarAttribute
  unit?: DateUnit | undefined
}>

/**
 * A value that is computed from an attribute of the entries themselves, or of a non-repeatable component in the
 * entries.
 */
export type GroupMeasure = Readonly<{
  of: Measure
  name: string
  steps: readonly SortStep[]
  attribute: ScalarAttribute
}>

export type GroupOrder = Readonly<{ by: GroupPlace; order: 'asc' | 'desc' }>

/** A value of a group: its number of entries, or one of the keys or measures. */
type GroupPlace = Readonly<{ kind: 'count' }> | Readonly<{ kind: 'key' | 'measure'; at: number }>

/**
 * A filter that is true if a target matches `of`. Unless `strict`, a source without targets also counts as a match if
 * `of` matches a target whose values are all null (like the row of an outer join).
 */
type OfTargets = Readonly<{ of: Filter; strict: boolean }>

/**
 * A filter in negation normal form: `$not` has been pushed down into tests and quantifiers, and each test states what
 * it does with null. Null passes only the test `null`. Every other test, negated or not, is false for null, as in SQL.
 */
export type Filter =
  /** `none`: the exact opposite of `any`, also for null. */
  | Readonly<{ kind: 'all' | 'any' | 'none'; of: readonly Filter[] }>
  | Readonly<{ kind: 'test'; attribute: ScalarAttribute; test: Test | Slot }>
  | (Readonly<{ kind: 'component'; attribute: ComponentAttribute }> & OfTargets)
  | (Readonly<{ kind: 'edge'; edge: Edge }> & OfTargets)
  /**
   * Whether the document has a version of the other status, in the same locale or in any of `locales`. If `exists` is
   * false, the filter is negated.
   */
  | Readonly<{
      kind: 'version'
      type: ContentType
      status: Status
      locales: 'same' | readonly string[]
      exists: boolean
    }>
  /**
   * Whether there are a draft and a published version, and the draft is newer. If `is` is false, the filter is negated.
   */
  | Readonly<{ kind: 'modified'; type: ContentType; is: boolean }>
