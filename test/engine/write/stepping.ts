import type { Db } from 'mongodb'

/** One write to a collection of content: `articles.draft insertOne`. */
export type Step = string

const writes = new Set([
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne'],
  ...['findOneAndUpdate', 'deleteOne', 'deleteMany', 'bulkWrite'],
])

export class Stopped extends Error {}

export type Stepping = Readonly<{
  db: Db
  taken: readonly Step[]
}>

/**
 * Returns a database that calls `before` ahead of each write of content. If `before` throws, the write stops as if its
 * process had died. Each call stands for another process: writers with different databases do not share a queue.
 */
export function stepping(
  db: Db,
  before: (step: Step, at: number) => void | Promise<void>,
): Stepping {
  const taken: Step[] = []
  const collection = (name: string) => {
    const real = db.collection(name)
    // Other collections, such as sequences, contain no content.
    if (name.startsWith('_')) return real
    return new Proxy(real, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        if (!writes.has(String(key)))
          return (...given: unknown[]): unknown => Reflect.apply(member, target, given)
        return async (...given: unknown[]): Promise<unknown> => {
          const step = `${name} ${String(key)}`
          taken.push(step)
          await before(step, taken.length - 1)
          return Reflect.apply(member, target, given) as unknown
        }
      },
    })
  }
  return { db: Object.create(db, { collection: { value: collection } }) as Db, taken }
}

/** Returns a database whose writer dies before its write number `at`, counted from 0. */
export function stoppedAt(db: Db, at: number): Stepping {
  return stepping(db, (_step, number) => {
    if (number >= at) throw new Stopped(`Stopped before write ${number}`)
  })
}

export type Pausing = Stepping &
  Readonly<{
    /** Resolves when the writer is about to do a matching write. The writer then waits until `go` is called. */
    reached: Promise<void>
    go: () => void
  }>

/** Returns a database whose writer waits once, before the first write that matches. */
export function pausedAt(db: Db, matches: (step: Step) => boolean): Pausing {
  let arrive = (): void => undefined
  let go = (): void => undefined
  const reached = new Promise<void>((resolve) => (arrive = resolve))
  const released = new Promise<void>((resolve) => (go = resolve))
  let isDone = false
  const paused = stepping(db, async (step) => {
    if (isDone || !matches(step)) return
    isDone = true
    arrive()
    await released
  })
  return { ...paused, reached, go: () => go() }
}
