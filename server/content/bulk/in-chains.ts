import { loopTurns } from '../../http/loop-turns.js'

/**
 * Runs tasks, so many at a time: those with the same key one after the other, in their order, all others in any.
 * Between them others have their turn, also where a task waits for nothing, as one that is refused.
 * @param keyOf undefined for a task that waits for no other
 * @param run must not reject
 * @returns what the tasks made, in their order
 */
export async function inChains<T, R>(
  tasks: readonly T[],
  atOnce: number,
  keyOf: (task: T) => string | undefined,
  run: (task: T, at: number) => Promise<R>,
): Promise<readonly R[]> {
  const chains = chainsOf(tasks, keyOf)
  const made = new Array<R>(tasks.length)
  const next = chains.values()
  // Long enough for what is asked of the database at one moment to be asked together.
  const turns = loopTurns(50)
  const work = async (): Promise<void> => {
    // All workers take from one iterator.
    for (const chain of next)
      for (const { task, at } of chain) {
        while (turns.isOver()) await turns.next()
        made[at] = await run(task, at)
      }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, chains.length) }, work))
  return made
}

type Placed<T> = Readonly<{ task: T; at: number }>

function chainsOf<T>(
  tasks: readonly T[],
  keyOf: (task: T) => string | undefined,
): readonly (readonly Placed<T>[])[] {
  const chains: Placed<T>[][] = []
  const byKey = new Map<string, Placed<T>[]>()
  tasks.forEach((task, at) => {
    const key = keyOf(task)
    const there = key === undefined ? undefined : byKey.get(key)
    if (there !== undefined) return void there.push({ task, at })
    const chain = [{ task, at }]
    chains.push(chain)
    if (key !== undefined) byKey.set(key, chain)
  })
  return chains
}
