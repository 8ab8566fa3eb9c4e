import { createCommand, number } from '../terminal.js'

type Numbers = 'minutes' | 'warmUp' | 'rate' | 'concurrency' | 'instances' | 'sample'
export type SoakOptions = Readonly<Record<Numbers, number> & Record<'database' | 'out', string>>

/** Parses the options of `npm run soak`. Throws an error that names the invalid option. */
export function parseOptions(args: readonly string[]): SoakOptions {
  const out = `.cache/soak/${new Date().toISOString().replaceAll(':', '-')}`
  const command = createCommand('soak')
    .option('--minutes <n>', 'duration in minutes', number(0.01), 30)
    .option(
      '--warm-up <n>',
      'minutes in which growth does not count; default: a quarter, at most 10',
      number(0),
    )
    .option('--rate <n>', 'requests per second, or max', rate, 50)
    .option('--concurrency <n>', 'concurrent requests', number(1, true), 16)
    .option(
      '--instances <n>',
      'number of services; several need a shared database',
      number(1, true),
      1,
    )
    .option(
      '--database <where>',
      'embedded, the URI of an empty database, or the path of a mongod (auto: on the path)',
      'embedded',
    )
    .option('--sample <n>', 'seconds between samples', number(0.1), 5)
    .option('--out <dir>', 'folder for samples, errors and logs', out)
    .parse(args, { from: 'user' })
  const given = command.opts<Omit<SoakOptions, 'warmUp'>>()
  const options: SoakOptions = { warmUp: Math.min(given.minutes / 4, 10), ...given }
  const { minutes, warmUp, instances, database } = options
  if (warmUp >= minutes) command.error('--warm-up leaves no time in which growth counts')
  if (instances > 1 && database === 'embedded')
    command.error('The embedded engine serves one service. Set --database to a URI or a mongod')
  return options
}

const rate = (text: string): number => (text === 'max' ? Infinity : number(0.1)(text))
