import type { Component, ComponentOf, ContentType, MembersOf, TargetOf } from './content-type.js'

/** A type whose names `fields`, `sort` and `populate` may use. */
export type Shown = ContentType | Component

type FieldName<T extends Shown> = keyof T['entry'] & string

/** The members to return, out of those that are shown by default. Ids are always returned. */
export type Fields<T extends Shown> = '*' | FieldName<T> | readonly (FieldName<T> | '*')[]

export type Order = 'asc' | 'desc'
type Ordered<K extends string> = K | `${K}:${Order}`

/** Names that can be sorted by. */
export type SortName<T extends Shown> = Exclude<FieldName<T>, T['unsorted']>

/** The structure that a sort key may lead through. */
type Through<P> = P extends { is: 'one' | 'many' | 'wrapped'; target: infer T extends ContentType }
  ? T
  : ComponentOf<P>

/** A sort key through one relation or component: `author.name`. Longer paths are written as a tree. */
type SortPath<T extends Shown> = {
  [K in keyof T['parts'] & string]: Through<T['parts'][K]> extends infer S extends Shown
    ? [S] extends [never]
      ? never
      : `${K}.${SortName<S>}`
    : never
}[keyof T['parts'] & string]

/** `{ author: { name: 'desc' } }`. */
type SortTree<T extends Shown> = {
  readonly [K in SortName<T>]?: Order | undefined
} & {
  readonly [K in keyof T['parts']]?: SortTree<Through<T['parts'][K]>> | undefined
}

type SortKey<T extends Shown> = Ordered<SortName<T> | SortPath<T>>

/** `title:desc`, or several keys in order of priority. */
export type Sort<T extends Shown> = SortKey<T> | SortTree<T> | readonly (SortKey<T> | SortTree<T>)[]

type PathsIn<P> = (keyof P & string) | `${keyof P & string}.${string}`

/** Names and paths (`author.avatar`), or a tree with options. */
export type Populate<T extends Shown> =
  | '*'
  | PathsIn<T['parts']>
  | readonly PathsIn<T['parts']>[]
  | { readonly [K in keyof T['parts']]?: PartOptions<T['parts'][K]> | undefined }

/** Options of a populated part. */
type PartOptions<P> =
  | boolean
  | (P extends { component: unknown }
      ? ValuesOptions<ComponentOf<P>>
      : P extends { members: unknown }
        ? MemberOptions<MembersOf<P>>
        : EntriesOptions<TargetOf<P>>)

/** Options for components: which values to return, their order, and their content. */
interface ValuesOptions<T extends Shown> {
  readonly fields?: Fields<T> | undefined
  readonly filters?: T['filters'] | undefined
  readonly sort?: Sort<T> | undefined
  readonly populate?: Populate<T> | undefined
}

/** Options for relations and media. `count` returns the number of entries instead of the entries. */
interface EntriesOptions<T extends Shown> extends ValuesOptions<T> {
  readonly count?: boolean | undefined
}

/**
 * Options for a dynamic zone. `on` selects what to return of each component. `populate` applies to all components that
 * have the named parts. For a polymorphic relation, `on` is by content-type.
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

/** Populates every part at every level, up to a depth. */
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
