import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { createClosers } from '../../scripts/bench/closers.js'
import { parseOptions } from '../../scripts/soak/options.js'
import { runSoak } from '../../scripts/soak/run-soak.js'
import type { Sample } from '../../scripts/soak/sample.js'
import { startApp } from '../support/start-app.js'

describe('A soak', function () {
  this.timeout(180_000)
  let out: string
  before(async () => (out = await mkdtemp(join(tmpdir(), 'quire-soak-test-'))))
  after(() => rm(out, { recursive: true, force: true }))

  const soak = async (folder: string, args: readonly string[]) => {
    const printed: string[] = []
    const closers = createClosers()
    const at = join(out, folder)
    const options = parseOptions([...args, '--sample', '0.5', '--out', at], {})
    const output = {
      print: (text: string) => void printed.push(text),
      onProgress: () => undefined,
      signal: new AbortController().signal,
    }
    try {
      await runSoak(options, closers, output)
    } finally {
      await closers.closeAll()
    }
    const lines = (await readFile(join(at, 'samples.jsonl'), 'utf8')).trim().split('\n')
    const samples = lines.map((line) => JSON.parse(line) as Sample)
    return { printed, samples, report: await readFile(join(at, 'report.html'), 'utf8') }
  }

  it('starts a service, asks it for all kinds of things without an error, and writes what it saw', async () => {
    const { printed, samples, report } = await soak('own', ['--minutes', '0.15', '--rate', 'max'])
    expect(printed[0]).to.match(/ requests, 0 errors, /)
    expect(report).to.include('<figcaption>Event loop delay, p99')
    const kinds = new Set(samples.flatMap((sample) => Object.keys(sample.kinds)))
    for (const kind of ['list', 'one', 'deep', 'filter', 'not modified', 'create', 'publish'])
      expect([...kinds]).to.include(kind)
    const last = samples.at(-1)
    expect(last?.processes['service 1']?.heapUsed).to.be.above(1e6)
    expect(last?.processes).to.have.property('database')
  })

  it('asks a service that runs, and leaves neither its token nor its user behind', async () => {
    const login = { email: 'soak@example.com', password: 'Correct-horse-1' }
    const app = await startApp({
      schemaDir: fileURLToPath(new URL('../../../schema', import.meta.url)),
      environment: { ADMIN_EMAIL: login.email, ADMIN_PASSWORD: login.password },
    })
    const told = ['--url', `${app.url}/`, '--email', login.email, '--password', login.password]
    const { printed } = await soak('running', [...told, '--minutes', '0.05'])
    expect(printed[0]).to.match(/ requests, 0 errors, /)
    const { db } = app.quire.services
    expect(await db.collection('_api_tokens').countDocuments({ name: /^Soak/ })).to.equal(0)
    expect(await db.collection('users').countDocuments({})).to.equal(0)
    await app.stop()
  })
})
