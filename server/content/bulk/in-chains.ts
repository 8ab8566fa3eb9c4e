import { loopTurns } from '../../http/request/loop-turns.js'

/**
 * Runs up to `atOnce` tasks at a time; tasks with the same key one after the other. Yields to the event loop between
 * tasks, even if they await nothing. Returns the results in the order of the tasks.
 *
 * @param keyOf returns undefined for a task that may run beside all others
 * @param run must not reject
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
  // Yield only every 50 ms, so that the commands of many tasks reach the database in one batch.
  const turns = loopTurns(50)
  const work = async (): Promise<void> => {
    // All workers share this iterator.
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
