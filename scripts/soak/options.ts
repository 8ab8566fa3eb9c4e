import { Option } from 'commander'
import { createCommand, number } from '../terminal.js'

type Numbers = 'minutes' | 'warmUp' | 'rate' | 'concurrency' | 'instances' | 'limit' | 'sample'
type Texts = 'database' | 'email' | 'password' | 'out'
export type SoakOptions = Readonly<
  Record<Numbers, number> & Record<Texts, string> & { url: readonly string[] }
>

/** @throws an Error that names an option and says what is wrong with it */
export function parseOptions(args: readonly string[]): SoakOptions {
  const admin = (name: string, variable: string): Option =>
    new Option(`--${name} <${name}>`, 'of the admin of services that run').default('').env(variable)
  const out = `.cache/soak/${new Date().toISOString().replaceAll(':', '-')}`
  const command = createCommand('soak')
    .option('--minutes <n>', 'how long', number(0.01), 30)
    .option('--warm-up <n>', 'minutes that are not judged: a quarter, 10 at most', number(0))
    .option('--rate <n>', 'requests a second; max: as many as are answered', rate, 50)
    .option('--concurrency <n>', 'requests at a time', number(1, true), 16)
    .option('--instances <n>', 'services to start', number(1, true), 1)
    .option('--database <where>', 'a URI, or the path of a mongod', 'embedded')
    .option('--url <url...>', 'services that run', [])
    .addOption(admin('email', 'ADMIN_EMAIL'))
    .addOption(admin('password', 'ADMIN_PASSWORD'))
    .option('--limit <percent>', 'by which a figure may rise', number(0), 10)
    .option('--sample <n>', 'seconds between samples', number(0.1), 5)
    .option('--out <dir>', 'for samples, errors and logs', out)
    .parse(args, { from: 'user' })
  const given = command.opts<Omit<SoakOptions, 'warmUp'>>()
  const options: SoakOptions = { warmUp: Math.min(given.minutes / 4, 10), ...given }
  const { minutes, warmUp, instances, url, email, password, database } = options
  if (warmUp >= minutes) command.error('--warm-up leaves no time that is judged')
  if (url.length > 0 && (email === '' || password === ''))
    command.error('--url needs the admin of the service: --email and --password')
  if (url.length === 0 && instances > 1 && database === 'embedded')
    command.error('The embedded engine serves one service: --database names a URI or a mongod')
  return options
}

const rate = (text: string): number => (text === 'max' ? Infinity : number(0.1)(text))
