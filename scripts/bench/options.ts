import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Argument, InvalidArgumentError } from 'commander'
import { createCommand, number } from '../terminal.js'
import type { Closers } from '../closers.js'
import { scenarioNames } from './scenarios.js'

const commands = {
  bench: 'requests per second, compared with two hand-written servers',
  growth: 'queries, totals and deletes, on --size articles and on ten times as many',
  answers:
    'cached responses, compared with an Express server that sends the same bytes from memory',
  bulk: 'creates and updates one by one, and in bulk',
  indexes: 'ten queries without indexes, with automatic ones, and with hand-made ones',
} as const

type Numbers = 'size' | 'seconds' | 'rounds' | 'times'
type Paths = 'mongod' | 'data' | 'against' | 'compare' | 'json' | 'profile'
export type BenchOptions = Readonly<
  { command: keyof typeof commands; only: ReadonlySet<string> } & Record<Numbers, number> &
    Partial<Record<Paths, string>> & {
      /** Size of the database's cache in megabytes. */
      cache?: number
    }
>

/** The argument of every benchmark command. */
export type Run = Readonly<{
  options: BenchOptions
  closers: Closers
  print: (text: string) => void
}>

/** Parses the options of `npm run bench`. Throws an error that names the invalid option. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const listed = Object.entries(commands).map((each) => each.join(': '))
  const program = createCommand('bench')
    .description(listed.join('\n'))
    .addArgument(new Argument('[command]').choices(Object.keys(commands)).default('bench'))
    .option('--against <dir>', 'measures another built checkout in the same rounds', builtCheckout)
    .option('--compare <file>', "prints ratios to the file of an earlier run's --json")
    .option('--size <n>', 'number of articles', number(50, true), 10_000)
    .option('--seconds <s>', 'seconds of one measurement', number(0.05), 1)
    .option('--rounds <n>', 'measurements of each scenario', number(1, true), 3)
    .option('--only <a,b>', scenarioNames.join(', '), namesOf)
    .option('--times <n>', 'how many times as many articles growth measures', number(2, true), 10)
    .option('--cache <mb>', 'cache of the database, in MB', number(1))
    .option('--mongod <path>', 'uses this mongod (auto: on the path), as a replica set of one')
    .option('--data <dir>', 'keeps the loaded content for later runs of this size')
    .option('--json <file>', 'writes all figures')
    .option('--profile <dir>', 'writes CPU profiles of Quire')
    .parse(args, { from: 'user' })
  const [command] = program.processedArgs as [BenchOptions['command']]
  const given = program.opts<Omit<BenchOptions, 'command' | 'only'>>()
  return { only: new Set(scenarioNames), ...given, command }
}

function namesOf(text: string): ReadonlySet<string> {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !scenarioNames.includes(name))
  if (unknown === undefined) return new Set(names)
  throw new InvalidArgumentError(`There is no "${unknown}"; there are ${scenarioNames.join(', ')}.`)
}

function builtCheckout(folder: string): string {
  const path = resolve(folder)
  if (existsSync(join(path, 'dist/server/main.js'))) return path
  throw new InvalidArgumentError('It is not built: it has no dist/server/main.js.')
}
