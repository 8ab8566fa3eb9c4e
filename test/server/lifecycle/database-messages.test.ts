import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { startDatabaseHost } from '../../../server/database/host.js'
import { realMongod } from '../../support/real-mongod.js'
import { runService } from '../../support/service-process.js'
import { sideBySide } from '../../support/side-by-side.js'
import type { Cleanup } from '../database/cleanup.js'
import { eventually, startJournal } from '../database/support.js'

describe('start-up message about MongoDB', function () {
  this.timeout(120_000)
  let mongod = ''
  before(async function () {
    mongod = (await realMongod()) ?? this.skip()
  })
  const it = sideBySide()

  const run = async (cleanup: Cleanup, uri: string) => {
    const folder = await cleanup.folder()
    const service = runService({ MONGODB_URI: uri, DATA_DIR: folder }, folder)
    cleanup.add(async () => {
      service.kill('SIGTERM')
      await service.ended
    })
    return service
  }

  const startServer = async (cleanup: Cleanup, ...options: string[]): Promise<number> => {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    probe.close()
    await once(probe, 'close')
    const folder = await cleanup.folder()
    const where = ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', folder]
    const server = spawn(mongod, [...where, '--nounixsocket', ...options], { stdio: 'ignore' })
    const ended = once(server, 'exit')
    cleanup.add(async () => {
      server.kill('SIGKILL')
      await ended
    })
    return port
  }

  it('names missing permissions and their database, and never contains a password', async ({
    cleanup,
  }) => {
    const dataDir = await cleanup.folder()
    const host = await startDatabaseHost({ dataDir, mongod, log: startJournal().log })
    cleanup.add(() => host.stop())
    const address = new URL(host.uri).host
    const key = (await readFile(join(dataDir, 'mongod', 'key'), 'utf8')).trim()
    const admin = await MongoClient.connect(`mongodb://${address}/?directConnection=true`, {
      auth: { username: '__system', password: key },
      ...{ authSource: 'local', authMechanism: 'SCRAM-SHA-256' },
    })
    cleanup.add(() => admin.close())
    await admin.db('admin').command({
      ...{ createUser: 'reader', pwd: 'S3cr3t-w0rd', roles: [{ role: 'read', db: 'site' }] },
    })
    const uri = (credentials: string) =>
      `mongodb://${credentials}${address}/site?replicaSet=quire&authSource=admin`
    for (const [credentials, said] of [
      [
        'reader:S3cr3t-w0rd@',
        'The user of MONGODB_URI lacks permissions in the database site: ' +
          'insert, update, remove, createCollection, createIndex, dropIndex. ' +
          'Give it the role readWrite on site (grantRolesToUser), or use another user.\n',
      ],
      [
        'reader:S3cr3t-guess@',
        `Cannot use the database at mongodb://***@${address}/site: the server does not accept the user or ` +
          'the password (authSource must be the database of the user). Check MONGODB_URI.\n',
      ],
      ['', 'The server requires authentication, but MONGODB_URI has no user.\n'],
    ] as const) {
      const { code, stdout, stderr } = await (await run(cleanup, uri(credentials))).ended
      expect(stderr).to.equal(said)
      expect(code).to.equal(1)
      expect(stdout + stderr).to.not.include('S3cr3t')
    }
  })

  it('says that the replica set has no primary, and which members were reached', async ({
    cleanup,
  }) => {
    const port = await startServer(cleanup, '--replSet', 'rs0')
    const client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`)
    cleanup.add(() => client.close())
    const db = client.db('admin')
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }]
    // Milliseconds without a majority after which a primary steps down.
    const settings = { electionTimeoutMillis: 1_000 }
    await db.command({ replSetInitiate: { _id: 'rs0', members, settings } })
    await eventually(async () => (await db.command({ hello: 1 }))['isWritablePrimary'] === true)
    type Config = { version: number; members: object[] }
    const { config } = (await db.command({ replSetGetConfig: 1 })) as unknown as { config: Config }
    config.version += 1
    for (const _id of [1, 2]) config.members.push({ _id, host: `127.0.0.1:${_id}` })
    await db.command({ replSetReconfig: config, force: true })
    await eventually(async () => (await db.command({ hello: 1 }))['secondary'] === true, 60_000)
    const hosts = `127.0.0.1:${port},127.0.0.1:1,127.0.0.1:2`
    const service = await run(
      cleanup,
      `mongodb://${hosts}/site?replicaSet=rs0&serverSelectionTimeoutMS=2000`,
    )
    const { code, stderr } = await service.ended
    expect(code).to.equal(1)
    expect(stderr)
      .to.include('the replica set rs0 has no primary: ')
      .and.to.include(`127.0.0.1:${port} is a secondary`)
      .and.to.include('127.0.0.1:1 was not reached (ECONNREFUSED)')
      .and.to.include('127.0.0.1:2 was not reached (ECONNREFUSED)')
  })

  it('warns that a standalone server has no transactions', async ({ cleanup }) => {
    const service = await run(
      cleanup,
      `mongodb://127.0.0.1:${await startServer(cleanup)}/site?retryWrites=false`,
    )
    await service.url
    service.kill('SIGTERM')
    const { code, stdout } = await service.ended
    expect(code).to.equal(0)
    const warned = stdout.split('\n').filter((line) => line.includes('standalone-database'))
    expect(warned).to.have.lengthOf(1)
    expect(warned[0]).to.include('It has no transactions').and.to.include('"level":40')
  })
})
