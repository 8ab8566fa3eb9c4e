import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../statistics.js'
import type { Contender } from './contenders.js'
import type { Ground } from './ground.js'
import { startLoad, type Sent } from './load.js'
import { cpuOf, memoryOf } from '../process-table.js'
import type { Figures, Way } from './run-rows.js'

/** Answers that a measurement waits for beyond its time, and how long. */
const enough = 32
const waitMs = 5000

/** A way of a row: some loads on one server, at the same time; latencies are the first one's. */
export const wayOf = (
  name: string,
  server: Contender,
  ground: Pick<Ground, 'enginePid' | 'seconds'>,
  ...sent: readonly Sent[]
): Way => ({ name, measure: (round) => measure(server, ground, sent, round) })

/** Lets loads run for a while, then measures them for `seconds`. */
async function measure(
  server: Contender,
  { enginePid = 0, seconds }: Pick<Ground, 'enginePid' | 'seconds'>,
  sent: readonly Sent[],
  round: number,
): Promise<Figures> {
  // Every server is asked the same in a round, and something else in the next.
  const loads = sent.map((one) => startLoad(server, one, round * 1_000_003))
  await sleep(Math.min(500, seconds * 350))
  const used = async () => [(await cpuOf(server.pid)) ?? NaN, (await cpuOf(enginePid)) ?? NaN]
  const [serverBefore = NaN, engineBefore = NaN] = await used()
  for (const load of loads) load.take()
  await sleep(seconds * 1000)
  // Slow answers to many connections come in waves; half a wave says nothing.
  const until = performance.now() + waitMs
  while ((loads[0]?.answered() ?? 0) < enough && performance.now() < until) await sleep(50)
  const reports = loads.map((load) => load.take())
  const [serverAfter = NaN, engineAfter = NaN] = await used()
  const memory = (await memoryOf([server.pid])) ?? NaN
  for (const load of loads) await load.stop()
  if (sent.some(({ call }) => call(0).method === 'POST')) await server.removeCreated()
  const [own, others] = reports
  if (own === undefined || own.latencies.length === 0)
    throw new Error(`${server.name} answered nothing within ${seconds} seconds`)
  const all = reports.reduce((sum, { latencies }) => sum + latencies.length, 0)
  const serverMs = serverAfter - serverBefore
  return {
    'req/s': own.perSecond,
    'p50 ms': percentile(own.latencies, 0.5),
    'p99 ms': percentile(own.latencies, 0.99),
    'CPU ms': (serverMs + engineAfter - engineBefore) / all,
    MB: memory / 1024 ** 2,
    'server CPU': serverMs / all,
    refused: reports.reduce((sum, { refused }) => sum + refused, 0),
    ...(others === undefined ? {} : { 'heavy/s': others.perSecond }),
  }
}
