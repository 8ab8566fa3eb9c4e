import { ApiError, fail } from '../../engine/errors.js'

/**
 * Runs `write` unless somebody else has what it writes. Checks again if the write is refused.
 * Throws `application` with this message if it is taken.
 */
export async function unlessTaken<T>(
  isTaken: () => Promise<boolean>,
  message: string,
  write: () => Promise<T>,
): Promise<T> {
  if (await isTaken()) throw fail('application', message)
  return write().catch(async (error: unknown) => {
    // Another request may have been first since we looked.
    const isRefused = error instanceof ApiError && error.status === 400
    throw isRefused && (await isTaken()) ? fail('application', message) : error
  })
}
