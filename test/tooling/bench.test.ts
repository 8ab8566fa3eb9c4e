import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createClosers } from '../../scripts/bench/closers.js'
import { parseOptions } from '../../scripts/bench/options.js'
import { runBench } from '../../scripts/bench/run-bench.js'

describe('The benchmark', () => {
  it('compares the answers, measures a scenario on three servers, and leaves nothing behind', async function () {
    this.timeout(60_000)
    const folder = await mkdtemp(join(tmpdir(), 'quire-test-'))
    const json = join(folder, 'figures.json')
    // Its own, because others may be running the benchmark at the same time.
    const { TMPDIR } = process.env
    process.env['TMPDIR'] = folder
    const closers = createClosers()
    const printed: string[] = []
    try {
      const args = `--size 60 --seconds 0.1 --rounds 1 --only one --json ${json}`.split(' ')
      const output = {
        print: (text: string) => void printed.push(text),
        onProgress: () => undefined,
      }
      await runBench(parseOptions(args), closers, output)
      const figures = JSON.parse(await readFile(json, 'utf8')) as Figures
      expect(figures.scenarios).to.have.all.keys('one')
      const one = figures.scenarios['one'] ?? {}
      expect(one).to.have.all.keys('Quire', 'http floor', 'Express floor')
      expect(one['Quire']?.median.requestsPerSecond).to.be.above(0)
      expect(one['Quire']?.ofFloors['Express floor']?.requestsPerSecond).to.be.above(0)
      expect(printed.join('\n')).to.include('one document')
    } finally {
      await closers.closeAll()
      if (TMPDIR === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = TMPDIR
    }
    expect(await readdir(folder)).to.deep.equal(['figures.json'])
    await rm(folder, { recursive: true })
  })

  it('names an option that it cannot use', () => {
    expect(() => parseOptions(['--size', 'many'])).to.throw('--size must be a whole number from 50')
    expect(() => parseOptions(['--only', 'one,two'])).to.throw('--only does not know "two"')
    expect(() => parseOptions(['faster'])).to.throw('There is no faster')
  })
})

type Figures = Readonly<{
  scenarios: Readonly<Record<string, Readonly<Record<string, Measured>>>>
}>
type Measured = Readonly<{
  median: Readonly<{ requestsPerSecond: number }>
  ofFloors: Readonly<Record<string, Readonly<{ requestsPerSecond: number }>>>
}>
