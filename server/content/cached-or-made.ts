import { tookTooLong } from '../../engine/errors/database-errors.js'
import type { AnswerMemory, MadeAnswer, TakesLong } from './answer-memory.js'
import type { Answer, ReadRequest } from './documents.js'

/**
 * How many times to wait for another request. Its response may not be cached because of a write, so waiting may fail.
 */
const maxWaits = 2

/**
 * Returns the cached response, or waits for another request that is producing it. If there is neither, or the other
 * request takes too long, calls `make`, and returns the response that is ready first. If `make` fails, for example
 * because the slow request keeps the pool busy, waits for the slow request. Throws ApiError 503 if no time is left to
 * call `make`.
 */
export async function cachedOrMade(
  recall: () => ReturnType<AnswerMemory['recall']>,
  make: () => Promise<Answer>,
  { client, ignored }: Pick<ReadRequest, 'client' | 'ignored'>,
  timeoutMs: number,
): Promise<Answer> {
  let known = recall()
  let slow: TakesLong['later'] | undefined
  // Call `make` in the same tick as the last `recall`. Otherwise two requests could both produce the response.
  for (let waits = 0; known instanceof Promise && waits < maxWaits; waits += 1) {
    const found: MadeAnswer | TakesLong | undefined = await firstMade(known, slow)
    const isLate = found !== undefined && 'later' in found
    if (isLate) slow ??= found.later
    const made = isLate ? undefined : (found ?? (await slow))
    known = made ?? recall()
  }
  if (known !== undefined && !(known instanceof Promise)) {
    if (ignored !== undefined) known.ignored.forEach(ignored)
    return known.answer
  }
  if ((client?.budget?.left() ?? Infinity) <= 0) throw tookTooLong(timeoutMs)
  return firstMade(
    make(),
    slow?.then((made) => made?.answer),
  )
}

/**
 * Resolves with the first result of `own` and `late`, but ignores an undefined result of `late`. If `own` fails, waits
 * for `late`.
 */
async function firstMade<T>(own: Promise<T>, late: Promise<T | undefined> | undefined): Promise<T> {
  if (late === undefined) return own
  const ownOrLate = own.catch(async () => (await late) ?? own)
  return Promise.race([ownOrLate, late.then((made) => made ?? own)])
}
