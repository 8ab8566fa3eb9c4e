import { tookTooLong } from '../../engine/errors/database-errors.js'
import type { AnswerMemory, MadeAnswer, TakesLong } from './answer-memory.js'
import type { Answer, ReadRequest } from './documents.js'

/** How often a request waits for others whose result turns out not to be cached because of writes meanwhile. */
const maxWaits = 2

/**
 * Returns a cached response, or one that another request is producing. Otherwise calls `make`, also when the other
 * request takes long; then the first result is returned. If `make` fails, for example in a pool that the slow request
 * keeps busy, it still waits for the slow one.
 * @throws ApiError 503 if the request's time is over by then; the error of `make` if the slow request has no result
 */
export async function cachedOrMade(
  recall: () => ReturnType<AnswerMemory['recall']>,
  make: () => Promise<Answer>,
  { client, ignored }: Pick<ReadRequest, 'client' | 'ignored'>,
  timeoutMs: number,
): Promise<Answer> {
  let known = recall()
  let slow: TakesLong['later'] | undefined
  // After a wait in vain, check and begin in the same tick: otherwise two requests would both produce it.
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
  // The requester does not wait for it any more.
  if ((client?.budget?.left() ?? Infinity) <= 0) throw tookTooLong(timeoutMs)
  return firstMade(
    make(),
    slow?.then((made) => made?.answer),
  )
}

/** Resolves with the first result: `own`, or `late` if it has one. If `own` fails, waits for `late`. */
async function firstMade<T>(own: Promise<T>, late: Promise<T | undefined> | undefined): Promise<T> {
  if (late === undefined) return own
  const ownOrLate = own.catch(async () => (await late) ?? own)
  return Promise.race([ownOrLate, late.then((made) => made ?? own)])
}
