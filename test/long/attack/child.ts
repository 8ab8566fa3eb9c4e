/**
 * Main file of an attacking process. The first message that the process gets is an order; at the second, it sends its
 * report and exits. It also exits when its parent does.
 */
import { once, setMaxListeners } from 'node:events'
import { atTheEnd, createTallies } from './ask.js'
import { flood } from './flood.js'
import type { Order } from './orders.js'
import { sendSlowly } from './slow-bodies.js'
import { readSlowly } from './slow-readers.js'
import { readSteadily } from './steady-reads.js'

const ending = new AbortController()
// Every connection listens for this signal.
setMaxListeners(0, ending.signal)
const tallies = createTallies()
process.once('disconnect', () => process.exit(1))

const [order] = (await once(process, 'message')) as [Order]
process.once('message', () => ending.abort(atTheEnd))
if (order.kind === 'burn') burn()
else {
  await run(order, ending.signal)
  process.send?.(tallies.report(), () => process.exit(0))
}

async function run(what: Exclude<Order, { kind: 'burn' }>, signal: AbortSignal): Promise<void> {
  switch (what.kind) {
    case 'flood':
      return flood(what, tallies, signal)
    case 'slow':
      return readSlowly(what, tallies, signal)
    case 'trickle':
      return sendSlowly(what, tallies, signal)
    case 'read':
      return readSteadily(what, tallies, signal)
  }
}

/** Keeps a CPU busy, in short slices, so that the process can receive the second message in between. */
function burn(): void {
  if (ending.signal.aborted) return void process.send?.({}, () => process.exit(0))
  const until = performance.now() + 50
  while (performance.now() < until);
  setImmediate(burn)
}
