import { writeFile } from 'node:fs/promises'
import { startServer } from './child/start-server.js'
import type { Closers } from './closers.js'
import { startLoad } from './load.js'
import { measure } from './measure.js'
import type { BenchOptions } from './options.js'
import { relativeDifference, type Interval } from './relative-difference.js'
import { connections, rotated } from './run-rounds.js'
import type { Scenario } from './scenarios.js'
import { makeScenarios } from './scenarios.js'
import type { Contender, Ground } from './servers.js'
import { authorization, serverOptions } from './servers.js'
import { openStage } from './stage.js'
import { formatNumber, formatTable } from './table.js'

/** What a Quire is started with that measures more of itself than the one before. */
export const telemetries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nothing: { LOG_SLOW_REQUEST_MS: '0' },
  'log of slow requests (default)': {},
  metrics: { METRICS_ENABLED: 'true' },
}

const [nothing = ''] = Object.keys(telemetries)

/** The cheapest requests, of which telemetry is the largest share. */
const byDefault: ReadonlySet<string> = new Set(['one', 'list'])

/** As often as Prometheus asks by default, where a block is a second. */
const blocksBetweenScrapes = 15

type Block = Readonly<{ requests: number; cpuMs: number }>

/** What one way of telemetry costs in a scenario, beside none. */
export type TelemetryCost = Readonly<{
  scenario: string
  telemetry: string
  requests: number
  /** Milliseconds of CPU of the service, all threads together. */
  cpuPerRequest: number
  /** By how much more than without, with its 95 % confidence interval; null for none itself. */
  more: Interval | null
}>

/**
 * `npm run bench -- telemetry`: CPU of the service for each request with and without what it measures of itself, in
 * blocks that alternate between services over one database. Whoever tells metrics is asked for them in every fifteenth.
 */
export async function runTelemetry(
  options: BenchOptions,
  closers: Closers,
  { print, onProgress }: Readonly<Record<'print' | 'onProgress', (text: string) => void>>,
): Promise<readonly TelemetryCost[]> {
  onProgress(`loading ${options.size} articles`)
  const stage = await openStage(options, closers)
  const contenders: Contender[] = []
  for (const name of Object.keys(telemetries)) contenders.push(await start(name, stage, closers))
  const isAll = options.only.size > byDefault.size
  const scenarios = makeScenarios(options.size).filter(
    ({ name, creates }) =>
      creates !== true && options.only.has(name) && (!isAll || byDefault.has(name)),
  )
  const costs: TelemetryCost[] = []
  for (const scenario of scenarios) {
    const blocks = new Map(contenders.map(({ server }) => [server.name, [] as Block[]]))
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round += 1)
      for (const contender of rotated(contenders, round)) {
        const { name } = contender.server
        onProgress(`${scenario.title}, round ${round} of ${options.rounds}, ${name}`)
        const block = await runBlock(contender, scenario, options, { ...stage, round })
        if (round > 0) blocks.get(name)?.push(block)
      }
    for (const [telemetry, own] of blocks)
      costs.push(costOf(scenario, telemetry, own, blocks.get(nothing) ?? []))
  }
  print(report(costs))
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify(costs, null, 2)}\n`)
  return costs
}

async function start(name: string, ground: Ground, closers: Closers): Promise<Contender> {
  const options = serverOptions('Quire', ground)
  const server = await startServer({
    ...{ ...options, name },
    environment: { ...options.environment, ...telemetries[name] },
  })
  closers.add(() => server.stop())
  return { server, headers: authorization(ground.token), callOf: ({ quire }) => quire }
}

async function runBlock(
  { server, headers, callOf }: Contender,
  scenario: Scenario,
  { seconds }: BenchOptions,
  { enginePid, round }: Readonly<{ enginePid: number; round: number }>,
): Promise<Block> {
  const load = { url: server.url, connections, headers, call: callOf(scenario) }
  const scrape = (): void =>
    void fetch(`${server.url}/metrics`)
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined)
  const { figures, reports } = await measure({ server, enginePid, seconds }, () => {
    // In the middle of what is measured.
    if (round % blocksBetweenScrapes === 0) setTimeout(scrape, seconds * 850)
    return [startLoad({ ...load, from: round * 1_000_003 })]
  })
  const requests = reports.reduce((sum, report) => sum + report.requests, 0)
  return { requests, cpuMs: figures.serverCpu * requests }
}

function costOf(
  { title }: Scenario,
  telemetry: string,
  own: readonly Block[],
  without: readonly Block[],
): TelemetryCost {
  const each = (blocks: readonly Block[]) => blocks.map(({ cpuMs, requests }) => cpuMs / requests)
  const sum = (of: (block: Block) => number) => own.reduce((all, block) => all + of(block), 0)
  return {
    ...{ scenario: title, telemetry, requests: sum(({ requests }) => requests) },
    cpuPerRequest: sum(({ cpuMs }) => cpuMs) / sum(({ requests }) => requests),
    more: telemetry === nothing ? null : relativeDifference(each(own), each(without)),
  }
}

function report(costs: readonly TelemetryCost[]): string {
  const percent = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`
  const rows = costs.map(({ scenario, telemetry, requests, cpuPerRequest, more }) => [
    ...[scenario, telemetry, formatNumber(requests), `${cpuPerRequest.toFixed(3)} ms`],
    more === null
      ? ''
      : `${percent(more.mean)} (95 %: ${percent(more.low)} to ${percent(more.high)})`,
  ])
  const head = ['scenario', 'measures', 'requests', 'CPU/request', 'more than nothing']
  return formatTable(head, rows)
}
