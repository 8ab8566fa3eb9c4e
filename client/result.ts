import type {
  Component,
  ComponentOf,
  ContentType,
  Hideable,
  MembersOf,
  TargetOf,
} from './content-type.js'
import type { Deep, Status } from './query.js'
import type { Sends } from './sends.js'

/** The query parameters that determine the members of an entry in a response. */
export interface Requested {
  fields?: unknown
  populate?: unknown
  /** The value of `pLevel`. */
  levels?: number | undefined
  status?: Status | undefined
  locale?: string | readonly string[] | undefined
}

/** An entry in a response: `Result<ArticleType, { populate: { author: true } }>`. */
export type Result<T extends ContentType, Q extends Requested = object> = Q extends
  { levels: number } | { populate: Deep }
  ? DeepResult<T, StatusIn<Q>>
  : Entry<T, Q, StatusIn<Q>, Get<Q, 'locale'>>

type StatusIn<Q> = Q extends { status: infer S extends Status } ? S : 'published'

/** The member `K`, or undefined if `O` has no such member. */
type Get<O, K extends string> = O extends unknown ? (K extends keyof O ? O[K] : undefined) : never

export type Flat<E> = { [K in keyof E]: E[K] }

/** An entry in a response. `L` is the `locale` of the query, which limits the locales that the entry may have. */
type Entry<T extends ContentType, O, S extends Status, L = undefined> = Flat<
  Selected<InLocale<T, Version<T, S>, L>, Get<O, 'fields'>, 'id' | 'documentId'> &
    Populated<T['parts'], Get<O, 'populate'>, S, StatusOf<T, S>>
>

type Value<C extends Component, O, S extends Status, E extends Status> = Flat<
  Selected<E extends 'draft' ? Draft<C['entry']> : C['entry'], Get<O, 'fields'>, 'id'> &
    Populated<C['parts'], Get<O, 'populate'>, S, E>
>

/**
 * The status that determines which members may be null. In types without drafts, entries are validated like published
 * versions.
 */
type StatusOf<T extends ContentType, S> = T['draftAndPublish'] extends true ? S : 'published'

/** The members that a version with the status `S` shows by default. */
export type Version<T extends ContentType, S extends Status> = S extends 'draft'
  ? T['draftAndPublish'] extends true
    ? Draft<T['entry']>
    : T['entry']
  : T['entry']

/** Members of a draft may be null, except those that the service sets itself. */
type Draft<E> = {
  [K in keyof E]: K extends 'id' | 'documentId' | 'createdAt' | 'updatedAt' | 'locale'
    ? E[K]
    : K extends 'publishedAt'
      ? null
      : E[K] | null
}

type InLocale<T extends ContentType, E, L> = T['localized'] extends true
  ? [L] extends [undefined]
    ? E
    : { [K in keyof E]: K extends 'locale' ? LocaleIn<L> : E[K] }
  : E

type LocaleIn<L> = L extends readonly (infer M)[]
  ? LocaleIn<M>
  : L extends '*' | '' | undefined
    ? string
    : L

type Selected<E, F, Always extends string> = [F] extends [undefined]
  ? E
  : F extends string
    ? F extends '*'
      ? E
      : Pick<E, (F | Always) & keyof E>
    : F extends readonly unknown[]
      ? '*' extends F[number]
        ? E
        : number extends F['length']
          ? Pick<E, Always & keyof E> & Partial<Pick<E, F[number] & keyof E>>
          : Pick<E, (F[number] | Always) & keyof E>
      : E

/**
 * The populated parts of an entry. `S` is the status in the query. `E` is the status of the entry itself, which is
 * always `published` in types without drafts.
 */
