import type { Component, ComponentOf, ContentType, MembersOf, TargetOf } from './content-type.js'

/** The type of an invalid member. No value matches it, so the compiler reports an error, which names the member. */
export type NoSuch<K> = `There is no "${K & string}" here`

/** Checks an inferred populate tree. Maps an invalid member to another type, so that the tree does not compile. */
export type CheckPopulate<T extends ContentType | Component, P> =
  // During inference, the compiler passes the union of all possible trees, which needs no check.
  '*' extends P ? unknown : CheckTree<T, P>

type CheckTree<T extends ContentType | Component, P> = P extends string | readonly string[]
  ? CheckPaths<T['parts'], P>
  : {
      readonly [K in keyof P]: K extends keyof T['parts']
        ? CheckPart<T['parts'][K], P[K]>
        : NoSuch<K>
    }

type CheckPaths<Parts, P> = P extends string
  ? CheckPath<Parts, P>
  : P extends readonly string[]
    ? { readonly [I in keyof P]: CheckPath<Parts, P[I]> }
    : never

type CheckPath<Parts, P> = P extends '*' | 'deep' | 'all' | `deep,${number}`
  ? P
  : P extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Parts
      ? CheckPath<PartsOf<Parts[Head]>, Rest> extends Rest
        ? P
        : CheckPath<PartsOf<Parts[Head]>, Rest>
      : NoSuch<Head>
    : P extends keyof Parts
      ? P
      : NoSuch<P>

/**
 * The parts below a part `P`: those of a relation's target or of a component, or of all content-types or components
 * that are possible.
 */
type PartsOf<P> = P extends { members: infer M }
  ? UnionOfParts<M[keyof M]>
  : P extends { target: infer T extends ContentType }
    ? T['parts']
    : ComponentOf<P>['parts']

type UnionOfParts<T> = {
  [K in T extends { parts: infer P } ? keyof P : never]: T extends { parts: infer P }
    ? K extends keyof P
      ? P[K]
      : never
    : never
}

type CheckPart<P, O> = O extends boolean | undefined
  ? O
  : P extends { members: unknown }
    ? {
        readonly [K in keyof O]: K extends 'on'
          ? CheckMembers<MembersOf<P>, O[K]>
          : K extends 'populate' | 'count'
            ? O[K]
            : NoSuch<K>
      }
    : P extends { component: unknown }
      ? CheckOptions<ComponentOf<P>, O, never>
      : CheckOptions<TargetOf<P>, O, 'count'>

type CheckMembers<M, O> = {
  readonly [K in keyof O]: K extends keyof M
    ? O[K] extends boolean | undefined
      ? O[K]
      : CheckOptions<Extract<M[K], ContentType | Component>, O[K], never>
    : NoSuch<K>
}

type CheckOptions<T extends ContentType | Component, O, Further> = {
  readonly [K in keyof O]: K extends 'populate'
    ? CheckTree<T, O[K]>
    : K extends 'filters'
      ? CheckFilters<T['filters'], O[K]>
      : K extends 'fields' | 'sort' | Further
        ? O[K]
        : NoSuch<K>
}

/** Rejects unknown names at any depth of a filter. The compiler has already checked the values. */
type CheckFilters<F, O> = O extends Value
  ? O
  : O extends readonly unknown[]
    ? { readonly [I in keyof O]: CheckFilters<F, O[I]> }
    : {
        readonly [K in keyof O]: K extends KeysIn<F>
          ? CheckFilters<MemberOf<F, K>, O[K]>
          : NoSuch<K>
      }

type Value = string | number | bigint | boolean | Date | null | undefined

/** The names that a filter accepts, or that at least one of several filters accepts. */
type KeysIn<F> = F extends Value
  ? never
  : F extends readonly (infer M)[]
    ? KeysIn<M>
    : F extends object
      ? keyof F
      : never

type MemberOf<F, K> = F extends Value
  ? never
  : F extends readonly (infer M)[]
    ? MemberOf<M, K>
    : K extends keyof F
      ? F[K]
      : never
