import { expect } from 'chai'
import { startDatabaseHost } from '../../../server/database/host.js'
import { createFreezeWatch } from '../../../server/database/freeze-watch.js'
import { Cleanup } from './cleanup.js'
import { endless, enginePid, eventually, isAlive, startJournal } from './support.js'

describe('frozen database engine', function () {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  it('is detected, killed and restarted without losing acknowledged writes', async () => {
    const journal = startJournal()
    const dataDir = await cleanup.folder()
    const host = await startDatabaseHost({ dataDir, log: journal.log, pingIntervalMs: 400 })
    cleanup.add(() => host.stop())
    const entries = (await cleanup.client(host.uri)).db().collection('entries')
    await entries.insertOne({ n: 1 })
    const frozen = enginePid(journal)
    process.kill(frozen, 'SIGSTOP')
    await eventually(() => enginePid(journal) !== frozen, 30_000)
    expect(journal.find('is frozen')).to.include({ enginePid: frozen, level: 50 })
    expect(isAlive(frozen)).to.equal(false)
    expect(await entries.countDocuments({ n: 1 })).to.equal(1)
  })

  it('is not confused with a busy engine', async () => {
    const journal = startJournal()
    const dataDir = await cleanup.folder()
    const host = await startDatabaseHost({ dataDir, log: journal.log, pingIntervalMs: 500 })
    cleanup.add(() => host.stop())
    const client = await cleanup.client(host.uri)
    const numbers = client.db().collection('numbers')
    await numbers.insertMany(Array.from({ length: 2_000 }, (_, i) => ({ i })))
    const queries = Array.from({ length: 6 }, () =>
      numbers
        .aggregate(endless('numbers'), { maxTimeMS: 5_000 })
        .toArray()
        .catch((error: { code?: number }) => error.code),
    )
    expect(new Set(await Promise.all(queries))).to.deep.equal(new Set([50]))
    expect(journal.find('is frozen')).to.equal(undefined)
  })
})

describe('freeze watch', () => {
  /**
   * Returns the ticks at which the watch reports that the process is frozen. `answers` says at which ticks it responds.
   */
  const watch = (
    ticks: number,
    answers: (tick: number) => boolean,
    isBusy: (tick: number) => boolean | undefined,
  ): readonly number[] => {
    let tick = 0
    let answer = (): void => undefined
    const isFrozen = createFreezeWatch({
      ping: (answered) => (answer = answered),
      isBusy: () => isBusy(tick),
    })
    const frozen: number[] = []
    for (tick = 1; tick <= ticks; tick += 1) {
      if (answers(tick)) answer()
      if (isFrozen()) frozen.push(tick)
    }
    return frozen
  }
  const never = () => false
  const always = () => true

  it('reports a freeze after five ticks without a response and without work', () => {
    expect(watch(10, always, never)).to.deep.equal([])
    expect(watch(6, never, never)).to.deep.equal([6])
    expect(watch(20, (tick) => tick % 5 === 0, never)).to.deep.equal([])
  })

  it('does not report a process that works without responding', () => {
    expect(watch(100, never, always)).to.deep.equal([])
    expect(watch(100, never, (tick) => tick % 5 === 0)).to.deep.equal([])
  })

  it('waits longer if it is unknown whether the process works', () => {
    expect(watch(16, never, () => undefined)).to.deep.equal([16])
  })
})
