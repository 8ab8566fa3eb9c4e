import { tookTooLong } from '../../engine/errors/database-errors.js'
import type { AnswerMemory, MadeAnswer, TakesLong } from './answer-memory.js'
import type { Answer, ReadRequest } from './documents.js'

/** How often a request waits for what others make, and is not kept because of what is written meanwhile. */
const maxWaits = 2

/**
 * An answer that was made before, or is being made for another request; else `make` makes it, and also where the other
 * one takes long, of which the first to come is taken. Where that cannot be made, as in a busy pool that the slow one
 * keeps, the slow one is waited for all the same.
 * @throws ApiError 503 where the request's time is over by then; what `make` rejects with where the slow one brings nothing
 */
export async function knownOrMade(
  recall: () => ReturnType<AnswerMemory['recall']>,
  make: () => Promise<Answer>,
  { asker, ignored }: Pick<ReadRequest, 'asker' | 'ignored'>,
  timeoutMs: number,
): Promise<Answer> {
  let known = recall()
  let slow: TakesLong['later'] | undefined
  // Who has waited in vain makes it in the moment in which nobody does: two that begin at once would both make it.
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
  // Nobody waits for it any more.
  if ((asker?.budget?.left() ?? Infinity) <= 0) throw tookTooLong(timeoutMs)
  return firstMade(
    make(),
    slow?.then((made) => made?.answer),
  )
}

/** What comes first: `own`, or what is made late, if at all; that is waited for where `own` fails. */
async function firstMade<T>(own: Promise<T>, late: Promise<T | undefined> | undefined): Promise<T> {
  if (late === undefined) return own
  const ownOrLate = own.catch(async () => (await late) ?? own)
  return Promise.race([ownOrLate, late.then((made) => made ?? own)])
}
