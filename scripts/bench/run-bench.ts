import { cpus, totalmem } from 'node:os'
import { writeFile } from 'node:fs/promises'
import { checkAnswers } from './check-answers.js'
import type { Closers } from './closers.js'
import { removeCreated } from './data/load-data.js'
import type { BenchOptions } from './options.js'
import { figuresAsJson, reportFigures, reportMix, reportRatios, reportStart } from './report.js'
import { runMix } from './run-mix.js'
import type { Rounds, RoundsOptions } from './run-rounds.js'
import { runRounds } from './run-rounds.js'
import type { StartFigures } from './run-start.js'
import { runStart } from './run-start.js'
import type { Scenario } from './scenarios.js'
import { makeScenarios } from './scenarios.js'
import type { Contender } from './servers.js'
import { serverNames, startContender, withoutPool } from './servers.js'
import { openStage } from './stage.js'

type Output = Readonly<{
  print: (text: string) => void
  onProgress: (what: string) => void
}>

type Measured = Readonly<{
  rounds: Rounds
  mix: Awaited<ReturnType<typeof runMix>> | null
  starts: ReadonlyMap<string, StartFigures>
}>

/** The whole benchmark: data, servers, comparison of their answers, rounds, tables. */
export async function runBench(
  options: BenchOptions,
  closers: Closers,
  { print, onProgress }: Output,
): Promise<Measured> {
  const began = performance.now()
  onProgress(`loading ${options.size} articles`)
  const stage = await openStage(options, closers)
  const all = makeScenarios(options.size)
  const scenarios = all.filter(({ name }) => options.only.has(name))
  const contenders: Contender[] = []
  for (const name of serverNames) {
    contenders.push(await startContender(name, stage, closers, options.profile))
  }
  onProgress('comparing the answers')
  await checkAnswers(all, contenders)
  await removeCreated(stage.db, options.size)

  const run: RoundsOptions = { options, scenarios, contenders, onProgress, ...stage }
  const rounds = await runRounds(run)
  const mix = options.only.has('mix') ? await measureMix(run, all, stage, closers) : null
  await Promise.all(contenders.map(({ server }) => server.stop()))
  const starts = options.only.has('start') ? await runStart(stage, onProgress) : new Map()
  const measured: Measured = { rounds, mix, starts }
  print(describe(measured, scenarios))
  const seconds = (performance.now() - began) / 1000
  print(
    `\n${machine()}; ${database(options)}; ${options.size} articles, ${options.rounds} rounds of ${options.seconds} s`,
  )
  print(`The answers of the three servers were alike. It took ${seconds.toFixed(0)} seconds.`)
  if (options.json !== undefined) await writeFile(options.json, toJson(options, measured))
  return measured
}

async function measureMix(
  run: RoundsOptions,
  scenarios: readonly Scenario[],
  stage: Parameters<typeof startContender>[1],
  closers: Closers,
): Promise<Measured['mix']> {
  const named = (name: string): Scenario => {
    const found = scenarios.find((scenario) => scenario.name === name)
    if (found === undefined) throw new Error(`There is no scenario ${name}`)
    return found
  }
  const single = await startContender(withoutPool, stage, closers)
  const contenders = [...run.contenders, single]
  try {
    return await runMix({ ...run, contenders }, named('deep100'), named('one'))
  } finally {
    await single.server.stop()
  }
}

function describe({ rounds, mix, starts }: Measured, scenarios: readonly Scenario[]): string {
  const titles = new Map<string, string>(scenarios.map(({ name, title }) => [name, title]))
  return [
    ...(rounds.size === 0 ? [] : [reportFigures(rounds, titles), reportRatios(rounds, titles)]),
    ...(mix === null ? [] : [reportMix(mix.rounds, mix.heavyPerSecond)]),
    ...(starts.size === 0 ? [] : [reportStart(starts)]),
  ].join('\n\n')
}

function toJson(options: BenchOptions, { rounds, mix, starts }: Measured): string {
  const { size, seconds, rounds: count } = options
  const value = {
    ...{
      machine: machine(),
      database: database(options),
      node: process.version,
      size,
      seconds,
      rounds: count,
    },
    scenarios: figuresAsJson(rounds),
    mix:
      mix === null
        ? null
        : {
            single: figuresAsJson(mix.rounds),
            heavyPerSecond: Object.fromEntries(mix.heavyPerSecond),
          },
    start: Object.fromEntries(starts),
  }
  return `${JSON.stringify(value, null, 2)}\n`
}

const database = ({ mongod }: BenchOptions): string =>
  mongod === undefined ? 'embedded engine' : 'MongoDB, a replica set of one'

function machine(): string {
  const [cpu] = cpus()
  const gigabytes = Math.round(totalmem() / 1024 ** 3)
  return `${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${gigabytes} GB, Node ${process.version}`
}
