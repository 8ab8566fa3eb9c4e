/** Returns milliseconds since some moment. */
export type Clock = () => number

/**
 * Returns whole milliseconds since some moment, which is the same for all threads of the process. For durations and
 * deadlines: setting the system clock does not change it.
 */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + Math.floor(nanoseconds / 1e6)
}

/** Returns milliseconds since the same moment, precise to the microsecond. For the durations of parts of a request. */
export function preciseNow(): number {
  return performance.now() + threadBegan
}

/** The clock of `performance` begins with each thread. Both clocks are the monotonic clock of the system. */
const threadBegan = aheadOf(() => performance.now(), sinceThatMoment)

/**
 * Returns by how much one clock is ahead of another with the same speed. A thread may be suspended between the two
 * readings, which makes the difference too small. So the largest of several is right.
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
