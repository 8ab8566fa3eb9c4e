import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** Runs something while the clock of `steadyNow` is so many whole seconds ahead. */
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

/** Runs something that starts intervals, each of which passes so many times as often as it was meant to. */
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

/**
 * Awaits something that waits for a time of `steadyNow`. After `afterMs` that clock jumps ahead by so many seconds. If
 * the wait has not begun by then, it only takes longer.
 */
export async function hastened<T>(seconds: number, waiting: Promise<T>, afterMs = 100): Promise<T> {
  await Promise.race([waiting, sleep(afterMs)])
  return later(seconds, () => waiting)
}
