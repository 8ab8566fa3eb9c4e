import { expect } from 'chai'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MongoClient } from 'mongodb'
import type { DatabaseHost } from '../../../server/database/host.js'
import { startDatabaseHost } from '../../../server/database/host.js'
import { rotateLongLog } from '../../../server/database/mongod/bound-log.js'
import { impatiently } from '../../support/impatiently.js'
import { realMongod } from '../../support/real-mongod.js'
import { sideBySide } from '../../support/side-by-side.js'
import { Cleanup } from './cleanup.js'
import { enginePid, eventually, isAlive, startJournal, type Journal } from './support.js'

type Entry = { _id: number }

describe('MongoDB that Quire runs', function () {
  let mongod = ''
  before(async function () {
    mongod = (await realMongod()) ?? this.skip()
  })
  const test = sideBySide()
  const it = (name: string, run: (tools: ReturnType<typeof toolsOf>) => Promise<void>): void =>
    test(name, ({ cleanup }) => run(toolsOf(cleanup)))
  const toolsOf = (cleanup: Cleanup) => ({
    cleanup,
    start: async (dataDir: string, journal: Journal = startJournal(), pingIntervalMs?: number) => {
      const host = await startDatabaseHost({ dataDir, mongod, log: journal.log, pingIntervalMs })
      cleanup.add(() => host.stop())
      return host
    },
    entriesOf: async ({ uri }: DatabaseHost) =>
      (await cleanup.client(uri)).db().collection<Entry>('entries'),
    failureOf: (starting: Promise<DatabaseHost>) =>
      starting.then(
        (host) => {
          cleanup.add(() => host.stop())
          return ''
        },
        ({ message }: Error) => message,
      ),
  })

  it('is a replica set of one member, and keeps written data across restarts', async ({
    cleanup,
    start,
  }) => {
    const folder = await cleanup.folder()
    for (const round of [1, 2]) {
      const journal = startJournal()
      const host = await start(folder, journal)
      expect(host).to.include({ embedded: false, singleProcess: true })
      const client = await cleanup.client(host.uri)
      const entries = client.db().collection<Entry>('entries')
      await entries.insertOne({ _id: round })
      expect(await entries.countDocuments()).to.equal(round)
      const inTransaction = await client.withSession((session) =>
        session.withTransaction(() => entries.countDocuments({}, { session })),
      )
      expect(inTransaction).to.equal(round)
      await client.close()
      await host.stop()
      expect(isAlive(enginePid(journal))).to.equal(false)
      await host.stop()
    }
    const marker = await readFile(join(folder, 'database-engine.json'), 'utf8')
    expect(JSON.parse(marker)).to.have.property('engine', 'mongod')
  })

  it('requires its password, and keeps its secrets out of logs, arguments and readable files', async ({
    cleanup,
    start,
  }) => {
    const folder = await cleanup.folder()
    const lines: string[] = []
    const journal = startJournal((line) => lines.push(line))
    const host = await start(folder, journal)
    const { host: address, password } = new URL(host.uri)
    const refusals: unknown[] = []
    for (const credentials of ['', 'quire:wrong@', '__system:@'])
      await MongoClient.connect(`mongodb://${credentials}${address}/?directConnection=true`)
        .then(async (client) => {
          cleanup.add(() => client.close())
          await client.db('quire').collection('entries').findOne()
        })
        .catch(({ message }: Error) => refusals.push(message))
    expect(refusals).to.have.lengthOf(3)
    // MongoDB's localhost exception is off: not even the first client can create an admin without credentials.
    const anonymous = new MongoClient(`mongodb://${address}/?directConnection=true`)
    cleanup.add(() => anonymous.close())
    const made = anonymous.db('admin').command({ createUser: 'eve', pwd: 'eve', roles: ['root'] })
    expect(await made.catch((error: { code?: number }) => error.code)).to.equal(13)

    const secrets = [password, (await readFile(join(folder, 'mongod', 'key'), 'utf8')).trim()]
    const pid = enginePid(journal)
    const readable = [
      ...lines,
      await readFile(`/proc/${pid}/cmdline`, 'utf8'),
      await readFile(`/proc/${pid}/environ`, 'utf8'),
      await readFile(join(folder, 'mongod', 'mongod.log'), 'utf8'),
      await readFile(join(folder, 'mongod', 'mongod.conf'), 'utf8'),
    ]
    for (const secret of secrets) {
      expect(secret.length).to.be.greaterThan(60)
      expect(readable.filter((text) => text.includes(secret))).to.deep.equal([])
    }
    for (const name of ['key', 'password', 'mongod.conf', 'mongod.log'])
      expect(statSync(join(folder, 'mongod', name)).mode & 0o777, name).to.equal(0o600)
    expect(statSync(join(folder, 'mongod')).mode & 0o777).to.equal(0o700)
  })

  it('allows its user to write only to its own database', async ({ cleanup, start }) => {
    const client = await cleanup.client((await start(await cleanup.folder())).uri)
    const others = ['admin', 'local', 'elsewhere'].map((name) =>
      client.db(name).collection('entries').insertOne({}),
    )
    const codes = (await Promise.allSettled(others)).map((one) =>
      one.status === 'rejected' ? (one.reason as { code?: number }).code : 0,
    )
    expect(codes).to.deep.equal([13, 13, 13])
  })

  it('restarts when it is killed, and loses no acknowledged write', async ({
    cleanup,
    start,
    entriesOf,
  }) => {
    const journal = startJournal()
    const entries = await entriesOf(await start(await cleanup.folder(), journal))
    const acknowledged: number[] = []
    for (let round = 0; round < 2; round += 1) {
      const killed = enginePid(journal)
      for (let n = 0; n < 100; n += 1) {
        const _id = round * 1_000 + n
        if (n === 50) process.kill(killed, 'SIGKILL')
        await entries.insertOne({ _id }).then(
          () => acknowledged.push(_id),
          () => undefined,
        )
      }
      await eventually(() => enginePid(journal) !== killed)
    }
    const found = new Set((await entries.find().toArray()).map(({ _id }) => _id))
    expect(acknowledged.length).to.be.greaterThan(100)
    expect(acknowledged.filter((id) => !found.has(id))).to.deep.equal([])
    expect(journal.find('starting it again')).to.include({ how: 'killed by SIGKILL' })
  })

  it('is detected and restarted when it is frozen', async ({ cleanup, start, entriesOf }) => {
    const journal = startJournal()
    const entries = await entriesOf(await start(await cleanup.folder(), journal, 400))
    await entries.insertOne({ _id: 1 })
    const frozen = enginePid(journal)
    process.kill(frozen, 'SIGSTOP')
    await eventually(() => enginePid(journal) !== frozen)
    expect(journal.find('is frozen')).to.include({ enginePid: frozen, level: 50 })
    expect(await entries.countDocuments({ _id: 1 })).to.equal(1)
  })

  it('is stopped by the next start if its service was killed', async ({
    cleanup,
    start,
    entriesOf,
    failureOf,
  }) => {
    const folder = await cleanup.folder()
    const service = fork(fileURLToPath(new URL('./fixtures/start-host.js', import.meta.url)), [
      ...[folder, mongod],
    ])
    cleanup.add(() => Promise.resolve(service.kill('SIGKILL')))
    const [started] = (await once(service, 'message')) as [{ uri: string; enginePid: number }]
    const entries = (await cleanup.client(started.uri)).db().collection<Entry>('entries')
    await entries.insertOne({ _id: 1 })

    // As long as the service is alive, no other process can use its folder.
    const refused = await impatiently(() => failureOf(start(folder)))
    expect(refused).to.include('in use by another process')
    service.kill('SIGKILL')
    await once(service, 'exit')
    await entries.insertOne({ _id: 2 })
    const journal = startJournal()
    const host = await start(folder, journal)
    expect(journal.find('whose service was killed')).to.include({ enginePid: started.enginePid })
    expect(enginePid(journal)).to.not.equal(started.enginePid)
    expect(await (await entriesOf(host)).countDocuments()).to.equal(2)
  })

  it('starts over if its first start was interrupted, but never after it was ready once', async ({
    cleanup,
    start,
    failureOf,
  }) => {
    const folder = await cleanup.folder()
    const data = join(folder, 'mongod', 'data')
    // MongoDB cannot start in a folder whose `storage.bson` is broken.
    const broken = join(data, 'storage.bson')
    const killed = join(folder, 'killed-mongod')
    const script = `#!/bin/sh
      [ "$1" = --version ] && exec "${mongod}" --version
      echo broken > "${broken}"
      kill -9 $$`
    await writeFile(killed, script, { mode: 0o700 })
    const { log } = startJournal()
    expect(await failureOf(startDatabaseHost({ dataDir: folder, mongod: killed, log }))).to.include(
      `The MongoDB in ${data} does not start`,
    )
    const journal = startJournal()
    await (await start(folder, journal)).stop()
    expect(journal.find('The first start of MongoDB was interrupted')).to.include({
      directory: data,
    })

    const before = await readdir(data)
    await writeFile(broken, 'broken')
    expect(await failureOf(start(folder))).to.include(`The MongoDB in ${data} does not start`)
    expect(await readFile(broken, 'utf8')).to.equal('broken')
    expect(await readdir(data)).to.include.members(before)
  })

  it('does not touch the folder during the first start of another service there', async ({
    cleanup,
    start,
    failureOf,
  }) => {
    const folder = await cleanup.folder()
    const data = join(folder, 'mongod', 'data')
    // A server creates files before it writes its process id into the lock file.
    const file = join(data, 'begun')
    const slow = join(folder, 'slow-mongod')
    const script = `#!/bin/sh
      [ "$1" = --version ] && exec "${mongod}" --version
      echo begun > "${file}"
      touch "${data}/mongod.lock"
      while [ ! -e "${folder}/go-on" ]; do sleep 0.1; done
      exec "${mongod}" "$@"`
    await writeFile(slow, script, { mode: 0o700 })
    const { log } = startJournal()
    const starting = startDatabaseHost({ dataDir: folder, mongod: slow, log })
    await eventually(() => existsSync(file))
    const refused = await impatiently(() => failureOf(start(folder)))
    expect(existsSync(file)).to.equal(true)
    await writeFile(join(folder, 'go-on'), '')
    const host = await starting
    cleanup.add(() => host.stop())
    expect(refused).to.include('in use by another process')
  })

  it('moves to another port if its own is in use', async ({ cleanup, start, entriesOf }) => {
    const folder = await cleanup.folder()
    const first = await start(folder)
    await (await entriesOf(first)).insertOne({ _id: 1 })
    await first.stop()
    const port = Number(new URL(first.uri).port)
    // Closes connections at once. Otherwise, the start would be delayed by half a minute.
    const other = createServer((socket) => socket.destroy())
    other.listen(port, '127.0.0.1')
    await once(other, 'listening')
    cleanup.add(() => Promise.resolve(other.close()))
    const second = await start(folder)
    expect(new URL(second.uri).port).to.not.equal(String(port))
    expect(await (await entriesOf(second)).countDocuments()).to.equal(1)
  })

  it('rotates its log when it exceeds the size limit', async ({ cleanup, start }) => {
    const folder = await cleanup.folder()
    const host = await start(folder)
    const key = (await readFile(join(folder, 'mongod', 'key'), 'utf8')).trim()
    const { port } = new URL(host.uri)
    const client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      auth: { username: '__system', password: key },
      ...{ authSource: 'local', authMechanism: 'SCRAM-SHA-256' },
    })
    cleanup.add(() => client.close())
    const log = join(folder, 'mongod', 'mongod.log')
    expect(await rotateLongLog(client, log)).to.equal(false)
    const { ino, size } = statSync(log)
    expect(await rotateLongLog(client, log, size - 1)).to.equal(true)
    expect(statSync(`${log}.1`).ino).to.equal(ino)
    await eventually(() => existsSync(log))
    expect(statSync(log).ino).to.not.equal(ino)
  })

  it('rejects a folder of the embedded engine, and vice versa', async ({
    cleanup,
    start,
    failureOf,
  }) => {
    const [ofMongod, ofEngine] = [await cleanup.folder(), await cleanup.folder()]
    await (await start(ofMongod)).stop()
    const { log } = startJournal()
    expect(await failureOf(startDatabaseHost({ dataDir: ofMongod, log }))).to.equal(
      `The content in ${ofMongod} is in a MongoDB that Quire runs, but the settings choose the embedded database. ` +
        'Copy it with `npm run database -- copy --from mongod --to embedded`, ' +
        'or set database.mongod to auto, or to the path of a mongod, to keep using it.',
    )
    await (await cleanup.host(ofEngine)).stop()
    for (const hasMarker of [true, false]) {
      if (!hasMarker) await rm(join(ofEngine, 'database-engine.json'))
      expect(await failureOf(start(ofEngine))).to.equal(
        `The content in ${ofEngine} is in the embedded database, but the settings choose a MongoDB that Quire runs. ` +
          'Copy it with `npm run database -- copy --from embedded --to mongod`, ' +
          'or leave database.mongod unset to keep using it.',
      )
    }
    expect(await readdir(ofEngine)).to.not.include('mongod')
  })

  it('rejects a folder of a newer release, and names the required version', async ({
    cleanup,
    start,
    failureOf,
  }) => {
    const folder = await cleanup.folder()
    const marker = { engine: 'mongod', version: '99.0.1' }
    await writeFile(join(folder, 'database-engine.json'), JSON.stringify(marker))
    expect(await failureOf(start(folder)))
      .to.match(/^The MongoDB in .* was last opened by MongoDB 99\.0\.1, and the older version /)
      .and.to.include('Use 99.0 or later.')
  })
})

describe('database.mongod with a wrong program', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  for (const [program, words] of [
    ['/nowhere/mongod', 'does not run (spawn /nowhere/mongod ENOENT)'],
    [process.execPath, 'it does not print its version'],
  ] as const)
    it(`stops the start with the message: ${words}`, async () => {
      const dataDir = await cleanup.folder()
      const { log } = startJournal()
      const failure = await startDatabaseHost({ dataDir, mongod: program, log }).then(
        () => '',
        ({ message }: Error) => message,
      )
      expect(failure).to.include(words).and.to.include('Set database.mongod to the path of')
      expect(await readdir(dataDir)).to.deep.equal([])
    })
})
