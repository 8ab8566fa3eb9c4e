import type { Admission, PausableQueue } from '../../../workers/admission.js'
import { queueBySize } from '../../../workers/run-in-queue.js'

/** Minimum cost of a large write, in the unit of a query plan's cost. */
const largeCost = 1000
/**
 * Cost per byte, measured for the most expensive body: a list of relations of the maximum size takes a second to write.
 */
const costPerByte = 0.05

/**
 * Estimates the cost of a write, in the unit of a query plan's cost.
 * @param bodyBytes size of the body without files
 * @param more additional cost from the endpoint
 */
export const writeCost = (bodyBytes: number, more = 0): number => 1 + more + costPerByte * bodyBytes

/** Creates the queues of small and large writes. */
export const writeQueues = (admission: Admission, slots: number): PausableQueue =>
  queueBySize(admission, { small: 'writes', large: 'large writes', slots, largeCost })
