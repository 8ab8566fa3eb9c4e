import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Argument, InvalidArgumentError } from 'commander'
import { createCommand, number } from '../terminal.js'
import type { Closers } from '../closers.js'
import { scenarioNames } from './scenarios.js'

const commands = {
  bench: 'requests per second beside two floors',
  growth: 'indexed queries on ten times as many articles',
  answers: 'answers that did not change, beside the same bytes out of the memory of Express',
  bulk: 'creates and updates one by one, and many in a request',
  indexes: 'ten queries without indexes, with those that Quire makes, and with those made by hand',
} as const

type Numbers = 'size' | 'seconds' | 'rounds' | 'times'
type Paths = 'mongod' | 'data' | 'against' | 'compare' | 'json' | 'profile'
export type BenchOptions = Readonly<
  { command: keyof typeof commands; only: ReadonlySet<string> } & Record<Numbers, number> &
    Partial<Record<Paths, string>> & {
      /** In megabytes. */
      cache?: number
    }
>

/** What every benchmark command gets. */
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
    .option('--against <dir>', 'measure another built checkout beside this one', builtCheckout)
    .option('--compare <file>', 'compare with what an earlier run has written with --json')
    .option('--size <n>', 'articles', number(50, true), 10_000)
    .option('--seconds <s>', 'length of one measurement', number(0.05), 1)
    .option('--rounds <n>', 'measurements of each', number(1, true), 3)
    .option('--only <a,b>', scenarioNames.join(', '), namesOf)
    .option('--times <n>', 'of growth: times as many', number(2, true), 10)
    .option('--cache <mb>', "of the database's memory for content", number(1))
    .option('--mongod <path>', 'this mongod (auto: on the path), not the embedded engine')
    .option('--data <dir>', 'keep what is loaded there, for later runs')
    .option('--json <file>', 'write the figures')
    .option('--profile <dir>', 'write CPU profiles of Quire')
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
