import { fail } from '../engine/errors.js'
import type { Meter } from '../engine/read/execute/reader.js'
import { costs } from '../engine/read/cost/cost-units.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'

/** Thrown if a read turns out to be too expensive for the main thread. It then starts again in the worker pool. */
export class BeyondInline extends Error {
  /** Total of the list; undefined if it had not been counted when the read was stopped. */
  total: number | undefined

  constructor() {
    super('The read continues in the pool')
    this.name = 'BeyondInline'
  }
}

/** Measures the cost of a read, and limits it. */
export type ReadMeter = Meter &
  Readonly<{
    /** Returns the size limit of the response, and the error to throw beyond it. */
    answer: () => Readonly<{ maxBytes: number; tooLarge: () => Error }>
  }>

/** A read may fetch this many times `maxAnswerBytes`, because it also reads values that the response does not show. */
const readPerAnswer = 4
/** Documents per batch on the main thread. Small, so that a read can stop before it fetches many. */
const inlineBatch = 500
/** So many that only the database's limit of 16 MB ends a batch. */
const largestBatch = 1_000_000

/**
 * Measures the cost of a read while it runs, because it may exceed the estimate. Throws a 400 for too many bytes.
 * @param maxCost in the units of `ReadPlan.cost`. Beyond it, throws `BeyondInline`
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
