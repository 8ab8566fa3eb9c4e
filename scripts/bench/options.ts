import { parseArgs } from 'node:util'
import type { ScenarioName } from './scenario-names.js'
import { scenarioNames } from './scenario-names.js'

const commands = ['bench', 'lanes', 'growth', 'telemetry'] as const
type Command = (typeof commands)[number]

export type BenchOptions = Readonly<{
  /**
   * `bench` measures the scenarios, `lanes` where the pool begins to pay, `growth` ten times as many articles,
   * `telemetry` what it costs that the service measures itself.
   */
  command: Command
  /** Articles that are loaded. */
  size: number
  /** Length of one measurement. */
  seconds: number
  /** How often every scenario is measured on every server. */
  rounds: number
  only: ReadonlySet<ScenarioName>
  /** As `database.mongod`: a MongoDB to measure on; absent: the embedded engine. */
  mongod: string | undefined
  /** Where the figures go, beside what is printed. */
  json: string | undefined
  /** Folder of CPU profiles of Quire's process. */
  profile: string | undefined
}>

export const usage = `npm run bench -- [options]          requests per second beside two floors
npm run bench -- lanes [options]    latency on the main thread and in the pool
npm run bench -- growth [options]   indexed queries on ten times as many articles
npm run bench -- telemetry [options] CPU of a request with and without logs of slow requests, and metrics

  --size N        articles; default 10000
  --seconds S     length of one measurement; default 1
  --rounds N      measurements of each scenario; default 3
  --only a,b      ${scenarioNames.join(', ')}
  --mongod PATH   on this mongod, a replica set of one, or auto for the one on the path; default: the embedded engine
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
      mongod: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  const [asked = 'bench', ...more] = positionals
  const command = commands.find((name) => name === asked)
  if (command === undefined || more.length > 0) {
    throw new Error(
      `There is no ${positionals.join(' ')}; without a name, lanes, growth or telemetry`,
    )
  }
  return {
    command,
    size: number('--size', values.size, { least: 50, whole: true }),
    seconds: number('--seconds', values.seconds, { least: 0.05 }),
    rounds: number('--rounds', values.rounds, { least: 1, whole: true }),
    only: namesOf(values.only),
    mongod: values.mongod,
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