type Populated<Parts, P, S extends Status, E extends Status> = [P] extends [undefined]
  ? unknown
  : P extends string
    ? P extends '*'
      ? Starred<Parts, S, E>
      : Tree<Parts, PathTree<P>, S, E>
    : P extends readonly string[]
      ? number extends P['length']
        ? Partial<Tree<Parts, PathTree<P[number]>, S, E>>
        : Tree<Parts, PathTree<P[number]>, S, E>
      : Tree<Parts, P, S, E>

/** The parts that `populate: '*'` populates: those of the first level, without creators. */
type Starred<Parts, S extends Status, E extends Status> = {
  [K in keyof Parts as Parts[K] extends { is: 'creator' } | Hideable ? never : K]: Part<
    Parts[K],
    true,
    S,
    E
  >
} & {
  [K in keyof Parts as Parts[K] extends Hideable ? K : never]?: Part<Parts[K], true, S, E>
}

type Tree<Parts, P, S extends Status, E extends Status> = {
  -readonly [
    K in keyof P & keyof Parts as P[K] extends false | undefined
      ? never
      : true extends MayBeAbsent<P[K], Parts[K]>
        ? never
        : K
  ]-?: Part<Parts[K], P[K], S, E>
} & {
  -readonly [
    K in keyof P & keyof Parts as P[K] extends false | undefined
      ? never
      : true extends MayBeAbsent<P[K], Parts[K]>
        ? K
        : never
  ]?: Part<Parts[K], Exclude<P[K], false | undefined>, S, E>
}

/** Whether a part may be absent, because it is requested conditionally, or because the caller may not read it. */
type MayBeAbsent<O, Part> =
  (O extends false | undefined ? true : never) | (Part extends Hideable ? true : never)

/** Converts `author | author.avatar` to `{ author: { populate: ['avatar'] } }`. */
type PathTree<P extends string> = {
  [K in P extends `${infer Head}.${string}` ? Head : P]: [Below<P, K>] extends [never]
    ? true
    : { populate: readonly [Below<P, K>] }
}

type Below<P extends string, K extends string> = P extends `${K}.${infer Rest}` ? Rest : never

/** A part that is populated with the options `O`. */
type Part<P, O, S extends Status, E extends Status> = [Get<O, 'count'>] extends [true]
  ? { count: number }
  : true extends Get<O, 'count'>
    ? { count: number } | Shown<P, O, S, E>
    : Shown<P, O, S, E>

type Shown<P, O, S extends Status, E extends Status> = P extends { is: infer Kind }
  ? Kind extends 'one' | 'creator'
    ? Entry<TargetOf<P>, O, S> | null
    : Kind extends 'many'
      ? Entry<TargetOf<P>, O, S>[]
      : Kind extends 'wrapped'
        ? Wrapped<Entry<TargetOf<P>, O, S>, Refined<O>>
        : Kind extends 'components'
          ? Value<ComponentOf<P>, O, S, E>[]
          : Kind extends 'component' | 'required'
            ? Value<ComponentOf<P>, O, S, E> | Without<Kind, O, E>
            : Kind extends 'zone'
              ? ZoneValue<MembersOf<P>, O, S, E>[]
              : Kind extends 'morph'
                ? MorphValue<MembersOf<P>, O, S> | null
                : Kind extends 'morphs'
                  ? MorphValue<MembersOf<P>, O, S>[]
                  : Wrapped<MorphValue<MembersOf<P>, O, S>, RefinedMember<Get<O, 'on'>>>
  : never

/**
 * The value of a component that is not there. A required component is only missing in a draft, or if a filter excludes
 * it.
 */
type Without<Kind, O, E> = Kind extends 'required'
  ? E extends 'published'
    ? [Sends<Get<O, 'filters'>>] extends [false]
      ? never
      : null
    : null
  : null

/** A to-many relation. `R` says whether it is filtered or sorted, and is `boolean` if the compiler cannot tell. */
type Wrapped<V, R> = R extends true ? { data: V[] } : V[]

type Refined<O> = Either<Sends<Get<O, 'filters'>>, Sends<Get<O, 'sort'>>>

