import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { startDatabaseHost } from '../../../server/database/host.js'
import { realMongod } from '../../support/real-mongod.js'
import { testSecrets } from '../../support/test-secrets.js'
import { Cleanup } from '../database/cleanup.js'
import { eventually, isAlive, startJournal } from '../database/support.js'

const script = fileURLToPath(new URL('./fixtures/start-child.js', import.meta.url))

/**
 * Defines one test per kind of child process. The test kills the parent at each of these times, in ms after the start
 * of the child.
 */
export function describeKilledParents(delays: readonly number[]): void {
  describe('killed parent process', function () {
    this.timeout(delays.length * 60_000)
    const cleanup = new Cleanup()
    afterEach(() => cleanup.run())

    for (const kind of ['engine', 'engine that is started again', 'service of `quire start`'])
      it(`ends its ${kind}, and the next start opens the folder`, async () => {
        for (const delay of delays) {
          const folder = await cleanup.folder()
          const pid = await startAndKill(kind, folder, delay)
          await untilEnded(pid, delay)
          await (await cleanup.host(folder)).stop()
        }
      })

    for (const kind of ['picture worker', 'export worker', 'download of MongoDB'])
      it(`ends its ${kind}`, async () => {
        const silent = createServer().listen(0, '127.0.0.1')
        await once(silent, 'listening')
        cleanup.add(() => Promise.resolve(silent.close()))
        const { port } = silent.address() as AddressInfo
        for (const delay of delays) {
          const url = `http://127.0.0.1:${port}`
          await untilEnded(await startAndKill(kind, await cleanup.folder(), delay, url), delay)
        }
      })

    it('leaves the MongoDB that Quire runs, which the next start ends', async function () {
      const mongod = (await realMongod()) ?? this.skip()
      for (const delay of delays) {
        const dataDir = await cleanup.folder()
        const pid = await startAndKill('MongoDB that Quire runs', dataDir, delay, mongod)
        const host = await startDatabaseHost({ dataDir, mongod, log: startJournal().log })
        cleanup.add(() => host.stop())
        await untilEnded(pid, delay)
        await host.stop()
      }
    })
  })
}

async function startAndKill(
  kind: string,
  folder: string,
  delay: number,
  service = '',
): Promise<number> {
  const parent = fork(script, [kind, folder, `${delay}`, service], {
    env: { PATH: process.env['PATH'], ...testSecrets, DATA_DIR: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exit = once(parent, 'exit')
  // The parent's output is read until the parent has ended, because a service writes its log to it.
  const [line] = (await once(parent.stdout?.setEncoding('utf8') ?? parent, 'data')) as [string]
  const [, signal] = (await exit) as [number | null, string | null]
  expect(signal).to.equal('SIGKILL')
  parent.stdout?.destroy()
  return Number(/^\d+$/m.exec(line)?.[0])
}

async function untilEnded(pid: number, delay: number): Promise<void> {
  expect(pid, 'process id').to.be.above(1)
  await eventually(() => !isAlive(pid)).catch((error: unknown) => {
    process.kill(pid, 'SIGKILL')
    throw new Error(`${pid} lives on, ${delay} ms`, { cause: error })
  })
}
