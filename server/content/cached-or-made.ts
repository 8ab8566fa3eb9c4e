import { tookTooLong } from '../../engine/errors/database-errors.js'
import type { AnswerMemory, MadeAnswer, TakesLong } from './answer-memory.js'
import type { Answer, ReadRequest } from './documents.js'

/**
 * Maximum number of times that a request waits for another request. The response of the other request may turn out not
 * to be cached, because of writes in the meantime.
 */
const maxWaits = 2

/**
 * Returns a cached response, or waits for one that another request is producing. If there is neither, or if the other
 * request takes too long, calls `make` and returns whichever response comes first. If `make` fails, for example because
 * the slow request keeps the pool busy, still waits for the slow request.
 * @throws ApiError 503 if the request has no time left after waiting
 * @throws the error of `make` if the slow request has no result
 */
export async function cachedOrMade(
  recall: () => ReturnType<AnswerMemory['recall']>,
  make: () => Promise<Answer>,
  { client, ignored }: Pick<ReadRequest, 'client' | 'ignored'>,
  timeoutMs: number,
): Promise<Answer> {
  let known = recall()
  let slow: TakesLong['later'] | undefined
  // If waiting gives no response, `recall` and `make` must be called in the same tick. Otherwise two requests would
  // both produce the response.
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
  // The requester has no time left to wait for `make`.
  if ((client?.budget?.left() ?? Infinity) <= 0) throw tookTooLong(timeoutMs)
  return firstMade(
    make(),
    slow?.then((made) => made?.answer),
  )
}

/**
 * Resolves with the result of `own` or `late`, whichever comes first. A result of `late` that is undefined is ignored.
 * If `own` fails, waits for `late`.
 */
async function firstMade<T>(own: Promise<T>, late: Promise<T | undefined> | undefined): Promise<T> {
  if (late === undefined) return own
  const ownOrLate = own.catch(async () => (await late) ?? own)
  return Promise.race([ownOrLate, late.then((made) => made ?? own)])
}
