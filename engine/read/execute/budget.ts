import { monotonicNow, type Clock } from '../../monotonic-now.js'

/** The remaining time of a read (`api.rest.queryTimeoutMs`). */
export type Budget = Readonly<{
  /** Milliseconds; negative after the time limit. */
  left: () => number
  /** The whole limit, for messages. */
  timeoutMs: number
}>

/**
 * Starts measuring the time of a read.
 * @param clock may be paused during the read (`servedClock`)
 * @param leftMs remaining milliseconds, if the read began in another thread
 */
export function startBudget(
  timeoutMs: number,
  clock: Clock = monotonicNow,
  leftMs: number = timeoutMs,
): Budget {
  const deadline = clock() + leftMs
  return { left: () => deadline - clock(), timeoutMs }
}
