import type { Admission, HoldableLine } from '../../workers/admission.js'

/** In the unit of a plan's cost: from here on a write is a large one. */
const largeCost = 1000
/** Of a byte of a body: a list of as many relations as a body can hold takes a second. */
const costPerByte = 0.05

/**
 * Estimates what a write costs.
 * @param bodyBytes of JSON or of a form, not of files
 * @param more what its endpoint adds for the body
 */
export const writeCost = (bodyBytes: number, more = 0): number => 1 + more + costPerByte * bodyBytes

/** In which writes wait for their turn: large ones, of which a quarter as many run at a time, in a line of their own. */
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
