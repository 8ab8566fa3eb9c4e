/**
 * Whether a value adds something to the query string: `undefined`, `{}` and `[]` do not. `boolean` if the compiler
 * cannot tell.
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

type MembersSend<V> = { [K in keyof V]-?: Sends<V[K]> }[keyof V]

/** true if a required member adds something to the query string, otherwise `boolean`. */
type CertainlySends<V> = {
  [K in keyof V]-?: [Sends<V[K]>] extends [true] ? (Optional<V, K> extends true ? never : K) : never
}[keyof V] extends never
  ? boolean
  : true

type Optional<V, K extends keyof V> = object extends Pick<V, K> ? true : false
