import { fail } from '../engine/errors.js'
import type { Meter } from '../engine/read/execute/reader.js'
import { costs } from '../engine/read/cost/cost-units.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'

/**
 * Thrown if a read on the main thread turns out to be too expensive for this thread. The read then starts again in the
 * worker pool.
 */
export class BeyondInline extends Error {
  /** The total of the list, if it had been counted when the read was stopped. */
  total: number | undefined

  constructor() {
    super('The read continues in the pool')
    this.name = 'BeyondInline'
  }
}

/** Measures the cost of a read so far, and limits its further cost. */
export type ReadMeter = Meter &
  Readonly<{
    /** Returns the maximum size of the response in bytes, and the error to throw for a larger response. */
    answer: () => Readonly<{ maxBytes: number; tooLarge: () => Error }>
  }>

/**
 * The number of bytes that a read may fetch from the database, as a multiple of the maximum size of its response. A
 * read also fetches values that are not shown, and fetches some documents repeatedly.
 */
const readPerAnswer = 4
/**
 * Number of documents per batch on the main thread. It is small, so that a read can stop before many documents are
 * fetched.
 */
const inlineBatch = 500
/** A number of documents that no batch reaches, so that only the database's limit of 16 MB ends a batch. */
const largestBatch = 1_000_000

/**
 * Measures the cost of a read while it runs, because the estimated cost may be wrong. In every mode, throws a 400 if
 * the read fetches too many bytes.
 * @param maxCost maximum cost in the units of `ReadPlan.cost`; default: no limit. If it is exceeded, throws
 *   `BeyondInline`
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
