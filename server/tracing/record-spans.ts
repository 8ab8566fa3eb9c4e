import type { SentCommand, Stage, Timeline } from '../../engine/timeline.js'

/** Clocks of two threads are that close, in ms. */
const tolerance = 0.1

/**
 * The record of a request as a tree, in the order in which its parts began: each is within the shortest stage that was
 * under way all the time that it took. What has no end was cut off with the request.
 * @param until the end of the request, by the record's clock
 * @returns the parts of which spans are made. `within`: index of the stage that holds it, which comes before it;
 * undefined = the request itself
 */
export function recordedParts({ stages, commands }: Timeline, until: number) {
  const found = [
    ...stages.map((stage) => ({ of: { is: 'stage', stage } as const, ...timesOf(stage, until) })),
    ...commands.map((command) => ({
      of: { is: 'command', command } as const,
      ...timesOf(command, until),
    })),
  ]
  // Of two that begin together the longer one holds the other; a stage, which was found first, holds a command.
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

/** A command that several requests wait for may end after one of them was given up. */
const timesOf = ({ from, to = Infinity }: Stage | SentCommand, until: number) => {
  const end = Math.min(to, until)
  return { from: Math.min(from, end), to: end }
}
