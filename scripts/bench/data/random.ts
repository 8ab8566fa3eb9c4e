/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Draws from one row of random numbers. */
export type Dice = Readonly<{
  /** A whole number from `least` to `most`. */
  whole: (least: number, most: number) => number
  pick: <T>(from: readonly T[]) => T
  /** Different whole numbers from 0 up to `below`; fewer where there are not so many. */
  distinct: (count: number, below: number) => readonly number[]
}>

export function throwDice(seed: number): Dice {
  const next = randomNumbers(seed)
  const whole = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1))
  return {
    whole,
    pick: <T>(from: readonly T[]) => from[whole(0, from.length - 1)] as T,
    distinct: (count, below) => {
      const drawn = new Set<number>()
      while (drawn.size < Math.min(count, below)) drawn.add(whole(0, below - 1))
      return [...drawn]
    },
  }
}
