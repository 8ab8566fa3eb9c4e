import { expect } from 'chai'
import { pino } from 'pino'
import type { WriteContext } from '../../../engine/write.js'
import { createDocument, deleteDocument } from '../../../engine/write.js'
import type { Repairer } from '../../../server/repair/keep-repaired.js'
import { startRepairer } from '../../../server/repair/keep-repaired.js'
import { startHeartbeat } from '../../../server/repair/heartbeat.js'
import { runRepair, TooManyFindings } from '../../../server/repair/run-repair.js'
import type { ProcessJournal } from '../../../server/repair/process-journal.js'
import { openProcessJournal } from '../../../server/repair/process-journal.js'
import { contentType } from '../../engine/write/model.js'
import type { Writing } from '../../engine/write/start-writing.js'
import { published, startWriting } from '../../engine/write/start-writing.js'
import { Stopped, stoppedAt } from '../../engine/write/stepping.js'
import { eventually } from '../database/support.js'

describe('A service', () => {
  let writing: Writing
  let lines: string[]
  let interruptions = 0
  const open: Repairer[] = []
  before(async () => {
    writing = await startWriting([contentType('note', {}, { drafts: true })], {
      transactions: false,
    })
  })
  after(() => writing.stop())
  beforeEach(async () => {
    lines = []
    interruptions = 0
    await writing.clear()
    for (const name of ['_instances', '_underway']) await writing.db.collection(name).deleteMany({})
  })
  afterEach(async () => {
    for (const repairer of open.splice(0)) await repairer.stop()
  })

  type Instance = { _id: string; seenAt: Date; notes?: boolean; looked?: { at: Date } }
  const instances = () => writing.db.collection<Instance>('_instances')
  const underway = () => writing.db.collection<{ _id: string }>('_underway')
  const start = async ({
    alone = false,
    lingerMs = 60_000,
    lastLookMs: finalCheckMs = 60_000,
    afterCutOffMs = 2_000,
  } = {}) => {
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const { db, registry } = writing
    const heartbeat = await startHeartbeat(db, { log, schemaVersion: () => 1, alone, notes: true })
    const writes = openProcessJournal(db, heartbeat.id, lingerMs, afterCutOffMs)
    const repairer = startRepairer({
      ...{ db, log, heartbeat, writes, lingerMs, alone, finalCheckMs, registry: () => registry },
      ...{ changed: () => undefined, interrupted: () => (interruptions += 1) },
      everyMs: 20,
    })
    open.push(repairer)
    return { ...repairer, writes }
  }
  const create = async () =>
    (await createDocument(writing.context, writing.type('note'), published, {})).documentId
  const die = (error: unknown): void => {
    if (!(error instanceof Stopped)) throw error
  }
  /** A delete that is cut off between its two steps; the process notes it, or is one that does not. */
  const leaveHalfDeleted = async (writes?: ProcessJournal) => {
    const documentId = await create()
    const begun = writes?.begin()
    const half: WriteContext = {
      ...{ ...writing.context, db: stoppedAt(writing.db, 1).db },
      journal: begun?.log,
    }
    await deleteDocument(half, writing.type('note'), documentId, published).catch(die)
    return begun
  }
  /** What a process leaves that was killed. */
  const killed = async (_id: string, seenAt = new Date(Date.now() - 60_000)) => {
    await leaveHalfDeleted(openProcessJournal(writing.db, _id, 0))
    await instances().insertOne({ _id, seenAt, notes: true })
  }
  const left = async () => (await writing.stored('notes')).length
  const isMended = () => eventually(async () => (await left()) === 0)
  const told = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

  it('repairs at its start what a process left that fell silent, and says what it did', async () => {
    await killed('lost')
    await start({ alone: true })
    await eventually(() => lines.length === 3)
    expect(await left()).to.equal(0)
    expect(interruptions).to.equal(1)
    expect(told()[1]).to.include({
      ...{ repair: 'published-without-draft', collection: 'notes', found: 1, repaired: 1 },
      msg: 'Repaired: published versions without a draft, removed',
    })
    expect(told()[2]).to.include({ found: 1, msg: 'The content is consistent' })
    expect(await instances().countDocuments({ _id: 'lost' })).to.equal(0)
    expect(await underway().countDocuments()).to.equal(0)
  })

  it('reads all content after a process that notes nothing, and no other content after one that does', async () => {
    await leaveHalfDeleted()
    await killed('lost')
    await start({ alone: true })
    await eventually(async () => (await left()) === 1)
    await eventually(() => lines.at(-1)?.includes('is consistent') === true)
    await instances().insertOne({ _id: 'older', seenAt: new Date(Date.now() - 60_000) })
    await start({ alone: true })
    await isMended()
  })

  it('reads no content at its start after a clean stop', async () => {
    const first = await start()
    await first.stop()
    await leaveHalfDeleted()
    await start()
    const { stop } = await start()
    await stop()
    expect(await left()).to.equal(1)
    expect(interruptions).to.equal(0)
    expect(lines).to.deep.equal([])
  })

  it('takes whoever is there for lost where it is alone', async () => {
    await killed('killed', new Date())
    await start({ alone: true })
    await isMended()
  })

  it('finds within seconds that another one fell silent, and leaves those that run', async () => {
    await start()
    await start()
    // Its silence is long enough a second from now.
    await killed('killed', new Date(Date.now() - 4_000))
    await isMended()
    // Others may have written beside it: it is looked at once more.
    const isLooked = { _id: 'killed', looked: { $exists: true } }
    await eventually(async () => (await instances().countDocuments(isLooked)) === 1)
    expect(await underway().countDocuments()).to.equal(1)
    expect(await instances().countDocuments({})).to.equal(3)
  })

  it('forgets one that was looked after when nobody writes any more that wrote beside it', async () => {
    await killed('killed', new Date(Date.now() - 60_000))
    await start({ lingerMs: 1 })
    await eventually(async () => (await underway().countDocuments()) === 0)
    await eventually(async () => (await instances().countDocuments()) === 1)
    expect(await left()).to.equal(0)
  })

  it('looks twice after one that was heard of again after it had been looked after', async () => {
    const writes = openProcessJournal(writing.db, 'frozen', 0)
    await leaveHalfDeleted(writes)
    const silent = new Date(Date.now() - 60_000)
    await instances().insertOne({ _id: 'frozen', seenAt: silent, notes: true })
    await start()
    const isLooked = { _id: 'frozen', looked: { $exists: true } }
    await eventually(async () => (await instances().countDocuments(isLooked)) === 1)
    const seenAt = new Date(Date.now() - 30_000)
    await leaveHalfDeleted(writes)
    const long = new Date(0)
    await instances().updateOne({ _id: 'frozen' }, { $set: { seenAt, 'looked.at': long } })
    await isMended()
    const again = { _id: 'frozen', 'looked.at': { $gt: long } }
    await eventually(async () => (await instances().countDocuments(again)) === 1)
    expect(await underway().countDocuments()).to.equal(2)
  })

  it('leaves what it noted to others that run, and is looked after by them at once', async () => {
    const [first] = [await start(), await start()]
    const begun = await leaveHalfDeleted(first.writes)
    begun?.ended(false)
    await first.stop()
    expect(await instances().countDocuments({ seenAt: new Date(0) })).to.equal(1)
    await isMended()
  })

  it('repairs after a write of its own that failed half way', async () => {
    const { writes } = await start({ afterCutOffMs: 20 })
    const begun = await leaveHalfDeleted(writes)
    begun?.ended(true)
    await isMended()
    expect(await underway().countDocuments()).to.equal(1)
  })

  it('looks once more at what a write touched, when those have ended that ran beside it', async () => {
    const { writes } = await start({ lingerMs: 1 })
    const begun = await leaveHalfDeleted(writes)
    begun?.ended(false)
    await isMended()
    await eventually(async () => (await underway().countDocuments()) === 0)
  })

  it('leaves that to others, or to the next start, where it is stopped before', async () => {
    const first = await start()
    const begun = await leaveHalfDeleted(first.writes)
    begun?.ended(true)
    await first.stop()
    expect(await left()).to.equal(1)
    await start({ alone: true })
    await isMended()
  })

  it('looks itself where it is stopped and nobody else can', async () => {
    const first = await start({ alone: true })
    const begun = await leaveHalfDeleted(first.writes)
    begun?.ended(false)
    await first.stop()
    expect(await left()).to.equal(0)
    expect(await underway().countDocuments()).to.equal(0)
    expect(await instances().countDocuments()).to.equal(0)
  })

  it('leaves to the next start what would hold up its stop: many notes, or a look that takes long', async () => {
    for (const [notes, lastLookMs] of [
      [1_001, 60_000],
      [900, 1],
    ] as const) {
      const { writes, stop } = await start({ alone: true, lastLookMs })
      const begun = await leaveHalfDeleted(writes)
      for (let at = 1; at < notes; at += 1)
        begun?.log.add({ uid: 'api::note.note', documentId: `d${at}`, lists: [] })
      begun?.ended(false)
      await stop()
      expect(await instances().countDocuments({ seenAt: new Date(0) }), `${notes}`).to.equal(1)
      await start({ alone: true })
      await isMended()
      await eventually(
        async () => (await instances().countDocuments({ seenAt: new Date(0) })) === 0,
      )
    }
  })

  it('says no goodbye while a write of its own is under way', async () => {
    const first = await start({ alone: true })
    await leaveHalfDeleted(first.writes)
    await first.stop()
    await start({ alone: true })
    await isMended()
  })

  it('stops where there is more than interrupted writes leave', async () => {
    for (let at = 0; at < 4; at += 1) await leaveHalfDeleted()
    const { db, registry } = writing
    const repair = runRepair({ db, registry, repairs: true, maxFindings: 2 })
    expect(await repair.catch((error: unknown) => error)).to.be.instanceOf(TooManyFindings)
    expect(await left()).to.be.greaterThan(0)
  })
})
