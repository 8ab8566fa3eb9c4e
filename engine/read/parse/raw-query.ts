import type { DateUnit, Measure } from './group-words.js'

/**
 * The content of a query string before its meaning is checked. Names are strings, and may not exist in the schema. The
 * comment on each type shows an example of the part of a query string that it represents.
 */

/** Operators of `filters` that compare values (docs/internals/strapi-behaviour.md, "Filters"). */
export const comparisonOperators = [
  '$eq',
  '$eqi',
  '$ne',
  '$nei',
  '$in',
  '$notIn',
  '$lt',
  '$lte',
  '$gt',
  '$gte',
  '$between',
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
  '$null',
  '$notNull',
] as const
/** Operators of `filters` that combine filters. */
export const logicalOperators = ['$and', '$or', '$not'] as const
/**
 * Operators that state how many targets of an attribute must match (docs/internals/decisions.md, "None of, every,
 * some").
 */
export const quantifiers = ['$some', '$none', '$every'] as const
export type ComparisonOperator = (typeof comparisonOperators)[number]
export type Quantifier = (typeof quantifiers)[number]

/** A value as it was sent; null for a key without `=` (`filters[title]`). */
export type RawValue = string | null

export type RawFilter =
  /** `$and`, and the members of one object. */
  | Readonly<{ kind: 'all'; of: readonly RawFilter[] }>
  /** `$or`. */
  | Readonly<{ kind: 'any'; of: readonly RawFilter[] }>
  /** `$not`. */
  | Readonly<{ kind: 'not'; of: RawFilter }>
  /**
   * `[author][…]`: the filter `of` applies to the attribute `author`. A quantifier under an attribute has the same
   * form.
   */
  | Readonly<{ kind: 'at'; name: string; of: RawFilter }>
  /** `[$eq]=a`, or a bare value, which means `$eq`, or a bare list, which means `$in`. */
  | Readonly<{ kind: 'is'; operator: ComparisonOperator; values: readonly RawValue[] }>

/** A sort key, such as `author.name:desc` or `sort[author][name]=desc`. */
export type RawSort = Readonly<{ path: readonly string[]; order: 'asc' | 'desc' }>

/** The position of an error: the parameter, and the names of the attributes that lead to it. */
export type Place = Readonly<{ param: string; path: readonly string[] }>

/** `fields=title,slug`. `*` means all fields; other names next to `*` are still checked. */
export type RawFields = '*' | readonly string[]

export type RawPagination = Readonly<{
  page?: RawNumber
  pageSize?: RawNumber
  start?: RawNumber
  limit?: RawNumber
  withCount?: string
}>
/** A number as JavaScript's `Number()` reads it; NaN if it cannot be read. */
export type RawNumber = number

/** One populated attribute and its options. */
export type RawPopulateEntry = Readonly<{
  name: string
  /**
   * How the name was sent, because error messages differ. `path`: in a string (`author.avatar`). `key`: in brackets, as
   * in `populate[author]`.
   */
  form: 'path' | 'key'
  options: RawPopulateOptions
}>

export type RawPopulateOptions = Readonly<{
  /** Set for `populate[author]=*`, which Strapi allows for media only. */
  star?: true
  fields?: RawFields | undefined
  sort?: readonly RawSort[]
  filters?: RawFilter
  populate?: RawPopulate | undefined
  count?: boolean
  /** `[on][section.hero][…]`: options for each component of a dynamic zone, or each type of a polymorphic relation. */
  on?: ReadonlyMap<string, RawPopulateOptions>
  pagination?: RawPagination
}>

/**
 * Maximum number of names in a populate tree. Unlike `api.rest.maxPopulateNodes`, it includes the names of components.
 * The parser counts the names first. The resolver counts them again, because one name may occur in several components
 * of a dynamic zone.
 */
export const maxPopulatedNames = 10_000

/** `populate=*`, or a list of attributes, each named once. */
export type RawPopulate = '*' | readonly RawPopulateEntry[]

/**
 * `pLevel=3`, `populate=deep,3`, `populate=all`: populates everything to some depth, except the names in `pIgnore`
 * (docs/internals/decisions.md, "Deep populate").
 */
export type RawDeepPopulate = Readonly<{
  kind: 'deep'
  /** Number of levels. The entries themselves are the first. */
  levels: number
  /** Names that are left out, sorted and without duplicates. */
  ignore: readonly string[]
}>

export function isDeep(populate: RawPopulate | RawDeepPopulate): populate is RawDeepPopulate {
  return populate !== '*' && 'kind' in populate
}

/** The parameters of an aggregation (docs/internals/decisions.md, "Aggregation"). */
export type RawGroups = Readonly<{
  by: readonly RawGroupKey[]
  count: boolean
  measures: readonly RawMeasure[]
}>

/**
 * A group key, such as `publishedAt:month`. `name` is the key as it was sent, which is also its name in the response.
 */
export type RawGroupKey = Readonly<{ name: string; path: readonly string[]; unit?: DateUnit }>

/** A function over the values of an attribute, such as `sum=views`. */
export type RawMeasure = Readonly<{ of: Measure; path: readonly string[] }>

export type RawQuery = Readonly<{
  fields?: RawFields
  sort?: readonly RawSort[]
  filters?: RawFilter
  populate?: RawPopulate | RawDeepPopulate
  pagination?: RawPagination
  status?: string
  /** `locale=fr`, `locale[0]=fr&locale[1]=de`, `locale=*`. */
  locale?: readonly string[]
  /** `fallback=true`. */
  fallback?: boolean
  /** `_q=rain`. */
  search?: string
  /** `publicationFilter=modified`. Entries must match all filters in this list. */
  publication?: readonly PublicationFilter[]
  /** Set for an aggregation; `sort` then contains the sort of the groups. */
  groups?: RawGroups
  /** `explain=true`, `explain=execution`: the response shows the plan instead of the data. */
  explain?: Explain
  /** Unknown parameters that were ignored: `foo`, `pagination.foo`. */
  ignored?: readonly string[]
}>

/** Maximum number of characters of a filter's value, and of `_q`. */
export const maxValueLength = 4096

/**
 * Values of `publicationFilter`. Each states how the draft and the published version of an entry relate: within a
 * locale, or with the suffix `-document` across all locales.
 */
export const publicationFilters = [
  'never-published',
  'has-published-version',
  'modified',
  'unmodified',
  'never-published-document',
  'has-published-version-document',
  'published-without-draft',
  'published-with-draft',
] as const
export type PublicationFilter = (typeof publicationFilters)[number]

export type Explain = 'plan' | 'execution'
