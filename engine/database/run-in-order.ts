import type { Db } from 'mongodb'
import type { WriteTime } from '../write/write-time.js'

/** Queues are per database: a process may use several, and tests simulate several processes. */
const queues = new WeakMap<Db, Map<string, Promise<unknown>>>()

/**
 * Runs tasks of one key one after the other, so that writers of one document only conflict between processes
 * (docs/storage.md, "Rule 1: the draft decides"). Does not start a task whose time is over when its turn comes. A
 * library such as `p-queue` has a queue but no keys, so the map of queues and its cleanup would still be needed here.
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

/** Takes locks one after the other, each only once, and releases all of them together. */
export type LockSet = Readonly<{ take: (key: string) => Promise<void>; release: () => void }>

/**
 * Creates a set of locks that wait in the queues of `runInOrder`, for work that does not know all its keys when it
 * begins.
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
