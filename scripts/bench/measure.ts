import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../statistics.js'
import type { Contender } from './contenders.js'
import type { BenchSetup } from './bench-setup.js'
import { startLoad, type Sent } from './load.js'
import { cpuOf, memoryOf } from '../process-table.js'
import type { Way } from './run-rows.js'

/** A measurement continues until it has this number of responses, but for at most `waitMs` ms. */
const enough = 32
const waitMs = 5000

/** Measures a server under several concurrent loads after a warm-up. Reports latencies only for the first load. */
export const wayOf = (
  name: string,
  server: Contender,
  { enginePid = 0, seconds }: Pick<BenchSetup, 'enginePid' | 'seconds'>,
  ...sent: readonly Sent[]
): Way => ({
  name,
  measure: async (round) => {
    // In a round, all servers get the same requests. Different rounds have different requests.
    const loads = sent.map((one) => startLoad(server, one, round * 1_000_003))
    const takeAll = async () => {
      const cpu = [await cpuOf(server.pid), await cpuOf(enginePid)] as const
      return { cpu, reports: loads.map((load) => load.take()) }
    }
    try {
      await sleep(Math.min(500, seconds * 350))
      const { cpu: before } = await takeAll()
      await sleep(seconds * 1000)
      // With many connections, slow responses arrive in waves, and half a wave is not representative.
      await loads[0]?.waitFor(enough, waitMs)
      const { cpu: after, reports } = await takeAll()
      const [own, others] = reports
      if (own === undefined || own.latencies.length === 0)
        throw new Error(`${server.name} answered nothing within ${seconds} seconds`)
      const all = reports.reduce((sum, { latencies }) => sum + latencies.length, 0)
      const serverMs = after[0] - before[0]
      return {
        'req/s': own.perSecond,
        'p50 ms': percentile(own.latencies, 0.5),
        'p99 ms': percentile(own.latencies, 0.99),
        'CPU ms': (serverMs + after[1] - before[1]) / all,
        MB: (await memoryOf([server.pid])) / 1024 ** 2,
        'server CPU': serverMs / all,
        refused: reports.reduce((sum, { refused }) => sum + refused, 0),
        ...(others && { 'heavy/s': others.perSecond }),
      }
    } finally {
      await Promise.all(loads.map((load) => load.stop()))
      if (sent.some(({ call }) => call(0).method === 'POST')) await server.removeCreated()
    }
  },
})
