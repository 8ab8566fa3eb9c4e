import { parseArgs } from 'node:util'

export type SoakOptions = ReturnType<typeof parseOptions>

const text = (value: string) => ({ type: 'string', default: value }) as const

/**
 * Reads the options that docs/development.md, "Soak", lists.
 * @throws an Error of one line that names the option
 */
export function parseOptions(
  args: readonly string[],
  { ADMIN_EMAIL = '', ADMIN_PASSWORD = '' }: Readonly<Record<string, string | undefined>>,
) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: text('30'),
      'warm-up': { type: 'string' },
      rate: text('50'),
      concurrency: text('16'),
      instances: text('1'),
      database: text('embedded'),
      url: { type: 'string', multiple: true, default: [] },
      email: text(ADMIN_EMAIL),
      password: text(ADMIN_PASSWORD),
      limit: text('10'),
      sample: text('5'),
      out: text(`.cache/soak/${new Date().toISOString().replaceAll(':', '-')}`),
    },
  })
  const { url: urls, email, password, database, out, rate } = values
  const minutes = number('--minutes', values.minutes, 0.01)
  const warmUp = values['warm-up'] ?? String(Math.min(minutes / 4, 10))
  const warmUpMinutes = number('--warm-up', warmUp, 0)
  if (warmUpMinutes >= minutes) throw new Error('--warm-up leaves no time that is judged')
  const instances = number('--instances', values.instances, 1)
  if (urls.length > 0 && (email === '' || password === ''))
    throw new Error('--url needs the admin of the service: --email and --password')
  if (urls.length === 0 && instances > 1 && database === 'embedded')
    throw new Error('The embedded engine serves one service: --database names a URI or a mongod')
  return {
    minutes,
    warmUpMinutes,
    instances,
    urls,
    email,
    password,
    database,
    out,
    concurrency: number('--concurrency', values.concurrency, 1),
    rate: rate === 'max' ? Infinity : number('--rate', rate, 0.1),
    sampleSeconds: number('--sample', values.sample, 0.1),
    limit: number('--limit', values.limit, 0),
  } as const
}

/** @param least 1 asks for a whole number */
function number(name: string, value: string, least: number): number {
  const is = Number(value)
  if (value.trim() === '' || !(is >= least && is < Infinity))
    throw new Error(`${name} must be a number from ${least}, not "${value}"`)
  if (least === 1 && !Number.isInteger(is))
    throw new Error(`${name} must be a whole number, not "${value}"`)
  return is
}
