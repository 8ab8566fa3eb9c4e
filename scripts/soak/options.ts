import { createCommand, number } from '../terminal.js'

type Numbers = 'minutes' | 'warmUp' | 'rate' | 'concurrency' | 'instances' | 'sample'
export type SoakOptions = Readonly<Record<Numbers, number> & Record<'database' | 'out', string>>

/** Parses the options of `npm run soak`. Throws an error that names the invalid option. */
export function parseOptions(args: readonly string[]): SoakOptions {
  const out = `.cache/soak/${new Date().toISOString().replaceAll(':', '-')}`
  const command = createCommand('soak')
    .option('--minutes <n>', 'how long', number(0.01), 30)
    .option('--warm-up <n>', 'minutes that are not judged: a quarter, 10 at most', number(0))
    .option('--rate <n>', 'requests a second; max: as many as are answered', rate, 50)
    .option('--concurrency <n>', 'requests at a time', number(1, true), 16)
    .option('--instances <n>', 'services to start', number(1, true), 1)
    .option('--database <where>', 'a URI, or the path of a mongod', 'embedded')
    .option('--sample <n>', 'seconds between samples', number(0.1), 5)
    .option('--out <dir>', 'for samples, errors and logs', out)
    .parse(args, { from: 'user' })
  const given = command.opts<Omit<SoakOptions, 'warmUp'>>()
  const options: SoakOptions = { warmUp: Math.min(given.minutes / 4, 10), ...given }
  const { minutes, warmUp, instances, database } = options
  if (warmUp >= minutes) command.error('--warm-up leaves no time that is judged')
  if (instances > 1 && database === 'embedded')
    command.error('The embedded engine serves one service: --database names a URI or a mongod')
  return options
}

const rate = (text: string): number => (text === 'max' ? Infinity : number(0.1)(text))
