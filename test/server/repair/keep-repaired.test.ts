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

describe('repairer of a service', () => {
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
    singleProcess = false,
    lingerMs = 60_000,
    lastLookMs: finalCheckMs = 60_000,
    afterCutOffMs = 2_000,
  } = {}) => {
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const { db, registry } = writing
    const heartbeat = await startHeartbeat(db, {
      log,
      schemaVersion: () => 1,
      singleProcess,
      notes: true,
    })
    const writes = openProcessJournal(db, heartbeat.id, lingerMs, afterCutOffMs)
    const repairer = startRepairer({
      ...{
        db,
        log,
        heartbeat,
        writes,
        lingerMs,
        singleProcess,
        finalCheckMs,
        registry: () => registry,
      },
      interrupted: () => (interruptions += 1),
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
  /**
   * Makes a delete that was interrupted between its two steps. Only with `writes`, the delete is recorded in a journal.
   */
  const leaveHalfDeleted = async (writes?: ProcessJournal) => {
    const documentId = await create()
    const begun = writes?.begin()
    const half: WriteContext = {
      ...{ ...writing.context, db: stoppedAt(writing.db, 1).db },
      journal: begun?.journal,
    }
    await deleteDocument(half, writing.type('note'), documentId, published).catch(die)
    return begun
  }
  const killed = async (_id: string, seenAt = new Date(Date.now() - 60_000)) => {
    await leaveHalfDeleted(openProcessJournal(writing.db, _id, 0))
    await instances().insertOne({ _id, seenAt, notes: true })
  }
  const left = async () => (await writing.stored('notes')).length
  const untilRepaired = () => eventually(async () => (await left()) === 0)
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

  it('repairs writes of a lost process at its start, and logs the result', async () => {
    await killed('lost')
    await start({ singleProcess: true })
    await eventually(() => lines.length === 3)
    expect(await left()).to.equal(0)
    expect(interruptions).to.equal(1)
    expect(logged()[1]).to.include({
      ...{ repair: 'published-without-draft', collection: 'notes', found: 1, repaired: 1 },
      msg: 'Repaired: published versions without a draft, removed',
    })
    expect(logged()[2]).to.include({ found: 1, msg: 'The content is consistent' })
    expect(await instances().countDocuments({ _id: 'lost' })).to.equal(0)
    expect(await underway().countDocuments()).to.equal(0)
  })

  it('checks all content after a process without a journal, but only journaled content after others', async () => {
    await leaveHalfDeleted()
    await killed('lost')
    await start({ singleProcess: true })
    await eventually(async () => (await left()) === 1)
    await eventually(() => lines.at(-1)?.includes('is consistent') === true)
    await instances().insertOne({ _id: 'older', seenAt: new Date(Date.now() - 60_000) })
    await start({ singleProcess: true })
    await untilRepaired()
  })

  it('checks no content at its start after a clean stop', async () => {
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

  it('treats every other process as lost if it is exclusive', async () => {
    await killed('killed', new Date())
    await start({ singleProcess: true })
    await untilRepaired()
  })

  it('detects within seconds that a process is lost, and ignores running processes', async () => {
    await start()
    await start()
    // A second from now, the process will count as lost.
    await killed('killed', new Date(Date.now() - 4_000))
    await untilRepaired()
    // There may be concurrent writes, so the delete is checked once more later.
    const isChecked = { _id: 'killed', looked: { $exists: true } }
    await eventually(async () => (await instances().countDocuments(isChecked)) === 1)
    expect(await underway().countDocuments()).to.equal(1)
    expect(await instances().countDocuments({})).to.equal(3)
  })

  it('removes the journal of a repaired process when no concurrent writes remain', async () => {
    await killed('killed', new Date(Date.now() - 60_000))
    await start({ lingerMs: 1 })
    await eventually(async () => (await underway().countDocuments()) === 0)
    await eventually(async () => (await instances().countDocuments()) === 1)
    expect(await left()).to.equal(0)
  })

  it('repairs the writes of a process a second time if it was active after the first repair', async () => {
    const writes = openProcessJournal(writing.db, 'frozen', 0)
    await leaveHalfDeleted(writes)
    const silent = new Date(Date.now() - 60_000)
    await instances().insertOne({ _id: 'frozen', seenAt: silent, notes: true })
    await start()
    const isChecked = { _id: 'frozen', looked: { $exists: true } }
    await eventually(async () => (await instances().countDocuments(isChecked)) === 1)
    const seenAt = new Date(Date.now() - 30_000)
    await leaveHalfDeleted(writes)
    const long = new Date(0)
    await instances().updateOne({ _id: 'frozen' }, { $set: { seenAt, 'looked.at': long } })
    await untilRepaired()
    const again = { _id: 'frozen', 'looked.at': { $gt: long } }
    await eventually(async () => (await instances().countDocuments(again)) === 1)
    expect(await underway().countDocuments()).to.equal(2)
  })

  it('leaves its journal to other processes when it stops, and they repair it at once', async () => {
    const [first] = [await start(), await start()]
    const begun = await leaveHalfDeleted(first.writes)
    begun?.ended(false)
    await first.stop()
    expect(await instances().countDocuments({ seenAt: new Date(0) })).to.equal(1)
    await untilRepaired()
  })

  it('repairs its own write after it failed', async () => {
    const { writes } = await start({ afterCutOffMs: 20 })
    const begun = await leaveHalfDeleted(writes)
    begun?.ended(true)
    await untilRepaired()
    expect(await underway().countDocuments()).to.equal(1)
  })

  it('checks journaled documents once more after concurrent writes have ended', async () => {
    const { writes } = await start({ lingerMs: 1 })
    const begun = await leaveHalfDeleted(writes)
    begun?.ended(false)
    await untilRepaired()
    await eventually(async () => (await underway().countDocuments()) === 0)
  })

  it('leaves a repair to others, or to the next start, if it is stopped before', async () => {
    const first = await start()
    const begun = await leaveHalfDeleted(first.writes)
    begun?.ended(true)
    await first.stop()
    expect(await left()).to.equal(1)
    await start({ singleProcess: true })
    await untilRepaired()
  })

  it('repairs while it stops if no other process can', async () => {
    const first = await start({ singleProcess: true })
    const begun = await leaveHalfDeleted(first.writes)
    begun?.ended(false)
    await first.stop()
    expect(await left()).to.equal(0)
    expect(await underway().countDocuments()).to.equal(0)
    expect(await instances().countDocuments()).to.equal(0)
  })

  it('leaves a repair to the next start if it would delay its stop', async () => {
    for (const [notes, lastLookMs] of [
      [1_001, 60_000],
      [900, 1],
    ] as const) {
      const { writes, stop } = await start({ singleProcess: true, lastLookMs })
      const begun = await leaveHalfDeleted(writes)
      for (let at = 1; at < notes; at += 1)
        begun?.journal.add({ uid: 'api::note.note', documentId: `d${at}`, lists: [] })
      begun?.ended(false)
      await stop()
      expect(await instances().countDocuments({ seenAt: new Date(0) }), `${notes}`).to.equal(1)
      await start({ singleProcess: true })
      await untilRepaired()
      await eventually(
        async () => (await instances().countDocuments({ seenAt: new Date(0) })) === 0,
      )
    }
  })

  it('keeps its instance record if it stops during a write, so that the next start repairs it', async () => {
    const first = await start({ singleProcess: true })
    await leaveHalfDeleted(first.writes)
    await first.stop()
    await start({ singleProcess: true })
    await untilRepaired()
  })

  it('stops if it finds more than interrupted writes can leave', async () => {
    for (let at = 0; at < 4; at += 1) await leaveHalfDeleted()
    const { db, registry } = writing
    const repair = runRepair({ db, registry, repairs: true, maxFindings: 2 })
    expect(await repair.catch((error: unknown) => error)).to.be.instanceOf(TooManyFindings)
    expect(await left()).to.be.greaterThan(0)
  })
})