type Either<A, B> = [A] extends [true] ? true : [B] extends [true] ? true : A | B

/** Whether at least one content-type of a polymorphic relation is filtered or sorted. */
type RefinedMember<On> = [On] extends [undefined]
  ? false
  : [{ [K in keyof On]: [Refined<On[K]>] extends [true] ? K : never }[keyof On]] extends [never]
    ? { [K in keyof On]: Refined<On[K]> }[keyof On]
    : true

/** The components or content-types named in `on`, or all if there is no `on`. */
type Chosen<M, O> = keyof M & ([Get<O, 'on'>] extends [undefined] ? unknown : keyof Get<O, 'on'>)

/** The populate options for the content-type or component `K` with the parts `Parts`. */
type RequestedOf<Parts, O, K> = [Get<O, 'on'>] extends [undefined]
  ? Alike<Parts, Get<O, 'populate'>>
  : Get<Get<O, 'on'>, K & string>

/** Values of a dynamic zone, discriminated by `__component`. */
type ZoneValue<M, O, S extends Status, E extends Status> = {
  [K in Chosen<M, O>]: Extract<M[K], Component> extends infer C extends Component
    ? Flat<Value<C, RequestedOf<C['parts'], O, K>, S, E> & { __component: K }>
    : never
}[Chosen<M, O>]

/** Entries of a polymorphic relation, discriminated by `__type`. */
type MorphValue<M, O, S extends Status> = {
  [K in Chosen<M, O>]: Extract<M[K], ContentType> extends infer T extends ContentType
    ? Flat<Entry<T, RequestedOf<T['parts'], O, K>, S> & { __type: K }>
    : never
}[Chosen<M, O>]

/** The options for one content-type or component if `populate` applies to several: only the parts that it has. */
type Alike<Parts, P> = P extends readonly (infer Names)[]
  ? { populate: readonly [Own<Parts, Names>] }
  : P extends '*' | undefined
    ? { populate: P }
    : { populate: readonly [Own<Parts, P>] }

type Own<Parts, P> = P extends `${infer Head}.${string}`
  ? Head extends keyof Parts
    ? P
    : never
  : P extends keyof Parts
    ? P
    : never

/** An entry with all its parts populated. Each part is optional, because the compiler does not know the depth. */
type DeepResult<T extends ContentType, S extends Status = 'published'> = Version<T, S> &
  DeepParts<T['parts'], S, StatusOf<T, S>>

type DeepParts<Parts, S extends Status, E extends Status> = {
  [K in keyof Parts]?: DeepPart<Parts[K], S, E>
}

type DeepPart<P, S extends Status, E extends Status> = P extends { is: infer Kind }
  ? Kind extends 'one' | 'creator'
    ? DeepResult<TargetOf<P>, S> | null
    : Kind extends 'many' | 'wrapped'
      ? DeepResult<TargetOf<P>, S>[]
      : Kind extends 'component' | 'required'
        ? DeepValue<ComponentOf<P>, S, E> | null
        : Kind extends 'components'
          ? DeepValue<ComponentOf<P>, S, E>[]
          : Kind extends 'zone'
            ? DeepZone<MembersOf<P>, S, E>[]
            : Kind extends 'morph'
              ? DeepMorph<MembersOf<P>, S> | null
              : DeepMorph<MembersOf<P>, S>[]
  : never

type DeepValue<C extends Component, S extends Status, E extends Status> = (E extends 'draft'
  ? Draft<C['entry']>
  : C['entry']) &
  DeepParts<C['parts'], S, E>

type DeepZone<M, S extends Status, E extends Status> = {
  [K in keyof M]: DeepValue<Extract<M[K], Component>, S, E> & { __component: K }
}[keyof M]

type DeepMorph<M, S extends Status> = {
  [K in keyof M]: DeepResult<Extract<M[K], ContentType>, S> & { __type: K }
}[keyof M]
