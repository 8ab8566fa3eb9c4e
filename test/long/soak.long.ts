import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseOptions } from '../../scripts/soak/options.js'
import { runSoak } from '../../scripts/soak/run-soak.js'
import { figures, type Sample } from '../../scripts/soak/verdict.js'

describe('soak test', function () {
  this.timeout(180_000)
  let out: string
  before(async () => (out = await mkdtemp(join(tmpdir(), 'quire-soak-test-'))))
  after(() => rm(out, { recursive: true, force: true }))

  const soak = async (folder: string, args: readonly string[]) => {
    const printed: string[] = []
    const at = join(out, folder)
    const options = parseOptions([...args, '--sample', '0.5', '--out', at])
    const print = (text: string): void => void printed.push(text)
    await runSoak(options, print, new AbortController().signal)
    const lines = (await readFile(join(at, 'samples.jsonl'), 'utf8')).trim().split('\n')
    const samples = lines.map((line) => JSON.parse(line) as Sample & { kinds: object })
    return { printed, samples }
  }

  it('starts a service, sends all kinds of requests without an error, and writes samples', async () => {
    const { printed, samples } = await soak('own', ['--minutes', '0.15', '--rate', 'max'])
    expect(printed[1]).to.match(/ requests, 0 errors, /)
    const kinds = new Set(samples.flatMap((sample) => Object.keys(sample.kinds)))
    for (const kind of ['list', 'one', 'deep', 'filter', 'not modified', 'create', 'publish'])
      expect([...kinds]).to.include(kind)
    const last = samples.at(-1)
    expect(last?.processes['service 1']).to.include.all.keys(Object.keys(figures))
    expect(last?.processes['service 1']?.heap).to.be.above(1e6)
    expect(last?.processes).to.have.property('database')
  })
})
