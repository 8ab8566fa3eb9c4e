import { expect } from 'chai'
import fc from 'fast-check'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection } from 'mongodb'
import { runs } from '../../support/properties.js'
import { Cleanup } from './cleanup.js'
import { enginePid, eventually, isAlive, startJournal } from './support.js'

type Entry = { _id: string }

describe('killed database engine', function () {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  it('restarts each time and loses no acknowledged write', async () => {
    const journal = startJournal()
    const host = await cleanup.host(await cleanup.folder(), journal)
    const client = await cleanup.client(host.uri)
    const entries = client.db().collection<Entry>('entries')
    const writers = startWriters(entries)
    cleanup.add(() => writers.end())

    for (const pauseMs of fc.sample(fc.nat(300), { numRuns: runs(6), unbiased: true })) {
      await writers.moreThan(writers.acknowledged.length + 50)
      await sleep(pauseMs)
      const killed = enginePid(journal)
      process.kill(killed, 'SIGKILL')
      await eventually(() => enginePid(journal) !== killed)
      await writers.moreThan(writers.acknowledged.length)
    }

    await writers.end()
    const found = new Set((await entries.find().toArray()).map(({ _id }) => _id))
    expect(writers.acknowledged.filter((id) => !found.has(id))).to.deep.equal([])
    expect(journal.find('starting it again')).to.include({ how: 'killed by SIGKILL' })
  })

  it('makes commands wait until it has restarted, including writes', async () => {
    const journal = startJournal()
    const host = await cleanup.host(await cleanup.folder(), journal)
    const client = await cleanup.client(host.uri)
    const entries = client.db().collection('entries')
    const idle = new Set<unknown>()
    client.on('connectionCheckedIn', ({ connectionId }) => idle.add(connectionId))
    client.on('connectionClosed', ({ connectionId }) => idle.delete(connectionId))
    let count = 0
    // Repeats until the commands are sent while the engine is down. On a slow machine, it may have restarted by then.
    for (let isAway = false; !isAway;) {
      await entries.insertOne({ n: (count += 1) })
      const killed = enginePid(journal)
      process.kill(killed, 'SIGKILL')
      // Waits until no command is in flight: if one failed, the driver would have to select a server again.
      await eventually(() => !isAlive(killed) && idle.size === 0)
      isAway = enginePid(journal) === killed
      await Promise.all([1, 2, 3].map(() => entries.insertOne({ n: (count += 1) })))
      expect(await entries.countDocuments({ n: { $gt: 0 } })).to.equal(count)
    }
  })

  it('restores exact collection totals, and logs that', async () => {
    const journal = startJournal()
    const host = await cleanup.host(await cleanup.folder(), journal)
    const client = await cleanup.client(host.uri)
    const [many, none] = [client.db().collection('many'), client.db().collection('none')]
    await none.insertOne({})
    await none.deleteOne({})
    for (let batch = 0; batch < 27; batch++) {
      await many.insertMany(Array.from({ length: 100 }, (_, i) => ({ batch, i })))
    }
    for (const round of [1, 2]) {
      const killed = enginePid(journal)
      process.kill(killed, 'SIGKILL')
      await eventually(() => enginePid(journal) !== killed)
      expect(journal.find('exact again'), `round ${round}`).to.include({ collections: 2 })
      expect(await many.estimatedDocumentCount()).to.equal(2_700)
      expect(await none.estimatedDocumentCount()).to.equal(0)
    }
  })
})

function startWriters(entries: Collection<Entry>) {
  const acknowledged: string[] = []
  let isEnding = false
  const write = async (writer: number) => {
    for (let count = 0; !isEnding; count++) {
      const _id = `${writer}-${count}`
      // If the engine dies during an insert, the insert fails, and it is unknown whether the entry was stored.
      await entries.insertOne({ _id }).then(
        () => acknowledged.push(_id),
        () => sleep(5),
      )
    }
  }
  const running = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
  return {
    acknowledged,
    moreThan: (count: number) => eventually(() => acknowledged.length > count),
    end: async () => {
      isEnding = true
      await running
    },
  }
}
