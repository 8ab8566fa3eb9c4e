import { steadyNow, type Clock } from '../../steady-now.js'

/** The time that a read has (`api.rest.queryTimeoutMs`). */
export type Budget = Readonly<{
  /** How much of it is left, in milliseconds; below 0 when it is over. */
  left: () => number
  /** The whole time, for messages. */
  timeoutMs: number
}>

/**
 * Starts the time of a read.
 * @param clock may stand still, and the time with it (`servedClock`)
 * @param leftMs time left, if the read began elsewhere
 */
export function startBudget(
  timeoutMs: number,
  clock: Clock = steadyNow,
  leftMs: number = timeoutMs,
): Budget {
  const deadline = clock() + leftMs
  return { left: () => deadline - clock(), timeoutMs }
}
