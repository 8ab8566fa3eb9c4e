import type { DateUnit, Measure } from './group-words.js'

/**
 * What a query string says, before anybody asked whether it makes sense: names are text, nothing is
 * known of content-types. Every node says which text it stands for.
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
/** Those that join filters. */
export const logicalOperators = ['$and', '$or', '$not'] as const
/** They say how many targets of an attribute match (docs/decisions.md, "None of, every, some"). */
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
  /** `[author][…]`: the rest is about the attribute `author`. Below a name, a quantifier is a name, too. */
  | Readonly<{ kind: 'at'; name: string; of: RawFilter }>
  /** `[$eq]=a`, or a bare value, which is `$eq`, or a bare list, which is `$in`. */
  | Readonly<{ kind: 'is'; operator: ComparisonOperator; values: readonly RawValue[] }>

/** `author.name:desc`, `sort[author][name]=desc`. */
export type RawSort = Readonly<{ path: readonly string[]; order: 'asc' | 'desc' }>

/** Where something was said, for the error that refuses it: the parameter, and the names of attributes on the way. */
export type Place = Readonly<{ param: string; path: readonly string[] }>

/** `fields=title,slug`; `*` means all, and may stand beside names, which are checked all the same. */
export type RawFields = '*' | readonly string[]

export type RawPagination = Readonly<{
  page?: RawNumber
  pageSize?: RawNumber
  start?: RawNumber
  limit?: RawNumber
  withCount?: string
}>
/** A number as JavaScript's `Number()` reads it; NaN for what is not one. */
export type RawNumber = number

/** One populated attribute and what is asked of it. */
export type RawPopulateEntry = Readonly<{
  name: string
  /** `path`: named in a string (`author.avatar`); `key`: named as `populate[author]`. Decides how errors name it. */
  form: 'path' | 'key'
  options: RawPopulateOptions
}>

export type RawPopulateOptions = Readonly<{
  /** `populate[author]=*`, which Strapi's clients know as an error. */
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
 * Names in a populate tree, those of components among them, of which `api.rest.maxPopulateNodes` knows
 * nothing. Each may be resolved in several components of a dynamic zone, so it is asked for twice.
 */
export const maxPopulatedNames = 10_000

/** `populate=*`, or a list of attributes, each named once. */
export type RawPopulate = '*' | readonly RawPopulateEntry[]

/**
 * `pLevel=3`, `populate=deep,3`, `populate=all`: all that can be populated, so many levels deep, but what `pIgnore`
 * names (docs/decisions.md, "Deep populate").
 */
export type RawDeepPopulate = Readonly<{
  kind: 'deep'
  /** The entries themselves are the first. */
  levels: number
  /** In order, each once. */
  ignore: readonly string[]
}>

/** Whether everything is populated, to a depth. */
export function isDeep(populate: RawPopulate | RawDeepPopulate): populate is RawDeepPopulate {
  return populate !== '*' && 'kind' in populate
}

/** What an aggregation asks for (docs/decisions.md, "Aggregation"). */
export type RawGroups = Readonly<{
  by: readonly RawGroupKey[]
  count: boolean
  measures: readonly RawMeasure[]
}>

/** `publishedAt:month`; `name` is the same text, by which the answer calls it. */
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
  /** `publicationFilter=modified`; all of them have to hold. */
  publication?: readonly PublicationFilter[]
  /** Of an aggregation, whose `sort` is that of its groups. */
  groups?: RawGroups
  /** `explain=true`, `explain=execution`: the plan instead of the data. */
  explain?: Explain
  /** What was not understood and passed over: `foo`, `pagination.foo`. */
  ignored?: readonly string[]
}>

/** Characters of a filter's value, and of `_q`. */
export const maxValueLength = 4096

/** How the draft and the published version of an entry relate; `-document`: of all its locales together. */
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
