import type { PublicationFilter } from '../../../../../engine/read/parse/raw-query.js'

/** A query, in the form that is printed as a query string. */
export type Query = Readonly<{
  fields?: readonly string[]
  /** `author.name:desc` */
  sort?: readonly string[]
  filters?: Filters
  populate?: Populate
  pagination?: Pagination
  status?: 'draft' | 'published'
  locale?: string | readonly string[]
  fallback?: 'true' | 'false'
  _q?: string
  hasPublishedVersion?: 'true' | 'false'
  publicationFilter?: PublicationFilter
}>

export type Pagination = Readonly<Record<string, number | string>>

/** Null stands for a key without `=`. */
export type FilterValue = string | null | readonly FilterNode[] | Filters
export type FilterNode = string | null | Filters
export type Filters = { readonly [key: string]: FilterValue }

export type Populate = '*' | readonly string[] | Readonly<Record<string, PopulateOptions | 'true'>>

export type PopulateOptions = Readonly<{
  fields?: readonly string[]
  sort?: readonly string[]
  filters?: Filters
  populate?: Populate
  count?: 'true'
  pagination?: Pagination
  on?: Readonly<Record<string, PopulateOptions | 'true'>>
}>
