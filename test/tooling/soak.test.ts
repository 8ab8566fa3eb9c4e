import { expect } from 'chai'
import { parseOptions } from '../../scripts/soak/options.js'
import { figuresIn, judge, type Sample } from '../../scripts/soak/verdict.js'
import { growthOf, type Point } from '../../scripts/statistics.js'

const minute = 60

/** Returns values for an hour, one every 5 seconds. */
const series = (of: (minutes: number, at: number) => number): readonly Point[] =>
  Array.from({ length: 720 }, (_, at) => ({ seconds: at * 5, value: of((at * 5) / minute, at) }))

/** Returns a pseudo-random number that is the same in every run. */
const noise = (at: number): number => (Math.sin(at * 12.9898) * 43758.5453) % 1

const samplesOf = (rss: readonly Point[], errors = 0): readonly Sample[] =>
  rss.map(({ seconds, value }) => ({
    ...{ seconds, isWarmUp: seconds < 600, requests: 250, errors, p50: 2, p99: 9 },
    kinds: { list: 250 },
    processes: { 'service 1': { rss: value }, database: { rss: seconds * 1e6 } },
  }))

describe('growthOf', () => {
  it('returns the slope over the whole time, despite outliers', () => {
    const rising = series((minutes, at) => 100 + minutes + noise(at) + (at % 5 === 0 ? 1000 : 0))
    const growth = growthOf(rising, 'median')
    expect(growth?.rise).to.be.closeTo(60, 2)
    expect(growth?.level).to.be.closeTo(140, 20)
  })

  it('returns no rise for values that go up and down', () => {
    const level = series((_, at) => 100 + 20 * noise(at))
    expect(growthOf(level, 'median')?.rise).to.be.closeTo(0, 5)
  })

  it('ignores memory that the garbage collector frees', () => {
    const garbage = (at: number) => 5 * (at % 9)
    const retained = growthOf(
      series((minutes, at) => 50 + minutes / 2 + garbage(at)),
      'least',
    )
    expect(retained?.rise).to.be.closeTo(30, 2)
    const more = growthOf(
      series((minutes, at) => 50 + garbage(at) * (1 + minutes / 60)),
      'least',
    )
    expect(more?.rise).to.be.closeTo(0, 1)
  })

  it('returns no late rise for values that level off', () => {
    const filled = growthOf(
      series((minutes) => Math.min(100, 50 + 2 * minutes)),
      'median',
    )
    expect(filled?.rise).to.be.above(20)
    expect(filled?.lateRise).to.equal(0)
  })

  it('returns undefined for too few values', () => {
    expect(growthOf(series(() => 1).slice(0, 3), 'median')).to.equal(undefined)
  })
})

describe('judge', () => {
  it('passes if there are no errors and nothing grows after the warm-up', () => {
    const filling = series((minutes, at) => 200e6 + Math.min(minutes, 10) * 20e6 + noise(at) * 10e6)
    const verdict = judge(samplesOf(filling))
    expect(verdict).to.include({ passes: true, errors: 0, requests: 720 * 250 })
    expect(verdict.judgements.map(({ service, figure }) => `${service}: ${figure}`)).to.deep.equal([
      'service 1: rss',
    ])
  })

  it('fails if the memory of the service grows, but not that of the database', () => {
    const leaking = series((minutes, at) => 200e6 + minutes * 1e6 + noise(at) * 10e6)
    const { passes, judgements } = judge(samplesOf(leaking))
    expect(passes).to.equal(false)
    expect(judgements[0]?.growth.rise).to.be.closeTo(50e6, 3e6)
  })

  it('fails after a single error, even in the warm-up, and without requests', () => {
    const level = series(() => 200e6)
    const [first, ...rest] = samplesOf(level)
    if (first === undefined) throw new Error('There is no sample')
    expect(judge([{ ...first, errors: 1 }, ...rest]).passes).to.equal(false)
    expect(judge([]).passes).to.equal(false)
  })
})

describe('parseOptions of the soak', () => {
  const options = (args: string) => parseOptions(args.split(' ').filter(Boolean))

  it('uses a quarter of the time, but at most ten minutes, for the warm-up', () => {
    expect(options('--minutes 20')).to.include({ minutes: 20, warmUp: 5, rate: 50 })
    expect(options('--minutes 60 --rate max')).to.include({ warmUp: 10, rate: Infinity })
  })

  for (const [args, message] of [
    ['--minutes soon', "--minutes <n>' argument 'soon' is invalid. It must be a number from 0.01"],
    ['--minutes 5 --warm-up 5', '--warm-up leaves no time in which growth counts'],
    ['--instances 1.5', "--instances <n>' argument '1.5' is invalid. It must be a whole number"],
    ['--instances 2', 'The embedded engine serves one service'],
  ] as const)
    it(`refuses ${args}`, () => expect(() => options(args)).to.throw(message))
})

describe('figuresIn', () => {
  it('reads the memory and the connections from /metrics, and ignores other metrics', () => {
    const text = [
      '# TYPE process_resident_memory_bytes gauge',
      'process_resident_memory_bytes 200000000',
      'quire_http_connections{instance="a"} 11',
      'process_open_fds NaN',
      'something_else 3',
    ].join('\n')
    expect(figuresIn(text)).to.deep.equal({ rss: 200_000_000, connections: 11 })
  })
})
