/** A signal that ends with another or after a time, and what takes it back. */
export type TimeLimit = Readonly<{ signal: AbortSignal; release: () => void }>

/**
 * @param ms after which the signal's reason is a `TimeoutError`, as that of `AbortSignal.timeout`
 * @param outer whose reason it takes over
 */
export function limitTime(ms: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController()
  const end = (): void => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`No answer within ${ms} ms`, 'TimeoutError'))
  }, ms)
  if (outer?.aborted === true) end()
  else outer?.addEventListener('abort', end, { once: true })
  const release = (): void => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', end)
  }
  return { signal: controller.signal, release }
}

/** Resolves after a time; rejects with the signal's reason when it ends before. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
