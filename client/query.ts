import type { Component, ComponentOf, ContentType, MembersOf, TargetOf } from './content-type.js'

/** A content-type or component, whose attributes can be named in `fields`, `sort` and `populate`. */
export type Shown = ContentType | Component

type FieldName<T extends Shown> = keyof T['entry'] & string

/** Attributes to return, out of those that are shown by default. `id` and `documentId` are always returned. */
export type Fields<T extends Shown> = '*' | FieldName<T> | readonly (FieldName<T> | '*')[]

export type Order = 'asc' | 'desc'
type Ordered<K extends string> = K | `${K}:${Order}`

/** Attributes that entries can be sorted by. */
export type SortName<T extends Shown> = Exclude<FieldName<T>, T['unsorted']>

/** The content-type or component that a sort key reaches through the part `P`. */
type Through<P> = P extends { is: 'one' | 'many' | 'wrapped'; target: infer T extends ContentType }
  ? T
  : ComponentOf<P>

/** A sort key through one relation or component: `author.name`. For longer paths, use `SortTree`. */
type SortPath<T extends Shown> = {
  [K in keyof T['parts'] & string]: Through<T['parts'][K]> extends infer S extends Shown
    ? [S] extends [never]
      ? never
      : `${K}.${SortName<S>}`
    : never
}[keyof T['parts'] & string]

/** Sort keys in the form of a tree, for example `{ author: { name: 'desc' } }`. */
type SortTree<T extends Shown> = {
  readonly [K in SortName<T>]?: Order | undefined
} & {
  readonly [K in keyof T['parts']]?: SortTree<Through<T['parts'][K]>> | undefined
}

type SortKey<T extends Shown> = Ordered<SortName<T> | SortPath<T>>

/** `'title:desc'`, a tree, or a list of these in order of priority. */
export type Sort<T extends Shown> = SortKey<T> | SortTree<T> | readonly (SortKey<T> | SortTree<T>)[]

type PathsIn<P> = (keyof P & string) | `${keyof P & string}.${string}`

/** Names and paths of parts (`author.avatar`), or a tree with options. */
export type Populate<T extends Shown> =
  | '*'
  | PathsIn<T['parts']>
  | readonly PathsIn<T['parts']>[]
  | { readonly [K in keyof T['parts']]?: PartOptions<T['parts'][K]> | undefined }

type PartOptions<P> =
  | boolean
  | (P extends { component: unknown }
      ? ValuesOptions<ComponentOf<P>>
      : P extends { members: unknown }
        ? MemberOptions<MembersOf<P>>
        : EntriesOptions<TargetOf<P>>)

/** Which values of a component to return, in which order, and with which members. */
interface ValuesOptions<T extends Shown> {
  readonly fields?: Fields<T> | undefined
  readonly filters?: T['filters'] | undefined
  readonly sort?: Sort<T> | undefined
  readonly populate?: Populate<T> | undefined
}

/**
 * Which entries to return, as in `ValuesOptions`. With `count`, the response has the number of entries instead of the
 * entries.
 */
interface EntriesOptions<T extends Shown> extends ValuesOptions<T> {
  readonly count?: boolean | undefined
}

/**
 * `on` says which components or content-types to return, and what of each. `populate` applies to all that have the
 * named parts.
 */
interface MemberOptions<M> {
  readonly on?:
    { readonly [K in keyof M]?: true | ValuesOptions<Extract<M[K], Shown>> | undefined } | undefined
  readonly populate?: '*' | PathsInMembers<M> | readonly PathsInMembers<M>[] | undefined
  readonly count?: boolean | undefined
}

type PathsInMembers<M> = {
  [K in keyof M]: M[K] extends Shown ? PathsIn<M[K]['parts']> : never
}[keyof M]

export type Status = 'draft' | 'published'

/** Pagination by page or by offset, but not both. */
export type Pagination =
  | Readonly<{
      page?: number | undefined
      pageSize?: number | undefined
      withCount?: boolean | undefined
      start?: never
      limit?: never
    }>
  | Readonly<{
      start?: number | undefined
      limit?: number | undefined
      withCount?: boolean | undefined
      page?: never
      pageSize?: never
    }>

/** Values of `populate` that populate every part, down to a maximum depth. */
export type Deep = 'deep' | 'all' | `deep,${number}`

export type PublicationFilter =
  | 'never-published'
  | 'has-published-version'
  | 'modified'
  | 'unmodified'
  | 'never-published-document'
  | 'has-published-version-document'
  | 'published-without-draft'
  | 'published-with-draft'
