import { parseArgs } from 'node:util'

export type Options = Readonly<{
  /** Empty = every area. */
  areas: readonly string[]
  /** Prefix of the ids of the cases to run; empty = all. */
  only: string
  statusOnly: boolean
  all: boolean
  max: number
  out: string | undefined
  /** Answers of an earlier run (`--out`) to compare instead of running. */
  answers: string | undefined
  log: string | undefined
  record: boolean
  /** Whether every read runs in the worker pool, even a cheap one. */
  pool: boolean
  /** The setting `profile` of the service under test. It selects the expected answers. */
  profile: Profile
}>

export const profiles = ['strict', 'strapi'] as const
export type Profile = (typeof profiles)[number]

export const usage = `npm run conformance -- [options]
  --area filters,sort  only these areas (the seed always runs; write cases build on one another)
  --only filters.eq    only cases whose id begins so
  --status-only        show only differing statuses
  --all                show every differing path of a case
  --max 20             show at most so many differing cases
  --out answers.jsonl  write the answers
  --answers file       compare a file written by --out instead of running
  --log quire.log      keep the service's log
  --pool               run every read in the worker pool
  --profile strapi     with the defaults, and the answers, of a Strapi without its strict flags
  --record             write the share reached to recorded-share.json, if it rose`

/** Throws on an unknown option. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      area: { type: 'string', default: '' },
      only: { type: 'string', default: '' },
      'status-only': { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      max: { type: 'string', default: '100000' },
      out: { type: 'string' },
      answers: { type: 'string' },
      log: { type: 'string' },
      record: { type: 'boolean', default: false },
      pool: { type: 'boolean', default: false },
      profile: { type: 'string', default: 'strict' },
    },
  })
  const profile = profiles.find((name) => name === values.profile)
  if (profile === undefined) throw new Error(`--profile must be one of ${profiles.join(', ')}`)
  return {
    areas: values.area.split(',').filter(Boolean),
    only: values.only,
    statusOnly: values['status-only'],
    all: values.all,
    max: Number(values.max),
    out: values.out,
    answers: values.answers,
    log: values.log,
    record: values.record,
    pool: values.pool,
    profile,
  }
}
