/**
 * Whether a value adds anything to the query string. `undefined`, `{}` and empty lists add nothing. The result is
 * `boolean` if the compiler cannot tell.
 */
export type Sends<V> = V extends undefined
  ? false
  : V extends string | number | bigint | boolean | Date | null
    ? true
    : V extends readonly []
      ? false
      : V extends readonly [unknown, ...unknown[]]
        ? true
        : V extends readonly unknown[]
          ? boolean
          : [MembersSend<V>] extends [never]
            ? false
            : true extends MembersSend<V>
              ? CertainlySends<V>
              : false

/** The union of `Sends` for all members of an object, including optional ones. */
type MembersSend<V> = { [K in keyof V]-?: Sends<V[K]> }[keyof V]

/** Returns true if at least one required member adds something to the query string. Otherwise returns `boolean`. */
type CertainlySends<V> = {
  [K in keyof V]-?: [Sends<V[K]>] extends [true] ? (Optional<V, K> extends true ? never : K) : never
}[keyof V] extends never
  ? boolean
  : true

type Optional<V, K extends keyof V> = object extends Pick<V, K> ? true : false
