import { steadyNow, type Clock } from '../../steady-now.js'

/** The time that a read has (`api.rest.queryTimeoutMs`). */
export type Budget = Readonly<{
  /** How much of it is left, in milliseconds; below 0 when it is over. */
  left: () => number
  /** All of it, as messages name it. */
  timeoutMs: number
}>

/**
 * The time that a read has from now on.
 * @param clock may stand still, and the time with it (`servedClock`)
 * @param leftMs what is left of it, where it began before
 */
export function startBudget(
  timeoutMs: number,
  clock: Clock = steadyNow,
  leftMs: number = timeoutMs,
): Budget {
  const deadline = clock() + leftMs
  return { left: () => deadline - clock(), timeoutMs }
}
