/** Measures how far the event loop is delayed. */
export type LoopDelay = Readonly<{
  /**
   * Returns the delay in milliseconds: the maximum of recent samples, with older samples counting less, or the current
   * delay of the timer if that is larger.
   */
  ms: () => number
  stop: () => void
}>

/** Interval between two samples, in milliseconds. */
const sampleMs = 50
/** Factor by which an earlier delay is multiplied at each sample. */
const memory = 0.7

/**
 * Measures twenty times a second how late a timer fires. The histogram of `perf_hooks` would not work here, because it
 * only shows a delay after the delay has ended.
 */
export function sampleLoopDelay(now: () => number = () => performance.now()): LoopDelay {
  let due = now() + sampleMs
  let seen = 0
  const timer = setInterval(() => {
    const at = now()
    seen = Math.max(at - due, seen * memory)
    due = at + sampleMs
  }, sampleMs).unref()
  return { ms: () => Math.max(0, seen, now() - due), stop: () => clearInterval(timer) }
}
