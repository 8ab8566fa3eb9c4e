import { setTimeout as sleep } from 'node:timers/promises'
import type { Contender } from './contenders.js'
import type { Ground } from './ground.js'
import type { Way } from './run-rows.js'
import { percentile, type Figures } from './figures.js'
import { startLoad, type Sent } from './load.js'
import { cpuOf, memoryOf } from './process-table.js'

/** Answers that a measurement waits for beyond its time, and how long. */
const enough = 32
const waitMs = 5000

export type Target = Pick<Contender, 'server' | 'headers'> & Partial<Contender>

/** A way of a row: some loads on one server, at the same time; latencies are the first one's. */
export const wayOf = (
  name: string,
  target: Target,
  ground: Pick<Ground, 'enginePid' | 'seconds'>,
  ...sent: readonly Sent[]
): Way => ({ name, measure: (round) => measure(target, ground, sent, round) })

/** Lets loads run for a while, then measures them for `seconds`. */
async function measure(
  target: Target,
  { enginePid, seconds }: Pick<Ground, 'enginePid' | 'seconds'>,
  sent: readonly Sent[],
  round: number,
): Promise<Figures> {
  const { server } = target
  // Every server is asked the same in a round, and something else in the next.
  const loads = sent.map((one) => startLoad(target, one, round * 1_000_003))
  await sleep(Math.min(500, seconds * 350))
  const used = (): Promise<readonly (number | null)[]> =>
    Promise.all([cpuOf(server.pid), cpuOf(enginePid)])
  const before = await used()
  for (const load of loads) load.begin()
  await sleep(seconds * 1000)
  // Slow answers to many connections come in waves; half a wave says nothing.
  const until = performance.now() + waitMs
  while ((loads[0]?.answered() ?? 0) < enough && performance.now() < until) await sleep(50)
  const reports = loads.map((load) => load.end())
  const after = await used()
  const memory = await memoryOf([server.pid])
  for (const load of loads) await load.stop()
  if (sent.some(({ call }) => call(0).method === 'POST')) await target.removeCreated?.()
  const [own, others] = reports
  if (own === undefined || own.latencies.length === 0)
    throw new Error(`${server.name} answered nothing within ${seconds} seconds`)
  const all = reports.reduce((sum, { latencies }) => sum + latencies.length, 0)
  const [serverMs = null, engineMs = null] = after.map((ms, at) => ms && ms - (before[at] ?? 0))
  return {
    'req/s': own.perSecond,
    'p50 ms': percentile(own.latencies, 0.5),
    'p99 ms': percentile(own.latencies, 0.99),
    'CPU ms': serverMs && (serverMs + (engineMs ?? 0)) / all,
    MB: memory && memory / 1024 ** 2,
    'server CPU': serverMs && serverMs / all,
    refused: reports.reduce((sum, { refused }) => sum + refused, 0),
    ...(others === undefined ? {} : { 'heavy/s': others.perSecond }),
  }
}
