/** How late the event loop is. */
export type LoopDelay = Readonly<{
  /** Milliseconds: what was seen lately, or what a timer is late now. */
  ms: () => number
  stop: () => void
}>

/** How often it is looked, in milliseconds. */
const sampleMs = 50
/** Of what was seen, the part that is left at the next look. */
const memory = 0.7

/**
 * Looks twenty times a second how late a timer is. `perf_hooks` has a histogram for it, which says nothing of a
 * delay before it is over.
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
