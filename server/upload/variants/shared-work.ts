/** Work that is done once for all who ask for it at the same time, and given up when all of them are gone. */
export type SharedWork<T> = (
  key: string,
  /** Of who asks. */
  signal: AbortSignal,
  /** Its own signal is aborted when nobody waits for it any more. */
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>

type Running<T> = { askers: number; over: AbortController; done: Promise<T> }

export function createSharedWork<T>(): SharedWork<T> {
  const running = new Map<string, Running<T>>()

  const start = (key: string, work: (signal: AbortSignal) => Promise<T>): Running<T> => {
    const over = new AbortController()
    const started = { askers: 0, over, done: work(over.signal).finally(() => forget(key, started)) }
    running.set(key, started)
    return started
  }
  const forget = (key: string, one: Running<T>): void => {
    if (running.get(key) === one) running.delete(key)
  }

  return async (key, signal, work) => {
    signal.throwIfAborted()
    const shared = running.get(key) ?? start(key, work)
    shared.askers += 1
    const leave = (): void => {
      shared.askers -= 1
      if (shared.askers > 0) return
      // Whoever asks now begins anew.
      forget(key, shared)
      shared.over.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await shared.done
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}
