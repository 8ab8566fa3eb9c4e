import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Contender } from '../../scripts/bench/contenders.js'
import { wayOf } from '../../scripts/bench/measure.js'
import { runAnswers } from '../../scripts/bench/run-answers.js'
import { runBench } from '../../scripts/bench/run-bench.js'
import { runBulk } from '../../scripts/bench/run-bulk.js'
import { runGrowth } from '../../scripts/bench/run-growth.js'
import { runIndexes } from '../../scripts/bench/run-indexes.js'
import { packageRoot } from '../../server/settings/own-command.js'
import { benchInFolder, type BenchJson } from '../support/bench-in-folder.js'
import { realMongod } from '../support/real-mongod.js'

const servers = ['Quire', 'Quire, answers kept', 'http floor', 'Express floor']

describe('benchmark measurement', () => {
  it('stops its load after a failure', async function () {
    this.timeout(30_000)
    let requests = 0
    const server = createServer((_request, response) => {
      requests += 1
      response.writeHead(503).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const contender = {
      ...{ name: 'refusing', url: `http://127.0.0.1:${port}`, headers: {}, pid: 0 },
      removeCreated: () => Promise.resolve(),
    } as unknown as Contender
    const call = () => ({ method: 'GET', path: '/' }) as const
    const way = wayOf('refusing', contender, { enginePid: 0, seconds: 0.05 }, { call })
    const error: unknown = await way.measure(0).catch((it: unknown) => it)
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('answered nothing')
    const before = requests
    await sleep(200)
    expect(requests).to.equal(before)
    server.close()
  })
})

describe('benchmark command', () => {
  it('compares the responses, measures a scenario on all servers, and cleans up', async function () {
    this.timeout(180_000)
    const args = '--size 60 --seconds 0.1 --rounds 1 --only one'
    const { printed, json } = await benchInFolder(args, runBench)
    expect(json.results.map(({ name }) => name)).to.deep.equal(['one'])
    const { ways = {} } = json.results[0] ?? {}
    expect(ways).to.have.all.keys(...servers)
    expect(ways['Quire']?.[0]?.['req/s']).to.be.above(0)
    expect(ways['Quire']?.[0]?.['refused']).to.equal(0)
    expect(ratioOf(json, 'one', 'Quire / Express floor', 'req/s')).to.be.above(0)
    expect(printed).to.include('one document')
  })

  it('measures on a real MongoDB with --mongod', async function () {
    this.timeout(180_000)
    const mongod = (await realMongod()) ?? this.skip()
    const args = `--size 60 --seconds 0.1 --rounds 1 --only one --mongod ${mongod}`
    const { printed, json } = await benchInFolder(args, runBench)
    expect(printed).to.include('; MongoDB, a replica set of one; 60 articles')
    expect(json.results[0]?.ways).to.have.all.keys(...servers)
  })

  it('measures starts with the data of an earlier run, and compares with its results', async function () {
    this.timeout(180_000)
    const data = await mkdtemp(join(tmpdir(), 'quire-test-'))
    try {
      const args = `--size 50 --seconds 0.1 --rounds 1 --only start --data ${data}`
      const first = await benchInFolder(args, runBench)
      expect(first.printed).to.match(/Quire/)
      const earlier = join(data, 'earlier.json')
      await writeFile(earlier, JSON.stringify(first.json))
      const { printed } = await benchInFolder(`${args} --compare ${earlier}`, runBench)
      expect(printed).to.match(/now \/ earlier +first answer ms/)
    } finally {
      await rm(data, { recursive: true })
    }
  })

  it('measures another checkout on a copy of the data, and the first requests after a start', async function () {
    this.timeout(180_000)
    const args = `--size 60 --seconds 0.1 --rounds 1 --only contains,wave --against ${packageRoot}`
    const { printed, json } = await benchInFolder(args, runBench)
    for (const name of ['contains', 'wave'])
      expect(json.results.find((result) => result.name === name)?.ways).to.have.all.keys(
        ...[...servers, 'other', 'other, answers kept'],
      )
    expect(ratioOf(json, 'contains', 'Quire / other', 'req/s')).to.be.above(0)
    expect(json.results.at(-1)?.ways['other']?.[0]).to.include({ answered: 16, refused: 0 })
    expect(printed).to.include('The answers of all servers were compared.')
  })

  it('loads data through the API of a checkout that cannot use the copy', async function () {
    this.timeout(180_000)
    const checkout = await mkdtemp(join(tmpdir(), 'quire-test-'))
    try {
      const main = pathToFileURL(join(packageRoot, 'dist/server/main.js')).href
      await mkdir(join(checkout, 'dist/server'), { recursive: true })
      await writeFile(join(checkout, 'package.json'), '{ "type": "module" }')
      await writeFile(
        join(checkout, 'dist/server/main.js'),
        `import { existsSync, writeFileSync } from 'node:fs'
const marker = new URL(process.env.MONGODB_URI.replaceAll(/\\W/g, '-'), import.meta.url)
if (existsSync(marker)) await import('${main}')
else {
  writeFileSync(marker, '')
  process.exit(1)
}`,
      )
      const args = `--size 60 --seconds 0.1 --rounds 1 --only one --against ${checkout}`
      const { printed, json } = await benchInFolder(args, runBench)
      expect(ratioOf(json, 'one', 'Quire / other', 'req/s')).to.be.above(0)
      expect(printed).to.include('The other checkout loaded its own data')
    } finally {
      await rm(checkout, { recursive: true })
    }
  })

  it('measures ten queries without indexes, with automatic ones, and with manual ones', async function () {
    this.timeout(300_000)
    const args = 'indexes --size 60 --seconds 0.1 --rounds 1'
    const learning = { requests: 5, settledMs: 100 }
    const { printed, json } = await benchInFolder(args, (run) => runIndexes(run, learning))
    // With so few articles, collection scans are fast, so Quire creates no index.
    expect(printed).to.match(/Made after 5 requests of each query:\n$/)
    expect(json.results).to.have.length(12)
    for (const { name, ways } of json.results) {
      expect(ways).to.have.all.keys('no index', 'automatic', 'by hand')
      expect(ratioOf(json, name, 'automatic / by hand', 'req/s')).to.be.above(0)
      expect(ratioOf(json, name, 'automatic / no index', 'req/s')).to.be.above(0)
    }
  })

  it('measures how the cost grows with the number of articles', async function () {
    this.timeout(180_000)
    const args = 'growth --size 50 --seconds 0.1 --rounds 1 --only one,list,populate'
    const { printed, json } = await benchInFolder(args, runGrowth)
    const lone = json.results.filter(({ title }) => title.startsWith('one at a time'))
    const figures = lone.flatMap(({ ways }) => Object.values(ways).flat())
    expect(figures).to.have.length(20)
    for (const { ms } of figures) expect(ms).to.be.above(0)
    expect(json.results.slice(0, -10).map(({ title }) => title)).to.deep.equal([
      'one document, Quire',
      'one document, Express floor',
      'list of 25, Quire',
      'list of 25, Express floor',
      'author, category, tags, Quire',
      'author, category, tags, Express floor',
    ])
    expect(printed).to.match(/list of 25, Quire +500 articles \/ 50 articles( +\d+(\.\d+)?){5}/)
    expect(printed).to.match(/delete of a tag +500 articles \/ 50 articles +\d+/)
  })

  it('measures single and bulk writes', async function () {
    this.timeout(180_000)
    const args = 'bulk --size 500 --seconds 0.1 --rounds 1'
    const { printed, json } = await benchInFolder(args, runBulk)
    expect(json.results.map(({ title }) => title)).to.deep.equal(['create', 'update of one field'])
    for (const { name, ways } of json.results) {
      expect(ways).to.have.all.keys('one connection', '16 connections', 'bulk')
      for (const other of ['one connection', '16 connections'])
        expect(ratioOf(json, name, `bulk / ${other}`, 'writes/s')).to.be.above(0)
    }
    expect(printed).to.include('bulk / 16 connections')
  })

  it('measures unchanged responses in comparison with Express', async function () {
    this.timeout(180_000)
    const args = 'answers --size 50 --seconds 0.1 --rounds 1'
    const { printed, json } = await benchInFolder(args, runAnswers)
    expect(json.results.map(({ name }) => name)).to.deep.equal(['one', 'deep25'])
    for (const { name, title } of json.results) {
      expect(title).to.match(/, [1-9]\d* KB$/)
      expect(ratioOf(json, name, 'Quire / Express', 'req/s')).to.be.above(0)
    }
    expect(printed).to.match(/[1-9]\d* writes to another type meanwhile/)
    expect(printed).to.include('Quire / Express')
  })
})

const ratioOf = (
  { ratios }: BenchJson,
  scenario: string,
  pair: string,
  figure: string,
): number | undefined =>
  ratios.find((ratio) => ratio.name === scenario && ratio.way === pair)?.figures[figure]?.median
