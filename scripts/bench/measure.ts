import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from './child/start-server.js'
import type { Figures } from './figures.js'
import { percentile } from './figures.js'
import type { Load, LoadReport } from './load.js'
import { cpuOf, memoryOf } from './process-table.js'

export type Window = Readonly<{
  server: Server
  enginePid: number
  seconds: number
}>

const megabyte = 1024 * 1024

/** Answers that a measurement waits for beyond its time, and how long. */
const enough = 32
const patienceMs = 5000

/** Lets loads run for a while, then measures them for `seconds`; the first one's latencies are told. */
export async function measure(
  { server, enginePid, seconds }: Window,
  start: () => readonly [Load, ...Load[]],
): Promise<Readonly<{ figures: Figures; reports: readonly LoadReport[] }>> {
  const loads = start()
  await sleep(Math.min(500, seconds * 350))
  const engineBefore = await cpuOf(enginePid)
  server.begin()
  for (const load of loads) load.begin()
  await sleep(seconds * 1000)
  // Slow answers to many connections come in waves; half a wave says nothing.
  const until = performance.now() + patienceMs
  while (loads[0].answered() < enough && performance.now() < until) await sleep(50)
  const reports = loads.map((load) => load.end())
  const [{ cpuMs, delayP99Ms }, engineAfter] = await Promise.all([server.end(), cpuOf(enginePid)])
  const memory = await memoryOf([server.pid])
  for (const load of loads) await load.stop()
  const [first] = reports
  if (first === undefined || first.requests === 0) {
    throw new Error(`${server.name} answered nothing within ${seconds} seconds`)
  }
  const all = reports.reduce((sum, { requests }) => sum + requests, 0)
  const engineMs = engineBefore === null || engineAfter === null ? null : engineAfter - engineBefore
  const engineCpu = engineMs === null ? null : engineMs / all
  const figures: Figures = {
    requestsPerSecond: first.requests / first.seconds,
    p50: percentile(first.latencies, 0.5),
    p99: percentile(first.latencies, 0.99),
    serverCpu: cpuMs / all,
    engineCpu,
    cpu: engineCpu === null ? null : cpuMs / all + engineCpu,
    memory: memory === null ? null : memory / megabyte,
    delayP99: delayP99Ms,
  }
  return { figures, reports }
}
