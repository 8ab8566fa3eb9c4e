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
const threadBegan = sinceThatMoment() - performance.now()

function sinceThatMoment(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
