import { ApiError, notDone } from '../../../engine/errors.js'

/**
 * A step in the database that keeps files: what it refuses, and what it does not answer in `ms`, is nobody's
 * mistake and may be well again in a moment. Throws `unavailable` for it, and whatever else `run` throws.
 */
export async function inDatabase<T>(ms: number, run: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notDone('The database took too long')), ms)
  })
  const running = run()
  // Whoever is late is not waited for.
  running.catch(() => undefined)
  try {
    return await Promise.race([running, late])
  } catch (error) {
    if (error instanceof ApiError || !isOfDatabase(error)) throw error
    const refusal = notDone('The database cannot be reached, files cannot be stored or read')
    throw Object.assign(refusal, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Of the driver, and of a database that was lost between two steps (`engine/database/durability.ts`). */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof Error && (error.name.startsWith('Mongo') || error.name === 'InterruptedWrite')
