import type { DateUnit, Measure } from './group-words.js'

/**
 * The content of a query string before its meaning is checked: names are text, and content-types are unknown. Each type
 * states the text that it represents.
 */

/** Operators of `filters` that compare (docs/coming-from-strapi.md, "Filters"). */
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
/** Operators that state how many targets of an attribute match (docs/decisions.md, "None of, every, some"). */
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
  /** `[author][…]`: `of` is about the attribute `author`. A quantifier below an attribute has the same form. */
  | Readonly<{ kind: 'at'; name: string; of: RawFilter }>
  /** `[$eq]=a`, or a bare value, which is `$eq`, or a bare list, which is `$in`. */
  | Readonly<{ kind: 'is'; operator: ComparisonOperator; values: readonly RawValue[] }>

/** `author.name:desc`, `sort[author][name]=desc`. */
export type RawSort = Readonly<{ path: readonly string[]; order: 'asc' | 'desc' }>

/** The position of an error: the parameter, and the names of the attributes on the way. */
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
/** A number as JavaScript's `Number()` reads it; NaN for any other text. */
export type RawNumber = number

/** One populated attribute and its options. */
export type RawPopulateEntry = Readonly<{
  name: string
  /** `path`: named in a string (`author.avatar`). `key`: named as in `populate[author]`. Error messages differ. */
  form: 'path' | 'key'
  options: RawPopulateOptions
}>

export type RawPopulateOptions = Readonly<{
  /** `populate[author]=*`, an error in Strapi. */
  star?: true
  fields?: RawFields | undefined
  sort?: readonly RawSort[]
  filters?: RawFilter
  populate?: RawPopulate | undefined
  count?: boolean
  /** `[on][section.hero][…]`: per component of a dynamic zone. */
  on?: ReadonlyMap<string, RawPopulateOptions>
  pagination?: RawPagination
}>

/**
 * Maximum number of names in a populate tree, including those of components, which `api.rest.maxPopulateNodes` does not
 * count. The parser counts the names. They are counted again when they are resolved, because a name may occur in
 * several components of a dynamic zone.
 */
export const maxPopulatedNames = 10_000

/** `populate=*`, or a list of attributes, each named once. */
export type RawPopulate = '*' | readonly RawPopulateEntry[]

/**
 * `pLevel=3`, `populate=deep,3`, `populate=all`: populates everything to some depth, except the names in `pIgnore`
 * (docs/decisions.md, "Deep populate").
 */
export type RawDeepPopulate = Readonly<{
  kind: 'deep'
  /** Number of levels. The entries themselves are the first. */
  levels: number
  /** Sorted, without duplicates. */
  ignore: readonly string[]
}>

export function isDeep(populate: RawPopulate | RawDeepPopulate): populate is RawDeepPopulate {
  return populate !== '*' && 'kind' in populate
}

/** The parameters of an aggregation (docs/decisions.md, "Aggregation"). */
export type RawGroups = Readonly<{
  by: readonly RawGroupKey[]
  count: boolean
  measures: readonly RawMeasure[]
}>

/** `publishedAt:month`. `name` is the same text, and names the key in the response. */
export type RawGroupKey = Readonly<{ name: string; path: readonly string[]; unit?: DateUnit }>

/** `sum=views` */
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
  /** `publicationFilter=modified`. Entries must match all filters of the list. */
  publication?: readonly PublicationFilter[]
  /** Set for an aggregation. `sort` is then the sort of its groups. */
  groups?: RawGroups
  /** `explain=true`, `explain=execution`: the plan instead of the data. */
  explain?: Explain
  /** Unknown parameters that were ignored: `foo`, `pagination.foo`. */
  ignored?: readonly string[]
}>

/** Maximum number of characters of a filter's value, and of `_q`. */
export const maxValueLength = 4096

/** How the draft and the published version of an entry relate. `-document`: across all locales. */
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
