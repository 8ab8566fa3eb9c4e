import { monotonicNow, type Clock } from '../../monotonic-now.js'

/** The time limit of a read (`api.rest.queryTimeoutMs`). */
export type Budget = Readonly<{
  /** Returns the milliseconds that are left; negative when the time is over. */
  left: () => number
  /** The whole time in milliseconds, for messages. */
  timeoutMs: number
}>

/**
 * Starts the time of a read.
 * @param clock may pause (`servedClock`)
 * @param leftMs milliseconds that are left, if the read began in another thread
 */
export function startBudget(
  timeoutMs: number,
  clock: Clock = monotonicNow,
  leftMs: number = timeoutMs,
): Budget {
  const deadline = clock() + leftMs
  return { left: () => deadline - clock(), timeoutMs }
}
