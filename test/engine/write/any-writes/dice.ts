/** Numbers that fast-check has drawn in advance. They are used in order, and then again from the start. */
export class Dice {
  readonly #drawn: readonly number[]
  #at = 0

  constructor(drawn: readonly number[]) {
    this.#drawn = drawn
  }

  /** An integer from 0 to `sides` - 1. */
  throw(sides: number): number {
    const number = this.#drawn[this.#at % this.#drawn.length] ?? 0
    this.#at += 1
    return number % sides
  }

  once(sides: number): boolean {
    return this.throw(sides) === sides - 1
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from.length === 0 ? undefined : from[this.throw(from.length)]
  }

  some<T>(from: readonly T[], most: number): readonly T[] {
    const picked = Array.from({ length: this.throw(most + 1) }, () => this.pick(from))
    return [...new Set(picked.filter((one): one is T => one !== undefined))]
  }
}
