/** Generates random numbers and random choices. */
export type RandomSource = Readonly<ReturnType<typeof createRandomSource>>

/** Creates a random source. The same seed always yields the same numbers (mulberry32). */
export function createRandomSource(seed: number) {
  let state = seed >>> 0
  const whole = (least: number, most: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    const share = ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
    return least + Math.floor(share * (most - least + 1))
  }
  return {
    whole,
    pick: <T>(from: readonly T[]) => from[whole(0, from.length - 1)] as T,
    /** Draws distinct integers from 0 to `below - 1`. Returns fewer than `count` if there are not enough. */
    distinct: (count: number, below: number): readonly number[] => {
      const drawn = new Set<number>()
      while (drawn.size < Math.min(count, below)) drawn.add(whole(0, below - 1))
      return [...drawn]
    },
  }
}
