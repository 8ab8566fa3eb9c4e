import type { Db } from 'mongodb'
import type { WriteTime } from '../write/write-time.js'

/** Queues are per database: a process may use several, and tests simulate several processes. */
const queues = new WeakMap<Db, Map<string, Promise<unknown>>>()

/**
 * Runs tasks of one key one after the other, so that writers of one document only conflict between processes
 * (docs/storage.md, "Rule 1: the draft decides"). A task whose time is over when its turn comes is not started.
 * A library such as `p-queue` has a queue but no keys: the map of queues and its cleanup would remain.
 */
export async function runInOrder<T>(
  db: Db,
  key: string,
  task: () => Promise<T>,
  time?: WriteTime,
): Promise<T> {
  const tails = queues.get(db) ?? new Map<string, Promise<unknown>>()
  queues.set(db, tails)
  const before = tails.get(key) ?? Promise.resolve()
  const begin = async (): Promise<T> => {
    time?.hold()
    return task()
  }
  const run = before.then(begin, begin)
  tails.set(key, run)
  try {
    return await run
  } finally {
    if (tails.get(key) === run) tails.delete(key)
  }
}

/** Takes turns one after the other, each once, and releases them together. */
export type LockSet = Readonly<{ take: (key: string) => Promise<void>; release: () => void }>

/** Takes turns as `inTurn` does, for work that does not know all its keys when it begins. */
export function createLockSet(db: Db, time?: WriteTime): LockSet {
  const held = new Map<string, () => void>()
  const wait = (key: string): Promise<() => void> =>
    new Promise((taken, reject) => {
      runInOrder(db, key, () => new Promise<void>((release) => taken(release)), time).catch(reject)
    })
  return {
    take: async (key) => {
      if (!held.has(key)) held.set(key, await wait(key))
    },
    release: () => {
      for (const release of held.values()) release()
    },
  }
}
