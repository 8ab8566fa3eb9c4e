import { expect } from 'chai'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { databaseError } from '../../../engine/errors/database-errors.js'
import { Cleanup } from '../../server/database/cleanup.js'
import { endless, enginePid, startJournal } from '../../server/database/support.js'

describe('commands after their connections were lost', function () {
  const cleanup = new Cleanup()
  const sockets = watchSockets()
  afterEach(() => cleanup.run())

  it('are retried if they read, fail if they write, and give their connections back', async () => {
    const journal = startJournal()
    const host = await cleanup.host(await cleanup.folder(), journal)
    const client = await cleanup.client(host.uri)
    const entries = client.db().collection('entries')
    await entries.insertMany(Array.from({ length: 500 }, (_, n) => ({ n })))
    const atOnce = <T>(count: number, command: () => Promise<T>) =>
      Promise.allSettled(Array.from({ length: count }, command))
    const eight = client.options.maxPoolSize
    // These commands run long enough that the pool opens all its connections.
    await atOnce(eight, () => entries.aggregate(endless('entries'), { maxTimeMS: 200 }).toArray())

    process.kill(enginePid(journal), 'SIGKILL')
    // The engine ends while this thread is blocked, so that all connections are lost in one turn of the event loop.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    while (!sockets.areDying()) await nextTurn()
    const [reads, ...writes] = await Promise.all([
      atOnce<number>(3, () => entries.countDocuments({ n: { $lt: 7 } })),
      atOnce<unknown>(2, () => entries.insertOne({ n: 1 })),
      atOnce<unknown>(2, () => entries.insertMany([{ n: 1 }, { n: 1 }])),
    ])
    expect(reads.map((it) => it.status === 'fulfilled' && it.value)).to.deep.equal([7, 7, 7])
    // It is unknown whether the writes were done.
    const errors = writes.flat().map((it) => it.status === 'rejected' && databaseError(it.reason))
    expect(errors.map((error) => error && error.status)).to.deep.equal([503, 503, 503, 503])
    // More commands than the pool has connections.
    const later = await atOnce(2 * eight, () => entries.findOne({ n: 7 }))
    expect(new Set(later.map(({ status }) => status))).to.deep.equal(new Set(['fulfilled']))
  })
})

function watchSockets() {
  const open = new Set<Socket>()
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket }
    open.add(socket.once('close', () => open.delete(socket)))
  }
  before(() => subscribe('net.client.socket', onSocket))
  after(() => void unsubscribe('net.client.socket', onSocket))
  return {
    areDying: () => [...open].some(({ destroyed }) => destroyed),
  }
}
