/** Returns milliseconds since a fixed but arbitrary moment. */
export type Clock = () => number

/**
 * Returns whole milliseconds since an arbitrary moment, which is the same in all threads of the process. Use it for
 * durations and deadlines, because it does not jump if the system clock is set.
 */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + Math.floor(nanoseconds / 1e6)
}

/**
 * Returns milliseconds since the same moment as `monotonicNow`, but with a precision of a microsecond. Use it to
 * measure parts of a request.
 */
export function preciseNow(): number {
  return performance.now() + threadBegan
}

/**
 * Time at which this thread started, in milliseconds since the moment of `monotonicNow`. `performance.now()` starts at
 * 0 in each thread. The difference is constant, because both use the system's monotonic clock.
 */
const threadBegan = aheadOf(() => performance.now(), sinceThatMoment)

/**
 * Returns by how many milliseconds one clock is ahead of another that runs at the same speed. If the thread is
 * suspended between two readings, the measured difference is too small. So this function measures 16 times, and returns
 * the largest difference.
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
