/** Numbers that fast-check drew beforehand, used one after the other, and from the start again. */
export class Dice {
  readonly #drawn: readonly number[]
  #at = 0

  constructor(drawn: readonly number[]) {
    this.#drawn = drawn
  }

  /** A whole number from 0 up to `sides`. */
  throw(sides: number): number {
    const number = this.#drawn[this.#at % this.#drawn.length] ?? 0
    this.#at += 1
    return number % sides
  }

  /** Once in so many times. */
  once(sides: number): boolean {
    return this.throw(sides) === sides - 1
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from.length === 0 ? undefined : from[this.throw(from.length)]
  }

  /** At most so many different ones, in any order. */
  some<T>(from: readonly T[], most: number): readonly T[] {
    const picked = Array.from({ length: this.throw(most + 1) }, () => this.pick(from))
    return [...new Set(picked.filter((one): one is T => one !== undefined))]
  }
}
