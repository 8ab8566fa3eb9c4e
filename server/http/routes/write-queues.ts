import type { Admission, PausableQueue } from '../../../workers/admission.js'

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

/** Creates the queues of small and large writes. The queue of large writes has a quarter of the slots. */
export function writeQueues(admission: Admission, slots: number): PausableQueue {
  const small = admission.queue({ name: 'writes', slots })
  const fewer = Math.max(1, Math.floor(slots / 4))
  const large = admission.queue({ name: 'large writes', slots: fewer })
  return {
    enter: (request) => (request.cost < largeCost ? small : large).enter(request),
    hold: async (until) => {
      const releases = await holdAll([small, large], until)
      return () => releases.forEach((release) => release())
    },
  }
}

async function holdAll(
  lines: readonly PausableQueue[],
  until: AbortSignal,
): Promise<readonly (() => void)[]> {
  const held = await Promise.allSettled(lines.map((queue) => queue.hold(until)))
  const releases = held.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const refused = held.find((one) => one.status === 'rejected')
  if (refused === undefined) return releases
  for (const release of releases) release()
  throw refused.reason
}
