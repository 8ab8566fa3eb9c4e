import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runAnswers } from '../../scripts/bench/run-answers.js'
import { runBench } from '../../scripts/bench/run-bench.js'
import { runBulk, type BulkSpeed } from '../../scripts/bench/run-bulk.js'
import { runGrowth } from '../../scripts/bench/run-growth.js'
import { runIndexes } from '../../scripts/bench/run-indexes.js'
import { runTelemetry } from '../../scripts/bench/run-telemetry.js'
import { telemetries } from '../../scripts/bench/telemetries.js'
import { benchInFolder, type Figures } from '../support/bench-in-folder.js'
import { realMongod } from '../support/real-mongod.js'

describe('Each command of the benchmark', () => {
  it('compares the answers, measures a scenario on three servers, and leaves nothing behind', async function () {
    this.timeout(180_000)
    const args = '--size 60 --seconds 0.1 --rounds 1 --only one'
    const { printed, json } = await benchInFolder(args, runBench)
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
    const { printed, json } = await benchInFolder(args, runBench)
    expect(printed).to.include('; MongoDB, a replica set of one; 60 articles')
    expect((json as Figures).scenarios['one']).to.have.all.keys(
      'Quire',
      'http floor',
      'Express floor',
    )
  })

  it('measures starts again where an earlier run has left its data', async function () {
    this.timeout(180_000)
    const data = await mkdtemp(join(tmpdir(), 'quire-test-'))
    try {
      for (let run = 0; run < 2; run += 1) {
        const args = `--size 50 --seconds 0.1 --rounds 1 --only start --data ${data}`
        const { printed } = await benchInFolder(args, runBench)
        expect(printed).to.match(/Quire/)
      }
    } finally {
      await rm(data, { recursive: true })
    }
  })

  it('measures ten queries without indexes, with automatic ones, and with those made by hand', async function () {
    this.timeout(300_000)
    const args = 'indexes --size 60 --seconds 0.1 --rounds 1'
    const learning = { requests: 5, settledMs: 100 }
    const { printed, json } = await benchInFolder(args, (options, closers, output) =>
      runIndexes(options, closers, output, learning),
    )
    const { made, figures } = json as {
      made: unknown
      figures: readonly { perSecond: object; ratio: number }[]
    }
    // So few articles are gone through at once.
    expect(made).to.deep.equal([])
    expect(figures).to.have.length(12)
    for (const { perSecond, ratio } of figures) {
      expect(perSecond).to.have.all.keys('none', 'automatic', 'by hand')
      expect(ratio).to.be.above(0)
    }
    expect(printed).to.match(/requests a second +no index +automatic +by hand +ratio/)
  })

  it('measures how cost grows with the number of articles', async function () {
    this.timeout(180_000)
    const args = 'growth --size 50 --seconds 0.1 --rounds 1 --only one,list,populate'
    const { printed, json } = await benchInFolder(args, runGrowth)
    const { growths, lone } = json as Record<'growths' | 'lone', readonly Record<string, unknown>[]>
    expect(lone.map(({ few, many }) => [few, many].includes(null))).not.to.include(true)
    expect(printed).to.match(
      /one at a time, 50 → 500 articles[^]*\ndelete of a tag( +\d+(\.\d+)?){3}/,
    )
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
    const args = 'telemetry --size 50 --seconds 0.1 --starts 2 --rounds 1 --only one'
    const { printed, json } = await benchInFolder(args, runTelemetry)
    const costs = json as readonly Readonly<Record<string, unknown>>[]
    expect(costs.map(({ scenario, telemetry }) => [scenario, telemetry])).to.deep.equal(
      telemetries.map((telemetry) => ['one document', telemetry]),
    )
    for (const { requests, cpuPerRequest } of costs) {
      expect(requests).to.be.above(0)
      expect(cpuPerRequest).to.be.above(0)
    }
    expect(costs.map(({ more }) => more === null)).to.deep.equal([true, false, false, false, false])
    expect(costs.map(({ moreThanDefault }) => moreThanDefault === null)).to.deep.equal([
      ...[false, true, false, false, false],
    ])
    expect(printed).to.match(/one document +default and traces, 1 % sampled +\d+/)
  })

  it('measures writes one by one, and in bulk', async function () {
    this.timeout(180_000)
    const args = 'bulk --size 500 --seconds 0.1 --rounds 1'
    const { printed, json } = await benchInFolder(args, runBulk)
    const speeds = json as readonly BulkSpeed[]
    expect(speeds.map(({ scenario }) => scenario)).to.deep.equal(['create', 'update of one field'])
    for (const { ways, ratios } of speeds) {
      expect(ways).to.have.all.keys('one connection', '16 connections', 'bulk')
      expect(ratios).to.have.all.keys('one connection', '16 connections')
      for (const ratio of Object.values(ratios)) expect(ratio).to.be.above(0)
    }
    expect(printed).to.include('bulk is × as many')
  })

  it('measures answers that did not change beside Express', async function () {
    this.timeout(180_000)
    const args = 'answers --size 50 --seconds 0.1 --rounds 1'
    const { printed, json } = await benchInFolder(args, runAnswers)
    const { speeds, written } = json as {
      speeds: readonly Readonly<Record<'scenario' | 'bytes' | 'share', unknown>>[]
      written: number
    }
    expect(speeds.map(({ scenario }) => scenario)).to.deep.equal([
      'one document',
      'three levels deep, 25',
    ])
    for (const { bytes, share } of speeds) {
      expect(bytes).to.be.above(1000)
      expect(share).to.be.above(0)
    }
    expect(written).to.be.above(0)
    expect(printed).to.include('Quire/Express')
  })
})
