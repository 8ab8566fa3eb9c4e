import { ApiError, fail } from '../../engine/errors.js'

/** Writes what nobody else may have. Throws `application` with this message where somebody has it. */
export async function unlessTaken<T>(
  isTaken: () => Promise<boolean>,
  message: string,
  write: () => Promise<T>,
): Promise<T> {
  if (await isTaken()) throw fail('application', message)
  return write().catch(async (error: unknown) => {
    // Another request may have been first since we looked.
    const isOfBody = error instanceof ApiError && error.status === 400
    throw isOfBody && (await isTaken()) ? fail('application', message) : error
  })
}
