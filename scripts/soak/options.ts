import { parseArgs } from 'node:util'

export type SoakOptions = Readonly<{
  minutes: number
  /** What is left out of the verdict at the beginning. */
  warmUpMinutes: number
  /** Services that are started; not where `urls` name some that run. */
  instances: number
  urls: readonly string[]
  /** The first admin of services that run. */
  admin: Readonly<{ email: string; password: string }> | undefined
  /** Where started services keep their content: `embedded`, a URI, or a `mongod`. */
  database: string
  /** Requests that are under way at most. */
  concurrency: number
  /** Requests a second, of all workers; undefined = as many as are answered. */
  rate: number | undefined
  sampleSeconds: number
  /** By how much of its level memory may rise after the warm-up, in percent; handles and connections likewise. */
  limit: number
  /** Folder of the report. */
  out: string
}>

export const usage = `npm run soak -- [options]       a mixed load for a long time, a report, and a verdict

  --minutes M       how long; default 30
  --warm-up M       minutes at the beginning that growth is not judged in; default a quarter, 10 at most
  --instances N     services that are started; default 1
  --database D      what they stand on: embedded (default; one instance), a URI (an empty database), or the path of a
                    mongod (auto: the one on the path), which is run as a replica set of one
  --url URL         a service that runs, with the demo's content-types (schema/); may be given more than once
  --email --password  its admin, or ADMIN_EMAIL and ADMIN_PASSWORD: its demo content is completed, a user and a token made
  --rate R          requests a second, or max for as many as are answered; default 50
  --concurrency N   requests that are under way at most; default 16
  --sample S        seconds between two samples; default 5
  --limit P         percent by which memory, open files and connections may rise after the warm-up; default 10
  --out DIR         where report.html, samples.jsonl and the logs go; default .cache/soak/<time>

It ends with 1 where a request was not answered as it should be, or something grows.`

/** @throws an Error of one line that names what cannot be used */
export function parseOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  now = new Date(),
): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '30' },
      'warm-up': { type: 'string' },
      instances: { type: 'string', default: '1' },
      database: { type: 'string', default: 'embedded' },
      url: { type: 'string', multiple: true, default: [] },
      email: { type: 'string', default: env['ADMIN_EMAIL'] ?? '' },
      password: { type: 'string', default: env['ADMIN_PASSWORD'] ?? '' },
      rate: { type: 'string', default: '50' },
      concurrency: { type: 'string', default: '16' },
      sample: { type: 'string', default: '5' },
      limit: { type: 'string', default: '10' },
      out: { type: 'string', default: `.cache/soak/${now.toISOString().replaceAll(':', '-')}` },
    },
  })
  const minutes = number('--minutes', values.minutes, 0.01)
  const warmUpMinutes =
    values['warm-up'] === undefined
      ? Math.min(minutes / 4, 10)
      : number('--warm-up', values['warm-up'], 0)
  if (warmUpMinutes >= minutes) throw new Error('--warm-up leaves no time that is judged')
  const instances = whole('--instances', values.instances)
  const { url: urls, email, password, database } = values
  if (urls.length > 0 && (email === '' || password === ''))
    throw new Error('--url needs the admin of the service: --email and --password')
  if (urls.length === 0 && instances > 1 && database === 'embedded')
    throw new Error('The embedded engine serves one service: --database names a URI or a mongod')
  return {
    ...{ minutes, warmUpMinutes, instances, urls, database },
    admin: urls.length === 0 ? undefined : { email, password },
    concurrency: whole('--concurrency', values.concurrency),
    rate: values.rate === 'max' ? undefined : number('--rate', values.rate, 0.1),
    sampleSeconds: number('--sample', values.sample, 0.1),
    limit: number('--limit', values.limit, 0),
    out: values.out,
  }
}

function number(name: string, text: string, least: number): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= least && value < Infinity) return value
  throw new Error(`${name} must be a number from ${least}, not "${text}"`)
}

function whole(name: string, text: string): number {
  const value = number(name, text, 1)
  if (Number.isInteger(value)) return value
  throw new Error(`${name} must be a whole number, not "${text}"`)
}
