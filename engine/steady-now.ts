/** Milliseconds since some moment. */
export type Clock = () => number

/**
 * Whole milliseconds since some moment, one and the same for all threads of the process: for how long something takes,
 * and when its time is over. A clock that is set moves it by nothing.
 */
export function steadyNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + Math.floor(nanoseconds / 1e6)
}

/** The same moment to the microsecond: for how long a part of a request takes. */
export function preciseNow(): number {
  return performance.now() + threadBegan
}

/** The clock of `performance` begins with each thread; both are the system's monotonic clock. */
const threadBegan = aheadOf(() => performance.now(), sinceThatMoment)

/**
 * By how much one clock is ahead of another that goes alike. A thread may have to wait between two looks at them, and
 * says too little then; of several pairs the largest is right.
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
