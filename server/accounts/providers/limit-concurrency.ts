import { fail } from '../../../engine/errors.js'

/** Returns a function that runs at most `max` calls at a time. Further calls reject with `unavailable`. */
export function limitConcurrency(max: number) {
  let running = 0
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running >= max) {
      throw fail('unavailable', 'Too many logins are in progress. Try again', undefined, {
        'Retry-After': '1',
      })
    }
    running += 1
    try {
      return await run()
    } finally {
      running -= 1
    }
  }
}
