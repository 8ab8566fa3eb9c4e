import { expect } from 'chai'
import type { ChildProcess } from 'node:child_process'
import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startMongod } from '../../support/start-mongod.js'
import { Cleanup } from './cleanup.js'
import { eventually, isAlive } from './support.js'
import { freePort } from '../../../scripts/free-port.js'

const mongod = fileURLToPath(new URL('../../../../scripts/mongod', import.meta.url))

describe('scripts/mongod', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  it('can be started by mongodb-memory-server', async () => {
    const server = await startMongod({ binary: { systemBinary: mongod } })
    cleanup.add(() => server.stop())
    const client = await cleanup.client(server.getUri())
    await client.db().collection('a').insertOne({ x: 1 })
    expect(await client.db().collection('a').countDocuments()).to.equal(1)
    await client.close()
    expect(await server.stop()).to.equal(true)
  })

  it('prints its version', async () => {
    const { stdout } = await promisify(execFile)(mongod, ['--version'])
    expect(stdout).to.match(/^db version v\d+\.\d+\.\d+\n$/)
  })

  for (const [problem, args, line] of [
    ['a replica set', ['--replSet', 'rs0'], 'exception in initAndListen: BadValue: '],
    ['authentication', ['--auth'], 'exception in initAndListen: BadValue: '],
    ['an open address', ['--bind_ip', '0.0.0.0'], 'exception in initAndListen: BadValue: '],
    ['an unknown option', ['--sharded'], 'exception in initAndListen: BadValue: '],
    ['a missing folder', ['--dbpath', '/nowhere'], 'exception in initAndListen: NonExistentPath: '],
  ] as const) {
    it(`rejects ${problem}`, async () => {
      const run = start([...args])
      const [code] = (await once(run.process, 'exit')) as [number]
      expect(code).to.equal(1)
      await eventually(() => run.output().startsWith(line))
    })
  }

  it('exits with 0 on SIGINT, and rejects a port or a folder that is in use', async () => {
    const folder = await cleanup.folder()
    const first = start(['--port', String(await freePort()), '--dbpath', folder, '--noauth'])
    await eventually(() => first.output().includes('waiting for connections'))

    const sameFolder = start(['--port', String(await freePort()), '--dbpath', folder])
    await eventually(() =>
      sameFolder.output().includes('exception in initAndListen: DBPathInUse: '),
    )

    const other = await cleanup.folder()
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    cleanup.add(() => Promise.resolve(blocker.close()))
    const samePort = start([
      '--port',
      String((blocker.address() as AddressInfo).port),
      '--dbpath',
      other,
    ])
    await eventually(() => samePort.output().includes('Address already in use'))

    first.process.kill('SIGINT')
    const [code, signal] = (await once(first.process, 'exit')) as [number | null, string | null]
    expect({ code, signal }).to.deep.equal({ code: 0, signal: null })
  })

  it('exits when the process that uses mongodb-memory-server is killed', async () => {
    const parent = fork(
      fileURLToPath(new URL('./fixtures/start-memory-server.js', import.meta.url)),
      [mongod],
    )
    cleanup.add(() => Promise.resolve(parent.kill('SIGKILL')))
    const [pid] = (await once(parent, 'message')) as [number]
    expect(isAlive(pid)).to.equal(true)
    parent.kill('SIGKILL')
    await eventually(() => !isAlive(pid))
  })

  function start(args: string[]) {
    const child = spawn(mongod, args)
    cleanup.add(() => Promise.resolve(child.kill('SIGKILL')))
    return { process: child, output: collect(child) }
  }
})

function collect(child: ChildProcess): () => string {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}
