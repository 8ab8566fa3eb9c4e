/** Measures the delay of the event loop. */
export type LoopDelay = Readonly<{
  /** Milliseconds: the recent maximum, which decays, or the delay of the current timer if that is larger. */
  ms: () => number
  stop: () => void
}>

/** Sampling interval, in milliseconds. */
const sampleMs = 50
/** Factor by which a measured delay decays per sample. */
const memory = 0.7

/**
 * Measures twenty times a second how late a timer is. The histogram of `perf_hooks` would not do, because it only shows
 * a delay after it has ended.
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
