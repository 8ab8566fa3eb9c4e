import type { ErrorMessage } from '../../errors.js'
import type { DateUnit, Measure } from './group-words.js'
import type { Explain, RawPagination, RawValue } from './raw-query.js'
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
 * What is asked, with every name resolved to an attribute of the schema, and slots where the values of a
 * request go: two requests that differ in their values alone share it. What this caller may not name has
 * been refused, what it may not see has been pruned.
 */
export type QueryShape = Readonly<{
  kind: 'shape'
  type: ContentType
  status: Status
  /** Whether the filter names locales itself. */
  namesLocale: boolean
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
  /** Of an aggregation: what is asked of the entries, instead of showing them. */
  groups?: Groups | undefined
  /** What is answered instead of the data; null for the data. */
  explain: Explain | null
  /** What fills the slots, in the order in which errors are found. */
  slots: readonly Bind[]
  /** Bytes of memory that it takes, by estimate; the plan that is made of it takes about as much. */
  size: number
}>

/** A place in a shape: `Query.values[at]` belongs there. */
export type Slot = Readonly<{ kind: 'slot'; at: number }>
export type SlotValue = Test | Bounds

/** Makes a slot's value of what was sent. Throws a 400 for what has another type. */
export type Bind = (sent: Sent) => SlotValue

/** What a request brings to a shape, as it was sent. */
export type Sent = Readonly<{
  /** Of each comparison, in the order of the text. */
  values: readonly (readonly RawValue[])[]
  /** Of each populated relation that is paginated, in the order of the text. */
  pages: readonly RawPagination[]
  pagination: RawPagination
  locale: readonly string[] | undefined
  /** Undefined: not said. */
  fallback?: boolean | undefined
  /** Empty: none. */
  search: string
  /** `RawQuery.ignored` */
  ignored?: readonly string[] | undefined
}>

/** A shape and what was sent for it, with every value coerced to the type of its attribute. */
export type Query = Readonly<{
  kind: 'query'
  shape: QueryShape
  /** By slot. */
  values: readonly SlotValue[]
  locales: LocaleScope
  /**
   * Where locales fall back: each entry and each target is shown in the first of these that it has a version in
   * (docs/decisions.md, "Locale fallback"). Null: they do not.
   */
  chain: readonly string[] | null
  /** The locale as it was sent, for writes; undefined = none. */
  askedLocale: string | undefined
  /**
   * What relations from entries that are not localized show (docs/decisions.md, "Relations from entries
   * without locales"): each target in the first of these that it has a version in.
   */
  contextLocales: readonly string[]
  page: Page
  /** `RawQuery.ignored` */
  ignored?: readonly string[] | undefined
}>

/** Versions of which locales: those of the list, or `all` (`locale=*`). Types that are not localized have `all`. */
export type LocaleScope = 'all' | readonly string[]

export type Page = Readonly<{
  /** How it was asked for, which is how `meta.pagination` answers. */
  by: 'page' | 'offset'
  withCount: boolean
}> &
  Bounds

type Bounds = Readonly<{ start: number; limit: number }>

/**
 * What is shown of an entry or component value: scalars, then what was populated, in schema order
 * (docs/decisions.md, "Order of members").
 */
export type Selection = Readonly<{
  leading: readonly ScalarAttribute[]
  fields: readonly ScalarAttribute[]
  trailing: readonly ScalarAttribute[]
  populated: readonly Populated[]
  /** Of the entries of an answer: several of the edges below lead to one selection (deep populate). */
  shared?: true
}>

/** What deep populate shows of the entries of a type, or why it does not. */
export type DeepTree = (
  | Readonly<{ kind: 'tree'; selection: Selection }>
  | Readonly<{ kind: 'refused'; error: ErrorMessage }>
) &
  /** Bytes of memory, by estimate. */
  Readonly<{ size: number }>

export type Populated = PopulatedComponent | PopulatedZone | PopulatedEdge | PopulatedMorph

/** Values of a component: what is shown of them, which ones, and in which order. */
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
  /** What is shown of each component; entries of components that are not among them are left out. */
  components: ReadonlyMap<string, PopulatedValues>
  count: boolean
}>

/** A step from an entry or component value to entries of a content-type. */
export type Edge =
  | Readonly<{
      via: 'relation'
      attribute: RelationAttribute
      counterpart: OwningAttribute | null
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
  /** `createdBy`, `updatedBy` (docs/decisions.md, "Who wrote an entry"). */
  | Readonly<{ via: 'creator'; name: 'createdBy' | 'updatedBy'; target: ContentType }>

export type PopulatedEdge = Readonly<{
  kind: 'edge'
  name: string
  edge: Edge
  selection: Selection
  filter: Filter | null
  sort: readonly Sort[]
  count: boolean
  /** Shown as `{ "data": [] }` (docs/decisions.md, "Wrapped lists"). */
  wrapped: boolean
  page: Slot | null
}>

/** A polymorphic relation: what is shown of entries of each type; those of other types are left out. */
export type PopulatedMorph = Readonly<{
  kind: 'morph'
  attribute: MorphAttribute
  /** By uid. */
  edges: ReadonlyMap<string, PopulatedEdge>
  count: boolean
  /** As of an edge. */
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

/** Entries by what they have in common, and what is worked out of those of each group. */
export type Groups = Readonly<{
  keys: readonly GroupKey[]
  count: boolean
  measures: readonly GroupMeasure[]
  /** All keys are in it. */
  sort: readonly GroupOrder[]
}>

/** `name`: as it was asked for, `author.name`, `publishedAt:month`. */
export type GroupKey = Readonly<{
  name: string
  steps: readonly SortStep[]
  attribute: ScalarAttribute
  unit?: DateUnit | undefined
}>

/** Of an attribute of the entries themselves, or of one component in them. */
export type GroupMeasure = Readonly<{
  of: Measure
  name: string
  steps: readonly SortStep[]
  attribute: ScalarAttribute
}>

export type GroupOrder = Readonly<{ by: GroupPlace; order: 'asc' | 'desc' }>

/** A value of a group: how many entries it has, or one of the keys or measures. */
type GroupPlace = Readonly<{ kind: 'count' }> | Readonly<{ kind: 'key' | 'measure'; at: number }>

/**
 * True if a target satisfies it, or if there is none and a target of nulls would (an outer join's row);
 * `strict`: only if there is one.
 */
type OfTargets = Readonly<{ of: Filter; strict: boolean }>

/**
 * A filter in negation normal form: `$not` has been pushed down into the tests and quantifiers; each test
 * says by itself what it does with null. Null satisfies `null` alone, so every other test, negated or not, is
 * false of it, as in SQL.
 */
export type Filter =
  /** `none`: none of them is true; of null, too, it is the opposite of `any`. */
  | Readonly<{ kind: 'all' | 'any' | 'none'; of: readonly Filter[] }>
  | Readonly<{ kind: 'test'; attribute: ScalarAttribute; test: Test | Slot }>
  | (Readonly<{ kind: 'component'; attribute: ComponentAttribute }> & OfTargets)
  | (Readonly<{ kind: 'edge'; edge: Edge }> & OfTargets)
  /** Whether the same document has a version of the other status, in the same locale or in any of `locales`. */
  | Readonly<{
      kind: 'version'
      type: ContentType
      status: Status
      locales: 'same' | readonly string[]
      exists: boolean
    }>
  /** Whether there are both versions, and the draft was written after the published one. */
  | Readonly<{ kind: 'modified'; type: ContentType; is: boolean }>
