/** Measures the delay of the event loop. */
export type LoopDelay = Readonly<{
  /** Returns the maximum of the timer's current delay and the earlier samples, weighted by age, in milliseconds. */
  ms: () => number
  stop: () => void
}>

/** Interval between two samples, in milliseconds. */
const sampleMs = 50
/** Each new sample multiplies the weight of all earlier ones by this factor. */
const memory = 0.7

/** Measures 20 times a second how late a timer fires. `perf_hooks` only shows a delay after it has ended. */
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
