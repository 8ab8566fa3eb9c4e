import { expect } from 'chai'
import fc from 'fast-check'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../../server/settings/config.js'
import type { Quire } from '../../../server/lifecycle/start.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { enginePid, startJournal } from './support.js'
import { sender } from '../../support/request.js'
import type { Send } from './crash-load.js'
import { CrashLoad, crashModel } from './crash-load.js'

/** If a request hangs because of the kill, it gets an error after this time. The engine restarts in less. */
const queryTimeoutMs = 60_000

/** Kills the embedded engine of a service during writes, `rounds` times. */
export function describeEngineCrash(rounds: number): void {
  describe(`service whose database engine is killed ${rounds} times`, () => crash(rounds))
}

function crash(rounds: number): void {
  const journal = startJournal()
  let folder: string
  let quire: Quire
  let token: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-crash-'))
    await mkdir(join(folder, 'schema', 'content-types'), { recursive: true })
    for (const [name, definition] of Object.entries(crashModel))
      await writeFile(join(folder, 'schema', name), JSON.stringify(definition))
    const env = {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      SCHEMA_DIR: join(folder, 'schema'),
      API_REST_QUERY_TIMEOUT_MS: String(queryTimeoutMs),
    }
    quire = await startQuire(loadConfig(env, folder), { log: journal.log })
    const draft = { name: 'crash', description: '', type: 'full-access', permissions: [] } as const
    token = (await quire.access.tokens.create({ ...draft, lifespan: null }, null)).accessKey
  })
  after(async () => {
    await quire.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('responds to every request, loses no acknowledged write, and needs only one repair', async function () {
    this.timeout(rounds * 20_000)
    const send = sender(quire.url)
    const late: string[] = []
    const request: typeof send = async (method, path, options) => {
      const answer = await send(method, path, options)
      const { error } = (answer.body ?? {}) as { error?: { message: string } }
      if (/took (longer|too long)/.test(error?.message ?? '')) late.push(`${method} ${path}`)
      return answer
    }
    const list = async (): Promise<number> => {
      const { status } = await request('GET', '/api/albums?pagination[pageSize]=1', { token })
      expect(status).to.be.oneOf([200, 503])
      return status
    }
    const write: Send = (method, path, data) =>
      request(method, `/api/${path}`, { token, ...(data && { body: { data } }) })
    const load = new CrashLoad()
    await load.prepare(write)
    const pauses = fc.sample(fc.nat(350), { numRuns: rounds, unbiased: true })
    for (const [round, pauseMs] of pauses.entries()) {
      let isLoaded = true
      const client = (at: number) => load.run(write, `${round} ${at}`, () => !isLoaded)
      const read = async (): Promise<void> => {
        while (isLoaded) await list()
      }
      const clients = [client(0), client(1), client(2), read(), read()]
      // Waits for some writes, so that the engine has something to lose even on a slow machine.
      const aim = load.acknowledged + 2
      const isAtWork = await until(() => load.acknowledged >= aim, queryTimeoutMs)
      expect(isAtWork, `writes of round ${round}`).to.equal(true)
      await pause(pauseMs)
      process.kill(enginePid(journal), 'SIGKILL')
      const answered = await until(async () => (await list()) === 200, queryTimeoutMs)
      expect(answered, `round ${round}`).to.equal(true)
      isLoaded = false
      await Promise.all(clients)
      const { db, registry } = quire.services
      await load.check(db, registry(), round)
    }
    expect(late).to.deep.equal([])
    expect(load.acknowledged).to.be.greaterThan(rounds)
  })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function until(holds: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    if (await holds()) return true
    await pause(20)
  }
  return false
}
