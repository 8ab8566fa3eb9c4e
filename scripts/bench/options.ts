import { parseArgs } from 'node:util'
import type { ScenarioName } from './scenario-names.js'
import { scenarioNames } from './scenario-names.js'

const commands = ['bench', 'lanes', 'growth', 'telemetry', 'answers', 'indexes', 'bulk'] as const
type Command = (typeof commands)[number]

export type BenchOptions = Readonly<{
  /**
   * `bench` measures the scenarios, `lanes` where the pool begins to pay, `growth` ten times as many articles,
   * `telemetry` what it costs that the service measures itself, `answers` the memory of answers,
   * `indexes` those that Quire makes by itself, `bulk` writes one by one and many in a request.
   */
  command: Command
  /** Articles that are loaded. */
  size: number
  /** Length of one measurement. */
  seconds: number
  /** How often every scenario is measured on every server. */
  rounds: number
  only: ReadonlySet<ScenarioName>
  /** Of `telemetry`: processes that are measured one after the other. */
  starts: number
  /** Of `growth`: how many times as many articles there are then. */
  times: number
  /** As `database.cacheSize`, in bytes; absent: what the database takes. */
  cacheSize: number | undefined
  /** As `database.mongod`: a MongoDB to measure on; absent: the embedded engine. */
  mongod: string | undefined
  /** Folder in which loaded articles stay for the next run with as many; absent: one that goes. */
  data: string | undefined
  /** Where the figures go, beside what is printed. */
  json: string | undefined
  /** Folder of CPU profiles of Quire's process. */
  profile: string | undefined
}>

export const usage = `npm run bench -- [options]          requests per second beside two floors
npm run bench -- lanes [options]    latency on the main thread and in the pool
npm run bench -- growth [options]   indexed queries on ten times as many articles
npm run bench -- telemetry [options] CPU of a request with and without logs of slow requests, metrics, traces
npm run bench -- answers [options]  answers that did not change, beside the same bytes out of the memory of Express
npm run bench -- bulk [options]     creates and updates one by one, and many in a request
npm run bench -- indexes [options]  ten queries without indexes, with those that Quire makes, and with those made by hand

  --size N        articles; default 10000
  --seconds S     length of one measurement; default 1
  --rounds N      measurements of each scenario; default 3
  --only a,b      ${scenarioNames.join(', ')}
  --starts N      of telemetry: processes, each with its services in another order; default 4
  --times N       of growth: how many times as many articles; default 10
  --cache MB      of the database's memory for content
  --mongod PATH   on this mongod, a replica set of one, or auto for the one on the path; default: the embedded engine
  --data DIR      keeps what is loaded there, for later runs
  --json FILE     writes the figures
  --profile DIR   writes CPU profiles of Quire`

/** Throws one line that names what cannot be used. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      size: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string' },
      starts: { type: 'string', default: '4' },
      times: { type: 'string', default: '10' },
      cache: { type: 'string' },
      mongod: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  const [asked = 'bench', ...more] = positionals
  const command = commands.find((name) => name === asked)
  if (command === undefined || more.length > 0) {
    throw new Error(
      `There is no ${positionals.join(' ')}; without a name, lanes, growth, telemetry, answers, indexes or bulk`,
    )
  }
  return {
    command,
    size: number('--size', values.size, { least: 50, whole: true }),
    seconds: number('--seconds', values.seconds, { least: 0.05 }),
    rounds: number('--rounds', values.rounds, { least: 1, whole: true }),
    only: namesOf(values.only),
    starts: number('--starts', values.starts, { least: 2, whole: true }),
    times: number('--times', values.times, { least: 2, whole: true }),
    cacheSize:
      values.cache === undefined
        ? undefined
        : number('--cache', values.cache, { least: 1 }) * 1024 * 1024,
    mongod: values.mongod,
    data: values.data,
    json: values.json,
    profile: values.profile,
  }
}

function number(
  name: string,
  text: string,
  { least, whole = false }: Readonly<{ least: number; whole?: boolean }>,
): number {
  const value = Number(text)
  if (value >= least && (!whole || Number.isInteger(value))) return value
  throw new Error(`${name} must be a ${whole ? 'whole ' : ''}number from ${least}, not "${text}"`)
}

function namesOf(text: string | undefined): ReadonlySet<ScenarioName> {
  if (text === undefined) return new Set(scenarioNames)
  return new Set(text.split(',').map(nameOf))
}

function nameOf(text: string): ScenarioName {
  const name = scenarioNames.find((known) => known === text.trim())
  if (name !== undefined) return name
  throw new Error(`--only does not know "${text}"; it knows ${scenarioNames.join(', ')}`)
}
