import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** Calls `run`, and makes the clock of `monotonicNow` run ahead by a number of whole seconds until it has ended. */
export async function later<T>(seconds: number, run: () => Promise<T>): Promise<T> {
  const { hrtime } = process
  const ahead = mock.method(process, 'hrtime', (since?: [number, number]) => {
    const [whole, nanoseconds] = hrtime(since)
    return [since === undefined ? whole + seconds : whole, nanoseconds]
  })
  try {
    return await run()
  } finally {
    ahead.mock.restore()
  }
}

/** Calls `run`. Intervals that are created until it has ended fire `times` times as often. */
export async function quickened<T>(times: number, run: () => Promise<T>): Promise<T> {
  const { setInterval } = globalThis
  const quick = mock.method(globalThis, 'setInterval', (task: () => void, ms: number) =>
    setInterval(task, ms / times),
  )
  try {
    return await run()
  } finally {
    quick.mock.restore()
  }
}

/** Shortens a wait that has begun: after `afterMs`, makes the clock of `monotonicNow` jump ahead by `seconds`. */
export async function hastened<T>(seconds: number, waiting: Promise<T>, afterMs = 100): Promise<T> {
  await Promise.race([waiting, sleep(afterMs)])
  return later(seconds, () => waiting)
}
