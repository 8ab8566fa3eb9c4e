import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Argument, Command, InvalidArgumentError } from 'commander'
import type { Closers } from './closers.js'
import { scenarioNames } from './scenarios.js'

export type BenchOptions = Readonly<{
  command: 'bench' | 'growth' | 'answers' | 'bulk' | 'indexes'
  size: number
  seconds: number
  rounds: number
  only: ReadonlySet<string>
  times: number
  /** In megabytes, as those of the options below that are not there by default. */
  cache?: number
  mongod?: string
  data?: string
  against?: string
  compare?: string
  json?: string
  profile?: string
}>

/** What a command is run with. */
export type Run = Readonly<{
  options: BenchOptions
  closers: Closers
  print: (text: string) => void
  /** Called with what is done now. */
  onProgress: (text: string) => void
}>

const names = ['bench', 'growth', 'answers', 'bulk', 'indexes']
const commands = `
  bench    requests per second beside two floors
  growth   indexed queries on ten times as many articles
  answers  answers that did not change, beside the same bytes out of the memory of Express
  bulk     creates and updates one by one, and many in a request
  indexes  ten queries without indexes, with those that Quire makes, and with those made by hand
`

const createProgram = (): Command =>
  new Command('npm run bench --')
    .addArgument(new Argument('[command]').choices(names).default('bench'))
    .option('--against <dir>', 'measure another built checkout beside this one', builtCheckout)
    .option('--compare <file>', 'compare with what an earlier run has written with --json')
    .option('--size <n>', 'articles', number({ least: 50, whole: true }), 10_000)
    .option('--seconds <s>', 'length of one measurement', number({ least: 0.05 }), 1)
    .option('--rounds <n>', 'measurements of each', number({ least: 1, whole: true }), 3)
    .option('--only <a,b>', scenarioNames.join(', '), namesOf)
    .option('--times <n>', 'of growth: times as many', number({ least: 2, whole: true }), 10)
    .option('--cache <mb>', "of the database's memory for content", number({ least: 1 }))
    .option('--mongod <path>', 'this mongod (auto: on the path), not the embedded engine')
    .option('--data <dir>', 'keep what is loaded there, for later runs')
    .option('--json <file>', 'write the figures')
    .option('--profile <dir>', 'write CPU profiles of Quire')
    .helpOption(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })

export const usage = (): string => createProgram().helpInformation() + commands

/** @throws an error that names what cannot be used */
export function parseOptions(args: readonly string[]): BenchOptions {
  const program = createProgram().parse(args, { from: 'user' })
  const [command] = program.processedArgs as [BenchOptions['command']]
  return {
    only: new Set(scenarioNames),
    ...program.opts<Omit<BenchOptions, 'command' | 'only'>>(),
    command,
  }
}

const number =
  ({ least, whole = false }: Readonly<{ least: number; whole?: boolean }>) =>
  (text: string): number => {
    const value = Number(text)
    if (value >= least && (!whole || Number.isInteger(value))) return value
    throw new InvalidArgumentError(`It must be a ${whole ? 'whole ' : ''}number from ${least}.`)
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
