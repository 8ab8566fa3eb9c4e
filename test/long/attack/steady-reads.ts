import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Tallies } from './ask.js'
import type { Call, ReadOrder } from './orders.js'

/** Sends requests at a steady pace, like many independent clients. At the end, waits for those in flight. */
export async function readSteadily(
  { url, address, calls, everyMs, timeoutMs }: ReadOrder,
  tallies: Tallies,
  signal: AbortSignal,
): Promise<void> {
  const underWay = new Set<Promise<unknown>>()
  const started = performance.now()
  for (let turn = 0; !signal.aborted; turn += 1) {
    const options = { url, address, agent: false, signal: AbortSignal.timeout(timeoutMs) } as const
    const response = ask(calls[turn % calls.length] as Call, tallies, options)
    underWay.add(response)
    void response.then(() => underWay.delete(response))
    const next = started + (turn + 1) * everyMs - performance.now()
    await sleep(Math.max(0, next), undefined, { signal }).catch(() => undefined)
  }
  await Promise.all(underWay)
}
