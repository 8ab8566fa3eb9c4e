/**
 * Assigns a unique name to each key. With `endings`, the names followed by one of the endings are unique as well.
 * @param taken names that are already in use
 */
export class FreeNames {
  readonly given = new Map<string, string>()
  readonly #endings: readonly string[]
  readonly #used: Set<string>

  constructor(endings: readonly string[], taken: Iterable<string>) {
    this.#endings = endings
    this.#used = new Set(taken)
  }

  /** Assigns the first of the `wanted` names that is free. If none is, appends a number to the last of them. */
  give(key: string, ...wanted: readonly [string, ...string[]]): void {
    let name = wanted.find((one) => this.#isFree(one))
    for (let number = 2; name === undefined; number += 1) {
      const numbered = `${wanted.at(-1)}${number}`
      if (this.#isFree(numbered)) name = numbered
    }
    for (const ending of this.#endings) this.#used.add(name + ending)
    this.given.set(key, name)
  }

  #isFree(name: string): boolean {
    return this.#endings.every((ending) => !this.#used.has(name + ending))
  }
}
