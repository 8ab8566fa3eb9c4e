import { ApiError, fail } from '../../engine/errors.js'

/** Runs `write`. Throws `application` with `message` if a unique value is taken, even by a concurrent request. */
export async function unlessTaken<T>(
  isTaken: () => Promise<boolean>,
  message: string,
  write: () => Promise<T>,
): Promise<T> {
  if (await isTaken()) throw fail('application', message)
  return write().catch(async (error: unknown) => {
    // Another request may have taken the value since the check.
    const isRefused = error instanceof ApiError && error.status === 400
    throw isRefused && (await isTaken()) ? fail('application', message) : error
  })
}
