import { fail } from '../engine/errors.js'
import type { Meter } from '../engine/read/run/reader.js'
import { costs } from '../engine/read/cost/cost-units.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'

/** Thrown where a read on the main thread turns out to be larger than that thread has time for. */
export class BeyondInline extends Error {
  /** The list's total, where it was known by then. */
  total: number | undefined

  constructor() {
    super('The read goes on in the pool')
    this.name = 'BeyondInline'
  }
}

/** What a read has cost so far, and what it may still cost. */
export type ReadMeter = Meter &
  Readonly<{
    /** Most bytes that its answer may still have, and what is thrown beyond them. */
    answer: () => Readonly<{ maxBytes: number; tooLarge: () => Error }>
  }>

/** A read may take so many times the largest answer from the database: more than is shown of it, and several times. */
const readPerAnswer = 4
/** Documents of a batch on the main thread: it is to stop before many of them are there. */
const inlineBatch = 500
/** More than any pipeline yields; the database ends a batch at 16 MB. */
const largestBatch = 1_000_000

/**
 * Measures a read while it runs, because what it was estimated to cost may be wrong. Its bytes are bounded
 * wherever it runs (400).
 * @param maxCost in the unit of `ReadPlan.cost`; beyond it `BeyondInline` is thrown. Default: any.
 */
export function createMeter({ maxAnswerBytes }: ReadPlan, maxCost = Infinity): ReadMeter {
  let bytesRead = 0
  let cost = 0
  return {
    batchSize: maxCost === Infinity ? largestBatch : inlineBatch,
    add: (documents, bytes) => {
      bytesRead += bytes
      cost += documents * costs.shown + bytes * costs.shownByte
      if (cost > maxCost) throw new BeyondInline()
      if (bytesRead > readPerAnswer * maxAnswerBytes) throw tooMuchRead(maxAnswerBytes)
    },
    answer: () => {
      const inTime = Math.floor((maxCost - cost) / costs.answerByte)
      return inTime < maxAnswerBytes
        ? { maxBytes: inTime, tooLarge: () => new BeyondInline() }
        : { maxBytes: maxAnswerBytes, tooLarge: () => tooLarge(maxAnswerBytes) }
    },
  }
}

const bound = 'api.rest.maxAnswerBytes'

function tooLarge(limit: number): Error {
  return fail('limit-exceeded', { what: 'The size of the answer', bound, limit }, { bound, limit })
}

function tooMuchRead(maxAnswerBytes: number): Error {
  const limit = readPerAnswer * maxAnswerBytes
  return fail(
    'limit-exceeded',
    { what: 'The size of what the query reads', bound: `${readPerAnswer} × ${bound}`, limit },
    { bound, limit },
  )
}
