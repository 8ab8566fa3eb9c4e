import { expect } from 'chai'
import type { Document } from 'mongodb'
import { pino } from 'pino'
import { createDocument, deleteDocument } from '../../../engine/write.js'
import type { Repairer } from '../../../server/repair/keep-repaired.js'
import { startRepairer } from '../../../server/repair/keep-repaired.js'
import { startHeartbeat } from '../../../server/repair/heartbeat.js'
import type { ProcessJournal } from '../../../server/repair/process-journal.js'
import { openProcessJournal } from '../../../server/repair/process-journal.js'
import { repairModel } from '../../engine/repair/repair-model.js'
import type { Writing } from '../../engine/write/start-writing.js'
import { published, startWriting } from '../../engine/write/start-writing.js'
import { eventually } from '../database/support.js'

describe('delete of a document with references', () => {
  let writing: Writing
  let lines: string[]
  const open: Repairer[] = []
  before(async () => {
    writing = await startWriting(repairModel)
  })
  after(() => writing.stop())
  beforeEach(async () => {
    lines = []
    await writing.clear()
    for (const name of ['_instances', '_underway']) await writing.db.collection(name).deleteMany({})
  })
  afterEach(async () => {
    for (const repairer of open.splice(0)) await repairer.stop()
  })

  const start = async ({
    singleProcess = false,
    lingerMs = 60_000,
    before,
  }: {
    singleProcess?: boolean
    lingerMs?: number
    before?: (writes: ProcessJournal) => Promise<void>
  } = {}) => {
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const { db, registry } = writing
    const heartbeat = await startHeartbeat(db, {
      log,
      schemaVersion: () => 1,
      singleProcess,
      notes: true,
    })
    const writes = openProcessJournal(db, heartbeat.id, lingerMs)
    await before?.(writes)
    const repairer = startRepairer({
      ...{ db, log, heartbeat, writes, lingerMs, singleProcess, registry: () => registry },
    })
    open.push(repairer)
    return { ...repairer, writes }
  }
  const create = async (name: string, data: object) =>
    (await createDocument(writing.context, writing.type(name), published, data)).documentId
  /** Number of versions that refer to a label, in every possible way. They do not fit in one batch. */
  const count = 220
  const referTo = async (label: string) => {
    const { db } = writing
    const reference = { documentId: label, order: 1 }
    const link = (id: number) => ({ id, to: reference })
    const album = (at: number): Document & { _id: number } => ({
      ...{ _id: 1_000_000 + at, documentId: `album${at}`, locale: null, _revision: 1 },
      ...{ labels: [{ documentId: 'other', order: 1 }, reference], partner: null },
      links: [link(at)],
      zone: [{ __component: 'shared.link', ...link(at) }],
      _refs: ['labels:other', 'links.to', 'zone[shared.link].to', 'labels'].map((text) =>
        text.includes(':') ? text : `${text}:${label}`,
      ),
    })
    const albums = Array.from({ length: count }, (_, at) => album(at))
    await db.collection<Document & { _id: number }>('albums').insertMany(albums)
  }
  const referring = (label: string) =>
    writing.db.collection('albums').countDocuments({
      $or: [
        { _refs: new RegExp(`:${label}$`) },
        ...['labels', 'links.to', 'zone.to'].map((path) => ({ [`${path}.documentId`]: label })),
      ],
    })
  const remove = (label: string, writes: ProcessJournal) => {
    const begun = writes.begin()
    const context = { ...writing.context, journal: begun.journal }
    return deleteDocument(context, writing.type('label'), label, published).then(() => begun)
  }

  it('removes the document first, and the references afterwards', async () => {
    const label = await create('label', {})
    await referTo(label)
    const { writes } = await start()
    const begun = await remove(label, writes)
    expect(await writing.stored('labels')).to.deep.equal([])
    expect(await referring(label)).to.equal(count)
    begun.ended(false)
    await eventually(async () => (await referring(label)) === 0)
    const [album] = await writing.stored('albums')
    expect(album).to.deep.include({
      labels: [{ documentId: 'other', order: 1 }],
      links: [{ id: 0, to: null }],
      zone: [{ __component: 'shared.link', id: 0, to: null }],
      _refs: ['labels:other'],
    })
    // The journal entry stays, so that references that are saved meanwhile are found by another check later.
    expect(await writing.db.collection('_underway').countDocuments()).to.equal(1)
    expect(lines).to.deep.equal([])
  })

  it('removes a reference that a concurrent write saved, without a warning', async () => {
    const label = await create('label', {})
    const { writes } = await start({
      lingerMs: 0,
      before: async (writes) => {
        const begun = await remove(label, writes)
        begun.ended(false)
        writes.unreferred(writes.deleted())
        await referTo(label)
      },
    })
    await eventually(() => writes.left().entries.length === 0)
    expect(await referring(label)).to.equal(0)
    expect(lines).to.deep.equal([])
  })

  it('is finished by the next start if the process was killed', async () => {
    const label = await create('label', {})
    await referTo(label)
    await remove(label, openProcessJournal(writing.db, 'killed', 0))
    const silent = new Date(Date.now() - 60_000)
    const instances = writing.db.collection<{ _id: string; seenAt: Date; notes: boolean }>(
      '_instances',
    )
    await instances.insertOne({ _id: 'killed', seenAt: silent, notes: true })
    await start({ singleProcess: true })
    await eventually(async () => (await referring(label)) === 0)
    await eventually(() => lines.length === 2)
    expect(lines.at(-1)).to.include('"found":0')
  })

  it('is finished by another process if its process stops between two batches', async () => {
    const label = await create('label', {})
    await referTo(label)
    const first = await start()
    const begun = await remove(label, first.writes)
    begun.ended(false)
    await first.stop()
    await start()
    await eventually(async () => (await referring(label)) === 0)
  })

  it('keeps references to a document that still exists in another locale', async () => {
    const post = await create('post', {})
    const { db, context } = writing
    const { writes } = await start()
    const begun = writes.begin()
    const journaled = { ...context, journal: begun.journal }
    await createDocument(context, writing.type('post'), { ...published, locale: 'fr' }, {})
    await db.collection('posts.draft').updateMany({}, { $set: { documentId: post } })
    await db.collection('posts').updateMany({}, { $set: { documentId: post } })
    await deleteDocument(journaled, writing.type('post'), post, { ...published, locale: 'fr' })
    begun.ended(false)
    await eventually(() => writes.deleted().length === 0)
    expect(await writing.stored('posts')).to.have.length(1)
  })
})
