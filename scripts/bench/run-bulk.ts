import { writeFile } from 'node:fs/promises'
import type { Closers } from './closers.js'
import { removeCreated } from './data/load-data.js'
import { median } from './figures.js'
import { startLoad } from './load.js'
import { measure } from './measure.js'
import type { BenchOptions } from './options.js'
import { connections, rotated } from './run-rounds.js'
import type { Call, Scenario } from './scenarios.js'
import { makeScenarios } from './scenarios.js'
import { startContender } from './servers.js'
import { openStage } from './stage.js'
import { formatNumber, formatTable } from './table.js'

/** Writes of one request. */
const perRequest = 200

type Way = Readonly<{
  name: string
  connections: number
  writes: number
  call: (n: number) => Call
}>

/** Writes a second, and milliseconds of CPU of service and engine for one; medians of the rounds. */
type Speed = Readonly<{ perSecond: number; cpuMs: number }>

export type BulkSpeed = Readonly<{
  scenario: string
  ways: Readonly<Record<string, Speed>>
  /** Of the last way to each of the others, the median of the rounds' ratios. */
  ratios: Readonly<Record<string, number>>
}>

/** `npm run bench -- bulk`: creates and updates one by one, over one connection and over many, and in bulk. */
export async function runBulk(
  options: BenchOptions,
  closers: Closers,
  { print, onProgress }: Readonly<Record<'print' | 'onProgress', (text: string) => void>>,
): Promise<readonly BulkSpeed[]> {
  onProgress(`loading ${options.size} articles`)
  const stage = await openStage(options, closers)
  const { server, headers } = await startContender('Quire', stage, closers, options.profile)
  const writing = makeScenarios(options.size).filter(({ name }) => isWrite(name))
  const speeds: BulkSpeed[] = []
  let from = 0
  for (const scenario of writing) {
    const ways = waysOf(scenario)
    const found = new Map(ways.map(({ name }) => [name, [] as Speed[]]))
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round += 1)
      for (const { name, connections, writes, call } of rotated(ways, round)) {
        onProgress(`${scenario.title}, round ${round} of ${options.rounds}, ${name}`)
        from += 1_000_003
        const load = { url: server.url, connections, headers, call, from }
        const window = { server, enginePid: stage.enginePid, seconds: options.seconds }
        const { figures } = await measure(window, () => [startLoad(load)])
        const { requestsPerSecond, cpu, serverCpu } = figures
        const speed = {
          perSecond: requestsPerSecond * writes,
          cpuMs: (cpu ?? serverCpu) / writes,
        }
        if (round > 0) found.get(name)?.push(speed)
        if (scenario.creates === true) await removeCreated(stage.db, options.size)
      }
    speeds.push(summary(scenario.title, found))
  }
  print(report(speeds))
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify(speeds, null, 2)}\n`)
  return speeds
}

const isWrite = (name: Scenario['name']): boolean => name === 'create' || name === 'update'

function waysOf({ quire }: Scenario): readonly Way[] {
  return [
    { name: 'one connection', connections: 1, writes: 1, call: quire },
    { name: `${connections} connections`, connections, writes: 1, call: quire },
    { name: 'bulk', connections: 2, writes: perRequest, call: (n) => bulkOf(quire, n) },
  ]
}

/** Requests as one: `/api/articles/x3k` with its body as an operation. */
function bulkOf(call: (n: number) => Call, n: number): Call {
  const operations = Array.from({ length: perRequest }, (_, at) => {
    const { method, path, body = '{}' } = call(n * perRequest + at)
    const documentId = path.split('/')[3]
    const op = method === 'POST' ? { op: 'create' } : { op: 'update', documentId }
    return { ...op, ...(JSON.parse(body) as object) }
  })
  return { method: 'POST', path: '/api/articles/bulk', body: JSON.stringify({ operations }) }
}

function summary(scenario: string, found: ReadonlyMap<string, readonly Speed[]>): BulkSpeed {
  const ways = [...found]
  const [, bulk = []] = ways.at(-1) ?? []
  const medianOf = (speeds: readonly Speed[], figure: keyof Speed): number =>
    median(speeds.map((speed) => speed[figure]))
  return {
    scenario,
    ways: Object.fromEntries(
      ways.map(([name, speeds]) => [
        name,
        { perSecond: medianOf(speeds, 'perSecond'), cpuMs: medianOf(speeds, 'cpuMs') },
      ]),
    ),
    ratios: Object.fromEntries(
      ways
        .slice(0, -1)
        .map(([name, speeds]) => [
          name,
          median(speeds.map(({ perSecond }, at) => (bulk[at]?.perSecond ?? NaN) / perSecond)),
        ]),
    ),
  }
}

function report(speeds: readonly BulkSpeed[]): string {
  const rows = speeds.flatMap(({ scenario, ways, ratios }) =>
    Object.entries(ways).map(([name, { perSecond, cpuMs }]) => [
      ...[scenario, name, formatNumber(perSecond), cpuMs.toFixed(2)],
      ratios[name]?.toFixed(1) ?? '',
    ]),
  )
  return formatTable(['scenario', 'way', 'writes/s', 'CPU ms', 'bulk is × as many'], rows)
}
