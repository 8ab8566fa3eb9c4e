const tails = new Map<string, Promise<unknown>>()

/**
 * Runs tasks of one key one after the other, so that writers of one document conflict between
 * processes only (`storage.md`, rule 1).
 */
export async function inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve()
  const run = before.then(task, task)
  tails.set(key, run)
  try {
    return await run
  } finally {
    if (tails.get(key) === run) tails.delete(key)
  }
}
