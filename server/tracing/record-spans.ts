import type { SentCommand, Stage, Timeline } from '../../engine/timeline.js'

/** Maximum difference, in ms, between the clocks of two threads. */
const tolerance = 0.1

/**
 * Arranges stages and commands as a tree, in the order in which they began. Each is a child of the shortest stage that
 * covers it.
 * @param until end of the request, by the timeline's clock
 * @returns the parts that become spans. `within` is the index of the parent, which precedes its children; undefined =
 * the request
 */
export function recordedParts({ stages, commands }: Timeline, until: number) {
  const found = [
    ...stages.map((stage) => ({ of: { is: 'stage', stage } as const, ...timesOf(stage, until) })),
    ...commands.map((command) => ({
      of: { is: 'command', command } as const,
      ...timesOf(command, until),
    })),
  ]
  // If two parts begin together, the longer one contains the other. If they are equally long, the stage comes first.
  const ordered = found.sort((a, b) => a.from - b.from || b.to - a.to)
  const open: number[] = []
  return ordered.map((part, index) => {
    const holds = (at: number | undefined): boolean => (ordered[at ?? 0]?.to ?? 0) > part.from
    while (open.length > 0 && !holds(open.at(-1))) open.pop()
    const within = open.findLast((at) => part.to <= (ordered[at]?.to ?? 0) + tolerance)
    if (part.of.is === 'stage') open.push(index)
    return { ...part, within }
  })
}

/** Returns a period within the request: a command that several requests share may end after one of them was aborted. */
const timesOf = ({ from, to = Infinity }: Stage | SentCommand, until: number) => {
  const end = Math.min(to, until)
  return { from: Math.min(from, end), to: end }
}
