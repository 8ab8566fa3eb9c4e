import type { Admission, HoldableLine } from '../../workers/admission.js'

/** Least cost of a large write, in the unit of a plan's cost. */
const largeCost = 1000
/** Cost of a byte of a body. A list of as many relations as a body can hold takes a second. */
const costPerByte = 0.05

/**
 * Estimates the cost of a write.
 * @param bodyBytes of JSON or of a form, not of files
 * @param more cost that its endpoint adds for the body
 */
export const writeCost = (bodyBytes: number, more = 0): number => 1 + more + costPerByte * bodyBytes

/** Creates the queues of writes. Large writes have their own queue, in which a quarter as many run at a time. */
export function writeLines(admission: Admission, places: number): HoldableLine {
  const small = admission.line({ name: 'writes', places })
  const fewer = Math.max(1, Math.floor(places / 4))
  const large = admission.line({ name: 'large writes', places: fewer })
  return {
    enter: (asked) => (asked.cost < largeCost ? small : large).enter(asked),
    hold: async (until) => {
      const releases = await holdAll([small, large], until)
      return () => releases.forEach((release) => release())
    },
  }
}

async function holdAll(
  lines: readonly HoldableLine[],
  until: AbortSignal,
): Promise<readonly (() => void)[]> {
  const held = await Promise.allSettled(lines.map((line) => line.hold(until)))
  const releases = held.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const refused = held.find((one) => one.status === 'rejected')
  if (refused === undefined) return releases
  for (const release of releases) release()
  throw refused.reason
}
