import { preciseNow } from '../../engine/steady-now.js'
import type { StageName, Timeline } from '../../engine/timeline.js'

/**
 * The header of that name (W3C, Server Timing): how long each stage took until now, in milliseconds, those of one
 * name together, then all commands and the whole. `read-back;dur=2.1, db;dur=1.8;desc="3 commands", total;dur=4.2`
 * @param from when the request began, by `preciseNow`
 */
export function serverTiming({ stages, commands, moreCommands }: Timeline, from: number): string {
  const now = preciseNow()
  const took = new Map<StageName, number>()
  for (const { name, from, to = now } of stages)
    took.set(name, (took.get(name) ?? 0) + Math.max(0, to - from))
  const all = [...took].map(([name, ms]) => metric(name, ms))
  const count = commands.length + moreCommands
  if (count > 0) {
    const ms = commands.reduce((sum, { from, to = now }) => sum + to - from, 0)
    all.push(`${metric('db', ms)};desc="${count} ${count === 1 ? 'command' : 'commands'}"`)
  }
  return [...all, metric('total', now - from)].join(', ')
}

const metric = (name: string, ms: number): string => `${name};dur=${Number(ms.toFixed(2))}`
