/**
 * Whole milliseconds since some moment, one and the same for all threads of the process: for how long something takes,
 * and when its time is over. A clock that is set moves it by nothing.
 */
export function steadyNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + Math.floor(nanoseconds / 1e6)
}
