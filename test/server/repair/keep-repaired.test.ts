import { expect } from 'chai'
import { pino } from 'pino'
import { createDocument, deleteDocument } from '../../../engine/write.js'
import type { Repairer } from '../../../server/repair/keep-repaired.js'
import { keepRepaired } from '../../../server/repair/keep-repaired.js'
import { openPresence } from '../../../server/repair/presence.js'
import { runRepair, TooManyFindings } from '../../../server/repair/run-repair.js'
import { contentType } from '../../engine/write/model.js'
import type { Writing } from '../../engine/write/start-writing.js'
import { published, startWriting } from '../../engine/write/start-writing.js'
import { Stopped, stoppedAt } from '../../engine/write/stepping.js'

describe('A service', () => {
  let writing: Writing
  let lines: string[]
  const open: Repairer[] = []
  before(async () => {
    writing = await startWriting([contentType('note', {}, { drafts: true })], {
      transactions: false,
    })
  })
  after(() => writing.stop())
  beforeEach(async () => {
    lines = []
    await writing.clear()
    await instances().deleteMany({})
    await leaveHalfDeleted()
  })
  afterEach(async () => {
    for (const repairer of open.splice(0)) await repairer.stop()
  })

  const instances = () => writing.db.collection<{ _id: string; seenAt: Date }>('_instances')
  const start = async (alone = false) => {
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const { db, registry } = writing
    const presence = await openPresence(db, { log, schemaVersion: () => 1, alone })
    const parts = {
      ...{ db, log, presence, registry: () => registry, format: () => 2 },
      changed: () => undefined,
    }
    const repairer = await keepRepaired(parts)
    open.push(repairer)
    return repairer
  }
  const leaveHalfDeleted = async () => {
    const { context, type, db } = writing
    const { documentId } = await createDocument(context, type('note'), published, {})
    const half = { ...context, db: stoppedAt(db, 1).db }
    await deleteDocument(half, type('note'), documentId, published).catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error
    })
  }
  const left = async () => (await writing.stored('notes')).length
  const isRepaired = async (withinMs: number) => {
    const deadline = Date.now() + withinMs
    while (Date.now() < deadline && !lines.some((line) => line.includes('in order')))
      await new Promise((resolve) => setTimeout(resolve, 20))
    return (await left()) === 0
  }

  it('repairs at its start what a process left that fell silent, and says what it did', async () => {
    await instances().insertOne({ _id: 'lost', seenAt: new Date(Date.now() - 60_000) })
    await start()
    expect(await isRepaired(5_000)).to.equal(true)
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(told[1]).to.include({
      ...{ repair: 'published-without-draft', collection: 'notes', found: 1, repaired: 1 },
      msg: 'Repaired: published versions without a draft, removed',
    })
    expect(told[2]).to.include({ found: 1, msg: 'The content is in order' })
    expect(await instances().countDocuments({ _id: 'lost' })).to.equal(0)
  })

  it('reads no content at its start after a clean stop', async () => {
    const first = await start()
    await first.stop()
    await start()
    expect(await isRepaired(300)).to.equal(false)
    expect(lines).to.deep.equal([])
  })

  it('takes whoever is there for lost where it is alone', async () => {
    await instances().insertOne({ _id: 'killed', seenAt: new Date() })
    await start(true)
    expect(await isRepaired(5_000)).to.equal(true)
  })

  it('waits for others to fall silent where it is not, and leaves those that run', async function () {
    await start()
    await instances().insertOne({ _id: 'killed', seenAt: new Date() })
    await start()
    expect(await isRepaired(10_000)).to.equal(true)
    expect(await instances().countDocuments({})).to.equal(2)
  })

  it('repairs after a write that failed half way', async () => {
    const repairer = await start()
    repairer.interrupted()
    expect(await isRepaired(5_000)).to.equal(true)
  })

  it('leaves that to the next start where it is stopped before', async () => {
    const first = await start()
    first.interrupted()
    await first.stop()
    await start(true)
    expect(await isRepaired(5_000)).to.equal(true)
  })

  it('stops where there is more than interrupted writes leave', async () => {
    for (let at = 0; at < 3; at += 1) await leaveHalfDeleted()
    const { db, registry } = writing
    const repair = runRepair({ db, registry, mends: true, maxFindings: 2 })
    expect(await repair.catch((error: unknown) => error)).to.be.instanceOf(TooManyFindings)
    expect(await left()).to.be.greaterThan(0)
  })
})
