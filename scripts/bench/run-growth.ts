import { writeFile } from 'node:fs/promises'
import type { Db } from 'mongodb'
import type { Closers } from './closers.js'
import type { Figures } from './figures.js'
import { mediansOf, ratioOf } from './figures.js'
import { startLoad } from './load.js'
import { measure } from './measure.js'
import type { BenchOptions } from './options.js'
import { connections, rotated } from './run-rounds.js'
import type { Call, Scenario } from './scenarios.js'
import { makeScenarios } from './scenarios.js'
import type { Contender, ServerName } from './servers.js'
import { reportLone, runLoneRequests } from './run-lone-requests.js'
import { startContender } from './servers.js'
import { openStage } from './stage.js'
import { formatNumber, formatTable } from './table.js'

const names: readonly ServerName[] = ['Quire', 'Express floor']

type Ground = Readonly<{
  size: number
  db: Db
  enginePid: number
  scenarios: readonly Scenario[]
  contenders: readonly Contender[]
}>

/** A scenario on one server: the figures of each round, with few articles and with ten times as many. */
type Growth = Readonly<{ title: string; server: string; few: Figures[]; many: Figures[] }>

/**
 * `npm run bench -- growth`: queries that an index answers, without their totals, on `--size` articles
 * and on ten (`--times`) times as many, each with an engine of its own, in turns; then one request at a time of each
 * kind whose time should not depend on that, with totals and deletes.
 */
export async function runGrowth(
  options: BenchOptions,
  closers: Closers,
  { print, onProgress }: Readonly<Record<'print' | 'onProgress', (text: string) => void>>,
): Promise<readonly Growth[]> {
  const grounds: Ground[] = []
  for (const size of [options.size, options.size * options.times]) {
    onProgress(`loading ${size} articles`)
    const stage = await openStage({ ...options, size }, closers)
    const contenders: Contender[] = []
    // An index that comes meanwhile would be another measurement.
    const ground = { ...stage, environment: { ...stage.environment, INDEXES_AUTO: 'off' } }
    for (const name of names) contenders.push(await startContender(name, ground, closers))
    const scenarios = makeScenarios(size).filter(
      ({ name }) => indexed.has(name) && options.only.has(name),
    )
    const { db, enginePid } = stage
    grounds.push({ size, db, enginePid, scenarios, contenders })
  }
  const growths = await measureRounds(grounds, options, onProgress)
  const { size, times } = options
  print(report(growths, [size, size * times]))
  const lone = await runLoneRequests(
    grounds.flatMap(({ size, db, contenders: [contender] }) =>
      contender === undefined ? [] : [{ size, db, contender }],
    ),
    onProgress,
  )
  print(reportLone(lone, [size, size * times]))
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ size, times, growths, lone }, null, 2)}\n`)
  }
  return growths
}

/** Those whose work an index bounds: of what they find they read one page. */
const indexed: ReadonlySet<string> = new Set([
  ...['one', 'list', 'filter', 'populate', 'deep25', 'deep100', 'star'],
])

async function measureRounds(
  grounds: readonly Ground[],
  { rounds, seconds }: BenchOptions,
  onProgress: (text: string) => void,
): Promise<readonly Growth[]> {
  const growths = new Map<string, Growth>()
  for (let round = 0; round < rounds; round += 1) {
    for (const scenario of grounds[0]?.scenarios ?? []) {
      for (const [place, name] of names.entries()) {
        // The floor has no such query without its total, and counting grows with what is found.
        if (scenario.name === 'filter' && name !== 'Quire') continue
        const key = `${scenario.name} ${name}`
        const growth = growths.get(key) ?? newGrowth(scenario, name)
        growths.set(key, growth)
        for (const ground of rotated(grounds, round)) {
          onProgress(`round ${round + 1}, ${scenario.title}, ${name}, ${ground.size}`)
          const into = ground === grounds[0] ? growth.few : growth.many
          into.push(await measureOn(ground, scenario.name, place, round, seconds))
        }
      }
    }
  }
  return [...growths.values()]
}

const newGrowth = ({ title }: Scenario, server: string): Growth => ({
  title: title.replace(/ with total|, total$/, ''),
  server,
  few: [],
  many: [],
})

async function measureOn(
  { scenarios, contenders, enginePid }: Ground,
  name: string,
  place: number,
  round: number,
  seconds: number,
): Promise<Figures> {
  const scenario = scenarios.find((it) => it.name === name)
  const contender = contenders[place]
  if (scenario === undefined || contender === undefined) throw new Error(`There is no ${name}`)
  const { server, headers, callOf } = contender
  const call = withoutTotal(callOf(scenario))
  const load = { url: server.url, connections, headers, call }
  const { figures } = await measure({ server, enginePid, seconds }, () => [
    startLoad({ ...load, from: round * 1_000_003 }),
  ])
  return figures
}

function withoutTotal(callOf: (n: number) => Call): (n: number) => Call {
  return (n) => {
    const call = callOf(n)
    const isCounted = /\/api\/[^?]*\?(?!.*withCount)/.test(call.path)
    return isCounted ? { ...call, path: `${call.path}&pagination[withCount]=false` } : call
  }
}

function report(growths: readonly Growth[], sizes: readonly number[]): string {
  const rows = growths.map(({ title, server, few, many }) => [
    title,
    server,
    formatNumber(mediansOf(few).requestsPerSecond),
    formatNumber(mediansOf(many).requestsPerSecond),
    formatNumber(ratioOf('requestsPerSecond', many, few)),
    formatNumber(ratioOf('cpu', many, few)),
  ])
  const head = [`${sizes.join(' → ')} articles`, 'server', 'req/s', 'req/s', 'ratio', 'CPU']
  return formatTable(head, rows)
}
