import type { Db } from 'mongodb'
import type { WriteTime } from '../write-time.js'

/** The last task of each queue, by key. */
const queues = new WeakMap<Db, Map<string, Promise<unknown>>>()

/**
 * Runs tasks with the same key one after the other, so that writes of one document only conflict with those of other
 * processes (docs/internals/storage.md, "Rule 1: the draft decides"). Does not run a task whose time limit has passed
 * while it waited.
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

/** A set of locks. `take` waits for the lock of a key, unless the set already holds it. `release` releases all. */
export type LockSet = Readonly<{ take: (key: string) => Promise<void>; release: () => void }>

/**
 * Creates a set of locks, for work that does not know all its keys in advance. Waits in the same queues as the tasks of
 * `runInOrder`.
 */
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
