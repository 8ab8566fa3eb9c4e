import { expect } from 'chai'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MongoClient, MongoServerError } from 'mongodb'
import { BSON } from 'mongodb'
import { connectDatabase } from '../../../server/database/connect.js'
import { commandMessage } from '../../../server/database/embedded/wire.js'
import type { DatabaseHost } from '../../../server/database/host.js'
import type { Journal } from './support.js'
import { Cleanup } from './cleanup.js'
import { endless, enginePid, eventually, startJournal } from './support.js'

describe('embedded engine', () => {
  const cleanup = new Cleanup()
  let journal: Journal
  let client: MongoClient
  let host: DatabaseHost
  let socketPath: string
  let firstPid: number

  before(async () => {
    journal = startJournal()
    host = await cleanup.host(await cleanup.folder(), journal)
    firstPid = enginePid(journal)
    socketPath = decodeURIComponent(host.uri.slice('mongodb://'.length).split('/')[0] ?? '')
    client = await cleanup.client(host.uri, 20)
  })
  afterEach(() => expect(enginePid(journal), 'the engine did not die').to.equal(firstPid))
  after(() => cleanup.run())

  for (const name of [
    'startSession',
    'refreshSessions',
    'killSessions',
    'killAllSessions',
    'killAllSessionsByPattern',
  ]) {
    it(`rejects ${name}, which would crash the engine`, async () => {
      const error = await client
        .db('admin')
        .command({ [name]: [] })
        .catch((reason: unknown) => reason)
      expect(error).to.include({ code: 115, codeName: 'CommandNotSupported' })
    })
  }

  it('accepts endSessions, which drivers send when they close', async () => {
    expect(await client.db('admin').command({ endSessions: [] })).to.deep.equal({ ok: 1 })
  })

  it('rejects fsync with lock', async () => {
    const error = await client
      .db('admin')
      .command({ fsync: 1, lock: true })
      .catch((reason: unknown) => reason)
    expect(error).to.include({ code: 115 })
    expect(await client.db('admin').command({ fsync: 1 })).to.include({ ok: 1 })
  })

  it('answers queries that must choose between indexes without early results', async () => {
    const notes = client.db('plans').collection<{ _id: number }>('notes')
    await notes.createIndexes([{ key: { locale: 1, _id: 1 } }, { key: { locale: 1, views: 1 } }])
    const count = 12_000
    await notes.insertMany(
      Array.from({ length: count }, (_, n) => ({ _id: n, locale: 'en', views: n, title: `${-n}` })),
    )
    expect(await notes.findOne({ locale: 'en', title: 'none' })).to.equal(null)
    const sorted = notes.find({ locale: 'en' }, { sort: { title: 1 }, limit: 1 })
    expect((await sorted.toArray()).map(({ _id }) => _id)).to.deep.equal([1])
  })

  it('answers a malformed command with an error, and keeps the connection open', async () => {
    const socket = connect(socketPath)
    cleanup.add(() => Promise.resolve(socket.destroy()))
    const broken = commandMessage({ ping: 1, $db: 'admin' })
    broken.writeInt32LE(2_012, 12)
    socket.write(broken)
    expect(await readReply(socket)).to.include({ ok: 0, code: 17 })
    socket.write(commandMessage({ ping: 'é', $db: 7 }))
    expect(await readReply(socket)).to.include({ ok: 0 })
    socket.write(commandMessage({ ping: 1, $db: 'admin' }))
    expect(await readReply(socket)).to.deep.equal({ ok: 1 })
  })

  it('closes the connection after a message that is too long', async () => {
    const socket = connect(socketPath)
    const header = Buffer.alloc(16)
    header.writeInt32LE(48_000_001, 0)
    socket.write(header)
    await once(socket, 'close')
  })

  it('stores and finds documents of 15 MB', async () => {
    const large = client.db().collection('large')
    await large.insertOne({ text: 'x'.repeat(15_000_000) })
    expect((await large.findOne())?.['text']).to.have.length(15_000_000)
  })

  it('answers hello, ping, $currentOp and killOp while slow queries occupy every slot', async () => {
    const numbers = client.db().collection('numbers')
    await numbers.insertMany(Array.from({ length: 2_000 }, (_, i) => ({ i })))
    let ended = 0
    const slow = Array.from({ length: 12 }, () =>
      numbers
        .aggregate(endless('numbers'))
        .toArray()
        .then(
          () => undefined,
          (error: MongoServerError) => error.code,
        )
        .finally(() => ended++),
    )
    const admin = client.db('admin')
    for (;;) {
      await admin.command({ ping: 1 })
      await admin.command({ hello: 1 })
      const running = await admin
        .aggregate([{ $currentOp: { allUsers: true } }, { $match: { ns: 'quire.numbers' } }])
        .toArray()
      expect(running.length).to.be.at.most(7)
      for (const { opid } of running) await admin.command({ killOp: 1, op: opid as number })
      if (ended === slow.length) break
      await sleep(10)
    }
    expect(await Promise.all(slow)).to.deep.equal(slow.map(() => 11_601))
  })

  it('aborts the read of a client that disconnects, and no other', async () => {
    const numbers = client.db().collection('numbers')
    const admin = client.db('admin')
    const running = async () =>
      (
        await admin
          .aggregate([{ $currentOp: { allUsers: true } }, { $match: { ns: 'quire.numbers' } }])
          .toArray()
      ).map(({ opid }) => opid as number)
    const hangUp = new AbortController()
    const other = new AbortController()
    const endings = [hangUp, other].map(({ signal }) =>
      numbers
        .aggregate(endless('numbers'), { signal })
        .toArray()
        .catch((reason: unknown) => reason),
    )
    await eventually(async () => (await running()).length === 2)
    hangUp.abort(new Error('hung up'))
    expect(await endings[0]).to.have.property('message', 'hung up')
    await eventually(async () => (await running()).length === 1)
    await sleep(300)
    expect(await running(), 'the same read by another client').to.have.length(1)
    other.abort()
    await eventually(async () => (await running()).length === 0)
    await endings[1]
    expect(await numbers.countDocuments()).to.equal(2000)
  })

  it('keeps slots for short reads, however many worker threads run long ones', async () => {
    const numbers = client.db().collection('numbers')
    const worker = await connectDatabase(host.uri, { appName: 'quire worker', maxPoolSize: 20 })
    cleanup.add(() => worker.close())
    const stop = new AbortController()
    const slow = Array.from({ length: 9 }, () =>
      worker
        .db()
        .collection('numbers')
        .aggregate(endless('numbers'), { signal: stop.signal })
        .toArray()
        .catch(() => undefined),
    )
    const running = async () =>
      (
        await client
          .db('admin')
          .aggregate([{ $currentOp: { allUsers: true } }, { $match: { ns: 'quire.numbers' } }])
          .toArray()
      ).length
    await eventually(async () => (await running()) === 4)
    expect(await numbers.findOne({ i: 1 })).to.include({ i: 1 })
    expect(await running()).to.equal(4)
    stop.abort()
    await Promise.all(slow)
    await eventually(async () => (await running()) === 0)
  })

  it('serves 200 connections concurrently', async () => {
    const clients = await Promise.all(
      Array.from({ length: 10 }, () =>
        cleanup.client(`mongodb://${encodeURIComponent(socketPath)}/`, 20),
      ),
    )
    const counters = client.db().collection<{ _id: string; n: number }>('counters')
    await counters.insertOne({ _id: 'c', n: 0 })
    await Promise.all(
      clients.flatMap((one) =>
        Array.from({ length: 20 }, () =>
          one
            .db()
            .collection<{ _id: string }>('counters')
            .updateOne({ _id: 'c' }, { $inc: { n: 1 } }),
        ),
      ),
    )
    expect(await counters.findOne()).to.deep.equal({ _id: 'c', n: 200 })
  })
})

async function readReply(socket: ReturnType<typeof connect>): Promise<BSON.Document> {
  const [frame] = (await once(socket, 'data')) as [Buffer]
  return BSON.deserialize(frame.subarray(21))
}
