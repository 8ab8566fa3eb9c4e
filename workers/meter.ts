import { fail } from '../engine/errors.js'
import type { Meter } from '../engine/read/execute/reader.js'
import { costs } from '../engine/read/cost/cost-units.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'

/** Thrown if a read on the main thread turns out to be too large for that thread. */
export class BeyondInline extends Error {
  /** The list's total, if it was known when the read was stopped. */
  total: number | undefined

  constructor() {
    super('The read continues in the pool')
    this.name = 'BeyondInline'
  }
}

/** Measures what a read has cost so far, and limits what it may still cost. */
export type ReadMeter = Meter &
  Readonly<{
    /** Returns the maximum number of bytes that the response may have, and the error to throw for a larger one. */
    answer: () => Readonly<{ maxBytes: number; tooLarge: () => Error }>
  }>

/**
 * A read may fetch this many times the size of the largest response from the database. It also reads values that the
 * response does not show, and some documents repeatedly.
 */
const readPerAnswer = 4
/** Documents per batch on the main thread, so that a read can stop before many have been fetched. */
const inlineBatch = 500
/** Batch size that no pipeline reaches, so that only the database's limit of 16 MB ends a batch. */
const largestBatch = 1_000_000

/**
 * Measures a read while it runs, because its estimated cost may be wrong. Limits the bytes of the read in every mode
 * (400).
 * @param maxCost maximum in the unit of `ReadPlan.cost`. Beyond it, the meter throws `BeyondInline`. Default: no limit.
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
  return fail(
    'limit-exceeded',
    { what: 'The size of the response', bound, limit },
    { bound, limit },
  )
}

function tooMuchRead(maxAnswerBytes: number): Error {
  const limit = readPerAnswer * maxAnswerBytes
  return fail(
    'limit-exceeded',
    {
      what: 'The size of the data that the query reads',
      bound: `${readPerAnswer} × ${bound}`,
      limit,
    },
    { bound, limit },
  )
}
