import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Tallies } from './ask.js'
import type { Call, FloodOrder } from './orders.js'

/** Wait after a 503, in ms. This is shorter than the response's `Retry-After`, which attackers ignore. */
const afterRefusalMs = 100

/** Sends requests on several connections until the signal aborts. */
export async function flood(
  { url, address, connections, calls, pauseMs }: FloodOrder,
  tallies: Tallies,
  signal: AbortSignal,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const options = { url, address, agent, signal }
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      for (let turn = connection; !signal.aborted; turn += 1) {
        const status = await ask(calls[turn % calls.length] as Call, tallies, options)
        const pause = status === 200 ? pauseMs : Math.max(pauseMs, afterRefusalMs)
        if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => undefined)
      }
    }),
  )
  agent.destroy()
}
