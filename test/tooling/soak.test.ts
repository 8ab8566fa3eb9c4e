import { expect } from 'chai'
import { drawChart } from '../../scripts/soak/draw-chart.js'
import { growthOf, type Point } from '../../scripts/soak/growth.js'
import { parseOptions } from '../../scripts/soak/options.js'
import { figuresIn } from '../../scripts/soak/read-metrics.js'
import type { ProcessSample, Sample } from '../../scripts/soak/sample.js'
import { judge } from '../../scripts/soak/verdict.js'
import { writeReport } from '../../scripts/soak/write-report.js'

const minute = 60

/** An hour, a value each 5 seconds. */
const series = (of: (minutes: number, at: number) => number): readonly Point[] =>
  Array.from({ length: 720 }, (_, at) => ({ seconds: at * 5, value: of((at * 5) / minute, at) }))

/** Between 0 and 1, the same in every run. */
const noise = (at: number): number => (Math.sin(at * 12.9898) * 43758.5453) % 1

const none: ProcessSample = {
  ...{ rss: null, heapUsed: null, heapKept: null, external: null },
  ...{ loopDelay: null, files: null, connections: null, handles: null },
}

const samplesOf = (rss: readonly Point[], errors = 0): readonly Sample[] =>
  rss.map(({ seconds, value }) => ({
    ...{ seconds, isWarmUp: seconds < 600, requestsPerSecond: 50, errors, p50: 2, p99: 9 },
    kinds: { list: { requests: 250, p50: 2, p99: 9 } },
    processes: { 'service 1': { ...none, rss: value }, database: { ...none, rss: seconds * 1e6 } },
  }))

const judged = (samples: readonly Sample[]) =>
  judge(samples, { limit: 10, isJudged: (process) => process !== 'database' })

describe('The growth of a series', () => {
  it('is its slope over its whole time, whatever some of its values are', () => {
    const rising = series((minutes, at) => 100 + minutes + noise(at) + (at % 5 === 0 ? 1000 : 0))
    const growth = growthOf(rising, 'median')
    expect(growth?.rise).to.be.closeTo(60, 2)
    expect(growth?.level).to.be.closeTo(140, 20)
  })

  it('is none where values go up and down', () => {
    const level = series((_, at) => 100 + 20 * noise(at))
    expect(growthOf(level, 'median')?.rise).to.be.closeTo(0, 5)
  })

  it('of what is collected as garbage is that of what is kept', () => {
    const garbage = (at: number) => 5 * (at % 9)
    const kept = growthOf(
      series((minutes, at) => 50 + minutes / 2 + garbage(at)),
      'least',
    )
    expect(kept?.rise).to.be.closeTo(30, 2)
    const more = growthOf(
      series((minutes, at) => 50 + garbage(at) * (1 + minutes / 60)),
      'least',
    )
    expect(more?.rise).to.be.closeTo(0, 1)
  })

  it('of its second half tells what levels off', () => {
    const filled = growthOf(
      series((minutes) => Math.min(100, 50 + 2 * minutes)),
      'median',
    )
    expect(filled?.rise).to.be.above(20)
    expect(filled?.lateRise).to.equal(0)
  })

  it('is not known of a few values', () => {
    expect(growthOf(series(() => 1).slice(0, 3), 'median')).to.equal(undefined)
  })
})

describe('The verdict of a soak', () => {
  it('passes where nothing went wrong and nothing grows after the warm-up', () => {
    const filling = series((minutes, at) => 200e6 + Math.min(minutes, 10) * 20e6 + noise(at) * 10e6)
    const verdict = judged(samplesOf(filling))
    expect(verdict).to.include({ passes: true, errors: 0, requests: 720 * 250 })
    expect(verdict.judgements.map(({ process, name }) => `${process}: ${name}`)).to.deep.equal([
      'service 1: memory (RSS)',
    ])
  })

  it('fails where memory grows, of a service and not of a database', () => {
    const leaking = series((minutes, at) => 200e6 + minutes * 1e6 + noise(at) * 10e6)
    const { passes, judgements } = judged(samplesOf(leaking))
    expect(passes).to.equal(false)
    expect(judgements[0]?.growth.rise).to.be.closeTo(50e6, 3e6)
  })

  it('fails for one error, also in the warm-up, and where nothing was asked', () => {
    const level = series(() => 200e6)
    const [first, ...rest] = samplesOf(level)
    if (first === undefined) throw new Error('There is no sample')
    expect(judged([{ ...first, errors: 1 }, ...rest]).passes).to.equal(false)
    expect(judged([]).passes).to.equal(false)
  })
})

describe('The options of a soak', () => {
  const options = (args: string) => parseOptions(args.split(' ').filter(Boolean), {})

  it('have a quarter of the time for the warm-up, ten minutes at most', () => {
    expect(options('--minutes 20')).to.include({ minutes: 20, warmUpMinutes: 5, rate: 50 })
    expect(options('--minutes 60 --rate max')).to.include({ warmUpMinutes: 10, rate: undefined })
  })

  for (const [args, message] of [
    ['--minutes soon', '--minutes must be a number from 0.01, not "soon"'],
    ['--minutes 5 --warm-up 5', '--warm-up leaves no time that is judged'],
    ['--instances 1.5', '--instances must be a whole number, not "1.5"'],
    ['--instances 2', 'The embedded engine serves one service'],
    ['--url http://localhost:1337', '--url needs the admin of the service'],
  ] as const)
    it(`refuse ${args}`, () => expect(() => options(args)).to.throw(message))
})

describe('The report of a soak', () => {
  it('draws each figure over time, tells what grows, and shows what came as text', () => {
    const samples = samplesOf(series((minutes) => 200e6 + minutes * 1e6))
    const html = writeReport({
      ...{ samples, verdict: judged(samples), warmUpSeconds: 600 },
      facts: [['Rate', '50 a second']],
      errors: ['list: 500 <script>'],
    })
    expect(html).to.include('180,000 requests, 0 errors, growing: memory (RSS) of service 1')
    expect(html).to.include('500 &#60;script&#62;')
    for (const title of ['Throughput', 'Errors', 'Latency', 'Memory (RSS)'])
      expect(html).to.include(`<figcaption>${title}`)
    // Nobody tells of it.
    expect(html).not.to.include('<figcaption>Connections')
    expect(html).not.to.match(/NaN|undefined/)
  })

  it('draws a line from the first moment to the last, and from nothing to the largest value', () => {
    const points = [0, 60, 120].map((seconds) => ({ seconds, value: seconds }))
    const lines = [{ name: 'one', points }]
    const svg = drawChart({ title: 'A', unit: 'ms', lines, warmUpSeconds: 60 })
    expect(svg).to.include('d="M56,210L302,')
    expect(svg).to.match(/<rect x="56" y="12" width="246.0"/)
  })
})

describe('What a soak reads of /metrics', () => {
  it('is what every process of Node.js tells by prom-client', () => {
    const text = [
      '# TYPE process_resident_memory_bytes gauge',
      'process_resident_memory_bytes 200000000',
      'nodejs_eventloop_lag_p99_seconds{instance="a"} 0.011',
      'process_open_fds NaN',
      'something_else 3',
    ].join('\n')
    expect(figuresIn(text)).to.deep.equal({ rss: 200_000_000, loopDelay: 11 })
  })
})
