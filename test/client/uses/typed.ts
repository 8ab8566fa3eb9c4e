/** Whether two types are the same, and not only assignable both ways. */
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

type Flat<T> = T extends (infer M)[]
  ? Flat<M>[]
  : T extends string | number | boolean | null
    ? T
    : { [K in keyof T]: Flat<T[K]> }

/** Does not compile if a value does not have exactly this type: `typed<number>().is(1 as number)`. */
export const typed = <E>(): { is: <A>(value: A, ...same: Same<A, E>) => void } => ({
  is: () => undefined,
})

type Same<A, E> = Equal<Flat<A>, Flat<E>> extends true ? [] : [differs: { is: A; expected: E }]
