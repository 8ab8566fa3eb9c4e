import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Closers } from '../../scripts/bench/closers.js'
import { createClosers } from '../../scripts/bench/closers.js'
import type { BenchOptions } from '../../scripts/bench/options.js'
import { parseOptions } from '../../scripts/bench/options.js'
import type { LanePoint } from '../../scripts/bench/lane-points.js'
import { runBench } from '../../scripts/bench/run-bench.js'
import { thresholdOf } from '../../scripts/bench/run-lanes.js'
import { runGrowth } from '../../scripts/bench/run-growth.js'
import { relativeDifference } from '../../scripts/bench/relative-difference.js'
import { runTelemetry, telemetries } from '../../scripts/bench/run-telemetry.js'
import { realMongod } from '../support/real-mongod.js'

describe('The benchmark', () => {
  it('compares the answers, measures a scenario on three servers, and leaves nothing behind', async function () {
    this.timeout(180_000)
    const args = '--size 60 --seconds 0.1 --rounds 1 --only one'
    const { printed, json } = await inFolder(args, runBench)
    const figures = json as Figures
    expect(figures.scenarios).to.have.all.keys('one')
    const one = figures.scenarios['one'] ?? {}
    expect(one).to.have.all.keys('Quire', 'http floor', 'Express floor')
    expect(one['Quire']?.median.requestsPerSecond).to.be.above(0)
    expect(one['Quire']?.ofFloors['Express floor']?.requestsPerSecond).to.be.above(0)
    expect(printed).to.include('one document')
  })

  it('measures on a real MongoDB where one is named', async function () {
    this.timeout(180_000)
    const mongod = (await realMongod()) ?? this.skip()
    const args = `--size 60 --seconds 0.1 --rounds 1 --only one --mongod ${mongod}`
    const { printed, json } = await inFolder(args, runBench)
    expect(printed).to.include('; MongoDB, a replica set of one; 60 articles')
    expect((json as Figures).scenarios['one']).to.have.all.keys(
      'Quire',
      'http floor',
      'Express floor',
    )
  })

  it('measures how cost grows with the number of articles', async function () {
    this.timeout(180_000)
    const args = 'growth --size 50 --seconds 0.1 --rounds 1 --only one,list,populate'
    const { printed, json } = await inFolder(args, runGrowth)
    const { growths } = json as { growths: readonly Record<string, unknown>[] }
    expect(growths.map(({ title, server }) => [title, server])).to.deep.equal([
      ['one document', 'Quire'],
      ['one document', 'Express floor'],
      ['list of 25', 'Quire'],
      ['list of 25', 'Express floor'],
      ['author, category, tags', 'Quire'],
      ['author, category, tags', 'Express floor'],
    ])
    expect(printed).to.match(/50 → 500 articles[^]*\nlist of 25 +Quire( +\d+(\.\d+)?){4}/)
  })

  it('measures what it costs that the service measures itself', async function () {
    this.timeout(180_000)
    const args = 'telemetry --size 50 --seconds 0.1 --rounds 2 --only one'
    const { printed, json } = await inFolder(args, runTelemetry)
    const costs = json as readonly Readonly<Record<string, unknown>>[]
    expect(costs.map(({ scenario, telemetry }) => [scenario, telemetry])).to.deep.equal(
      Object.keys(telemetries).map((telemetry) => ['one document', telemetry]),
    )
    for (const { requests, cpuPerRequest } of costs) {
      expect(requests).to.be.above(0)
      expect(cpuPerRequest).to.be.above(0)
    }
    expect(costs.map(({ more }) => more === null)).to.deep.equal([true, false, false])
    expect(printed).to.match(/one document +metrics +\d+/)
  })

  it('says by how much one costs more than another, and how sure that is', () => {
    const { mean, low, high } = relativeDifference([11, 12, 13, 14, 15], [10, 10, 10, 10, 10])
    expect(mean).to.be.closeTo(0.3, 1e-9)
    // 2.776 × √(2.5 / 5), by any table of Student's t.
    expect(high - mean).to.be.closeTo(0.1963, 0.002)
    expect(mean - low).to.be.closeTo(0.1963, 0.002)
    expect(() => relativeDifference([1], [1])).to.throw('too few')
  })

  it('divides queries by the cost from which they take more than 10 ms of the main thread', () => {
    const zero = { inline: 0, pooled: 0 }
    const points = (times: readonly (readonly [cost: number, mainMs: number])[]): LanePoint[] =>
      times.map(([cost, mainMs]) => ({
        ...{ populate: 'deep', rows: 1, cost, kilobytes: 1, mainMs },
        ...{ alone: zero, inline: { query: 0, single: 0 }, pooled: { query: 0, single: 0 } },
      }))
    expect(
      thresholdOf(
        points([
          [10, 1],
          [400, 5],
          [900, 20],
          [100, 3],
        ]),
      ),
    ).to.equal(600)
    const outlier = points([
      [10, 1],
      [20, 11],
      [400, 5],
      [900, 20],
      [1000, 30],
    ])
    expect(thresholdOf(outlier), 'one that is off').to.equal(600)
    expect(
      thresholdOf(
        points([
          [10, 1],
          [400, 5],
        ]),
      ),
      'none is heavy',
    ).to.equal(800)
  })

  it('names an option that it cannot use', () => {
    expect(() => parseOptions(['--size', 'many'])).to.throw('--size must be a whole number from 50')
    expect(() => parseOptions(['--only', 'one,two'])).to.throw('--only does not know "two"')
    expect(() => parseOptions(['faster'])).to.throw('There is no faster')
  })
})

/** Runs a benchmark in a folder of its own, because others may be running one at the same time. */
async function inFolder(
  args: string,
  run: (options: BenchOptions, closers: Closers, output: Output) => Promise<unknown>,
): Promise<Readonly<{ printed: string; json: unknown }>> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-test-'))
  const file = join(folder, 'figures.json')
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = folder
  const closers = createClosers()
  const printed: string[] = []
  try {
    const output = { print: (text: string) => void printed.push(text), onProgress: () => undefined }
    await run(parseOptions([...args.split(' '), '--json', file]), closers, output)
    const json = JSON.parse(await readFile(file, 'utf8')) as unknown
    await closers.closeAll()
    expect(await readdir(folder)).to.deep.equal(['figures.json'])
    return { printed: printed.join('\n'), json }
  } finally {
    await closers.closeAll()
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    await rm(folder, { recursive: true })
  }
}

type Output = Parameters<typeof runBench>[2]
type Figures = Readonly<{
  scenarios: Readonly<Record<string, Readonly<Record<string, Measured>>>>
}>
type Measured = Readonly<{
  median: Readonly<{ requestsPerSecond: number }>
  ofFloors: Readonly<Record<string, Readonly<{ requestsPerSecond: number }>>>
}>
