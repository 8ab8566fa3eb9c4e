/** Returns milliseconds since an arbitrary fixed moment. */
export type Clock = () => number

/**
 * Returns whole milliseconds since an arbitrary moment that is the same for all threads of the process. Use it for
 * durations and deadlines, because setting the system clock does not change it.
 */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + Math.floor(nanoseconds / 1e6)
}

/**
 * Returns milliseconds since the same moment as `monotonicNow`, precise to the microsecond. Use it for the durations of
 * parts of a request.
 */
export function preciseNow(): number {
  return performance.now() + threadBegan
}

/**
 * The time at which this thread began: `performance.now()` starts at 0 in each thread. The difference is constant,
 * because both clocks read the monotonic clock of the system.
 */
const threadBegan = aheadOf(() => performance.now(), sinceThatMoment)

/**
 * Returns by how much one clock is ahead of another with the same speed. If the thread is suspended between the two
 * readings, the measured difference is too small. So the largest of 16 differences is returned.
 */
export function aheadOf(behind: () => number, ahead: () => number): number {
  let most = -Infinity
  for (let pair = 0; pair < 16; pair += 1) {
    const first = ahead()
    most = Math.max(most, first - behind())
  }
  return most
}

function sinceThatMoment(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
