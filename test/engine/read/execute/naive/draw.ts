import fc from 'fast-check'

/**
 * Source of random choices for the generators of data and queries. To simplify a failing example, fast-check prefers
 * the first choices.
 */
export type Draw = Readonly<{
  /** A whole number from 0 up to `count - 1`. */
  index: (count: number) => number
  pick: <T>(list: readonly T[]) => T
  chance: (percent: number) => boolean
  /** Returns at most `most` distinct members, in random order. */
  some: <T>(list: readonly T[], most: number) => readonly T[]
  shuffled: <T>(list: readonly T[]) => readonly T[]
}>

/** Returns an arbitrary whose values `make` draws. */
export function drawn<T>(make: (draw: Draw) => T): fc.Arbitrary<T> {
  return fc.gen().map((gen) => {
    const index = (count: number): number => gen(fc.integer, { min: 0, max: count - 1 })
    const pick = <M>(list: readonly M[]): M => list[index(list.length)] as M
    const take = <M>(list: readonly M[], count: number): readonly M[] => {
      const rest = [...list]
      return Array.from({ length: count }, () => rest.splice(index(rest.length), 1)[0] as M)
    }
    return make({
      index,
      pick,
      some: (list, most) => take(list, index(Math.min(most, list.length) + 1)),
      shuffled: (list) => take(list, list.length),
      chance: (percent) => index(100) >= 100 - percent,
    })
  })
}
