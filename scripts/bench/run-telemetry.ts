import { writeFile } from 'node:fs/promises'
import { throwDice } from './data/random.js'
import { startServer } from './child/start-server.js'
import { createClosers, type Closers } from './closers.js'
import { startLoad } from './load.js'
import { measure } from './measure.js'
import type { BenchOptions } from './options.js'
import { inPackage } from './package-root.js'
import { relativeDifference, type Interval } from './relative-difference.js'
import { connections } from './run-rounds.js'
import type { Scenario } from './scenarios.js'
import { makeScenarios } from './scenarios.js'
import type { Contender, Ground } from './servers.js'
import { authorization, serverOptions } from './servers.js'
import { openStage } from './stage.js'
import { formatNumber, formatTable } from './table.js'
import { telemetries, telemetryHeader } from './telemetries.js'

const [nothing, byDefault] = telemetries

/** The cheapest requests, of which telemetry is the largest share. */
const cheapest: ReadonlySet<string> = new Set(['one', 'list'])

type Block = { requests: number; cpuMs: number }

/** What each of `telemetries` took in one process. */
type Seen = ReadonlyMap<string, Block>

type StartParts = Readonly<{
  stage: Ground & Readonly<{ enginePid: number }>
  start: number
  onProgress: (text: string) => void
}>

/** What one way of telemetry costs in a scenario, beside none. */
export type TelemetryCost = Readonly<{
  scenario: string
  telemetry: string
  requests: number
  /** Milliseconds of CPU of the service, all threads together. */
  cpuPerRequest: number
  /** By how much more than with none, with its 95 % confidence interval; null for none itself. */
  more: Interval | null
  /** The same, than what a service does that is told nothing about it. */
  moreThanDefault: Interval | null
}>

/**
 * `npm run bench -- telemetry`: CPU of the service for each request with and without what it measures of itself, in
 * blocks that alternate, of one service whose requests say what is measured of them. Several processes are measured;
 * each is one value of the interval.
 */
export async function runTelemetry(
  options: BenchOptions,
  closers: Closers,
  { print, onProgress }: Readonly<Record<'print' | 'onProgress', (text: string) => void>>,
): Promise<readonly TelemetryCost[]> {
  onProgress(`loading ${options.size} articles`)
  const stage = await openStage(options, closers)
  const isAll = options.only.size > cheapest.size
  const scenarios = makeScenarios(options.size).filter(
    ({ name, creates }) =>
      creates !== true && options.only.has(name) && (!isAll || cheapest.has(name)),
  )
  const seen = new Map(scenarios.map((scenario) => [scenario, [] as Seen[]]))
  for (let start = 0; start < options.starts; start += 1) {
    const own = createClosers()
    try {
      const contenders = await startAll(stage, own)
      for (const [scenario, starts] of seen)
        starts.push(
          await runStart(contenders, scenario, options, {
            ...{ stage, start },
            onProgress: (text) => onProgress(`${scenario.title}, start ${start + 1}, ${text}`),
          }),
        )
    } finally {
      await own.closeAll()
    }
  }
  const costs = [...seen].flatMap(([{ title }, starts]) =>
    telemetries.map((telemetry) => costOf(title, telemetry, starts)),
  )
  print(report(costs))
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify(costs, null, 2)}\n`)
  return costs
}

/** One process, in one scenario. */
async function runStart(
  contenders: readonly Contender[],
  scenario: Scenario,
  options: BenchOptions,
  { stage, start, onProgress }: StartParts,
): Promise<Seen> {
  const seen = new Map(contenders.map(({ server }) => [server.name, { requests: 0, cpuMs: 0 }]))
  // The first round warms up.
  for (let round = 0; round <= options.rounds; round += 1)
    for (const contender of inSomeOrder(contenders, start * 1000 + round)) {
      const { name } = contender.server
      onProgress(`round ${round} of ${options.rounds}, ${name}`)
      const block = await runBlock(contender, scenario, options, { ...stage, round })
      const sum = seen.get(name)
      if (round === 0 || sum === undefined) continue
      sum.requests += block.requests
      sum.cpuMs += block.cpuMs
    }
  return seen
}

/** A contender for each of `telemetries`, all of them the same service. */
async function startAll(ground: Ground, closers: Closers): Promise<readonly Contender[]> {
  const options = serverOptions('Quire', ground)
  const server = await startServer({
    ...options,
    command: [...options.command.slice(0, -1), inPackage(service)],
  })
  closers.add(() => server.stop())
  return telemetries.map((name) => ({
    server: { ...server, name },
    headers: { ...authorization(ground.token), [telemetryHeader]: name },
    callOf: ({ quire }) => quire,
  }))
}

/** In a row that turns, one would always come after the same other, and pay for what that left to be collected. */
const inSomeOrder = <T>(list: readonly T[], round: number): readonly T[] =>
  throwDice(round)
    .distinct(list.length, list.length)
    .map((index) => list[index] as T)

const service = 'dist/scripts/bench/child/telemetry-service.js'

async function runBlock(
  { server, headers, callOf }: Contender,
  scenario: Scenario,
  { seconds }: BenchOptions,
  { enginePid, round }: Readonly<{ enginePid: number; round: number }>,
): Promise<Block> {
  const load = { url: server.url, connections, headers, call: callOf(scenario) }
  const { figures, reports } = await measure({ server, enginePid, seconds }, () => [
    startLoad({ ...load, from: round * 1_000_003 }),
  ])
  const requests = reports.reduce((sum, report) => sum + report.requests, 0)
  return { requests, cpuMs: figures.serverCpu * requests }
}

function costOf(scenario: string, telemetry: string, starts: readonly Seen[]): TelemetryCost {
  const each = (name: string) => starts.map((seen) => perRequest(blockOf(seen, name)))
  const own = starts.map((seen) => blockOf(seen, telemetry))
  const sum = (of: (block: Block) => number) => own.reduce((all, block) => all + of(block), 0)
  const requests = sum((block) => block.requests)
  const moreThan = (other: string): Interval | null =>
    telemetry === other ? null : relativeDifference(each(telemetry), each(other))
  return {
    ...{ scenario, telemetry, requests, cpuPerRequest: sum(({ cpuMs }) => cpuMs) / requests },
    more: moreThan(nothing),
    moreThanDefault: moreThan(byDefault),
  }
}

const blockOf = (seen: Seen, name: string): Block => seen.get(name) ?? { requests: 0, cpuMs: NaN }

const perRequest = ({ cpuMs, requests }: Block): number => cpuMs / requests

function report(costs: readonly TelemetryCost[]): string {
  const percent = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`
  const told = (more: Interval | null): string =>
    more === null ? '' : `${percent(more.mean)} (${percent(more.low)} to ${percent(more.high)})`
  const rows = costs.map(({ scenario, telemetry, requests, cpuPerRequest, ...than }) => [
    ...[scenario, telemetry, formatNumber(requests), `${cpuPerRequest.toFixed(3)} ms`],
    ...[told(than.more), told(than.moreThanDefault)],
  ])
  const head = [
    ...['scenario', 'measures', 'requests', 'CPU/request'],
    ...['than nothing (95 %)', 'than the default (95 %)'],
  ]
  return formatTable(head, rows)
}
