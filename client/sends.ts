/**
 * Whether a value of a query puts anything into the query string: `undefined`, `{}` and lists of nothing do not. It is
 * `boolean` where that is known only when it is asked.
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

/** Of each member that is there for certain or perhaps. */
type MembersSend<V> = { [K in keyof V]-?: Sends<V[K]> }[keyof V]

/** One member that is sent for certain is enough. */
type CertainlySends<V> = {
  [K in keyof V]-?: [Sends<V[K]>] extends [true] ? (Optional<V, K> extends true ? never : K) : never
}[keyof V] extends never
  ? boolean
  : true

type Optional<V, K extends keyof V> = object extends Pick<V, K> ? true : false
