import { expect } from 'chai'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import type { MongoMemoryReplSet } from 'mongodb-memory-server'
import { startReplicaSet } from '../../support/start-mongod.js'
import { pino } from 'pino'
import { createClient } from '../../../engine/database/client.js'
import type { OpenSignals } from '../../../server/signals/open-signals.js'
import { openSignals } from '../../../server/signals/open-signals.js'
import type { Change } from '../../../server/signals/signals.js'
import { eventually } from '../database/support.js'
import { isReplicaSet } from '../../support/database-server.js'
import { openStreams } from './open-streams.js'

const user = { user: 'root', pwd: 'root' }

describe('signals from a replica set', function () {
  this.timeout(180_000)
  let set: MongoMemoryReplSet | undefined
  let root: MongoClient
  let db: Db
  const opened: (() => Promise<unknown>)[] = []
  before(async function () {
    // The embedded engine has no change streams.
    if (!isReplicaSet()) return this.skip()
    set = await startReplicaSet({
      replSet: {
        count: 1,
        auth: { enable: true, customRootName: user.user, customRootPwd: user.pwd },
      },
    })
    root = await new MongoClient(uriOf('admin', user)).connect()
    db = root.db('heard')
    await db.collection<{ _id: string }>('_instances').insertOne({ _id: 'me' })
  })
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close()
  })
  after(async () => {
    await root?.close()
    await set?.stop()
  })

  const uriOf = (database: string, { user, pwd }: { user: string; pwd: string }): string => {
    const uri = new URL(set?.getUri(database) ?? '')
    uri.username = user
    uri.password = pwd
    uri.searchParams.set('authSource', 'admin')
    return uri.href
  }
  type Signal = Change & Readonly<{ collection: string }>
  const open = async (account = user) => {
    const client = createClient(uriOf('heard', account), { appName: 'quire' })
    opened.push(() => client.close())
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
    const signals: OpenSignals = await openSignals({
      ...{ db: client.db(), log, instance: 'me', waitTimeoutMs: 5_000 },
    })
    opened.push(signals.stop)
    const received: Signal[] = []
    for (const collection of ['users', '_api_tokens'])
      signals.follow(collection, 'credentials', (change) =>
        received.push({ collection, ...change }),
      )
    signals.follow('locales', 'others', (change) =>
      received.push({ collection: 'locales', ...change }),
    )
    return { signals, received, lines }
  }
  const listening = async () => {
    const all = await open()
    await eventually(() => all.signals.figures().isListening === true)
    all.received.length = 0
    return all
  }

  it('contain the written document and its changed fields', async () => {
    const { received } = await listening()
    const users = db.collection<{ _id: number }>('users')
    await users.insertOne({ _id: 1 })
    await users.updateOne({ _id: 1 }, { $set: { blocked: true } })
    await users.deleteOne({ _id: 1 })
    await db.collection('notes').insertOne({ title: 'nobody follows it' })
    await db.collection('locales').drop()
    await db.collection('locales').insertOne({ code: 'en' })
    await db.collection('locales').drop()
    await eventually(
      () => received.at(-1)?.collection === 'locales' && received.at(-1)?.id === undefined,
    )
    expect(received.slice(0, 3)).to.deep.equal([
      { collection: 'users', id: 1 },
      { collection: 'users', id: 1, fields: ['blocked'] },
      { collection: 'users', id: 1 },
    ])
    expect(received.slice(3).every(({ collection }) => collection === 'locales')).to.equal(true)
  })

  it('have arrived when credentials are confirmed, without another query', async () => {
    const { signals, received } = await listening()
    for (let id = 100; id < 120; id += 1) {
      await db.collection<{ _id: number }>('users').insertOne({ _id: id })
      // After this time, the previous confirmation is too old.
      await new Promise((resolve) => setTimeout(resolve, 260))
      await signals.confirm()
      expect(received.at(-1)).to.deep.equal({ collection: 'users', id })
      if (id % 10 === 9) expect(signals.figures().isListening).to.equal(true)
    }
    expect(received).to.have.length(20)
  })

  it('report writes made while the stream was ended, or a change of everything', async () => {
    const { signals, received, lines } = await listening()
    const users = db.collection<{ _id: number }>('users')
    for (let id = 200; id < 205; id += 1) {
      let cursors: readonly object[] = []
      // Retries, because the server may omit a command that begins or ends at this moment.
      await eventually(async () => {
        const streams = await openStreams(root, 'heard')
        cursors = streams.map(({ cursorId }) => cursorId as object)
        return cursors.length === 1
      })
      received.length = 0
      await db.command({ killCursors: '$cmd.aggregate', cursors })
      await users.insertOne({ _id: id })
      await eventually(() =>
        received.some((change) => change.collection === 'users' && (change.id ?? id) === id),
      )
      await eventually(() => signals.figures().isListening === true)
      await signals.confirm()
    }
    // The log has one line for each time that the stream was lost, and one for each time that it was restored.
    const events = lines.map((line) => (JSON.parse(line) as { event?: string }).event)
    const lost = events.filter((event) => event === 'no-change-stream').length
    expect(lost).to.be.greaterThan(0)
    expect(events.length - lost).to.equal(lost)
  })

  it('report a change of everything after the database was dropped, and continue', async () => {
    const { signals, received } = await listening()
    const dropped = root.db('heard')
    await dropped.dropDatabase()
    await dropped.collection<{ _id: string }>('_instances').insertOne({ _id: 'me' })
    await eventually(() => received.filter(({ id }) => id === undefined).length >= 3)
    await eventually(() => signals.figures().isListening === true)
    await dropped.collection<{ _id: number }>('users').insertOne({ _id: 7 })
    await eventually(() => received.some(({ id }) => id === 7))
  })

  it('rely on polling without the permission for change streams, and the log says so once', async () => {
    const actions = ['find', 'insert', 'update', 'remove']
    const everything = { db: 'heard', collection: '' }
    await root.db('admin').command({
      createRole: 'quiet',
      privileges: [{ resource: everything, actions }],
      roles: [],
    })
    const quiet = { user: 'quiet', pwd: 'quiet' }
    await root.db('admin').command({ createUser: 'quiet', pwd: 'quiet', roles: ['quiet'] })
    const { signals, received, lines } = await open(quiet)
    await eventually(() => lines.length > 0)
    await signals.confirm()
    expect(signals.figures().isListening === true).to.equal(false)
    expect(received).to.deep.equal([{ collection: 'users' }, { collection: '_api_tokens' }])
    expect(lines).to.have.length(1)
    expect(JSON.parse(lines[0] ?? '')).to.include({ event: 'no-change-stream' })
  })

  it('close their change stream when they are stopped', async () => {
    const { signals } = await listening()
    await eventually(async () => (await openStreams(root, 'heard')).length === 1)
    await signals.stop()
    await eventually(async () => (await openStreams(root, 'heard')).length === 0)
  })
})
