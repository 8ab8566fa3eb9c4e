/** Returns milliseconds since an arbitrary moment. */
export type Clock = () => number

/**
 * Returns whole milliseconds since an arbitrary moment, which is the same in all threads of the process. Setting the
 * system clock does not affect it, so use it for durations and deadlines.
 */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + Math.floor(nanoseconds / 1e6)
}

/** Like `monotonicNow`, but with microsecond precision, to measure parts of a request. */
export function preciseNow(): number {
  return performance.now() + threadBegan
}

/**
 * Start of this thread in milliseconds on the clock of `monotonicNow`. `performance.now()` starts at 0 in each thread.
 */
const threadBegan = aheadOf(() => performance.now(), sinceThatMoment)

/**
 * Returns by how many milliseconds the clock `ahead` is ahead of `behind`. Takes the largest of 16 measurements,
 * because a measurement is too small if the thread is suspended between its two readings.
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
