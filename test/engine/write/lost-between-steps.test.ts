import { expect } from 'chai'
import { InterruptedWrite } from '../../../engine/errors/database-errors.js'
import { takeId } from '../../../engine/database/take-ids.js'
import type { WriteContext } from '../../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  updateDocument,
} from '../../../engine/write.js'
import { Cleanup } from '../../server/database/cleanup.js'
import { enginePid, eventually, startJournal } from '../../server/database/support.js'
import { contentType } from './model.js'
import type { Writing } from './start-writing.js'
import { published, startWriting } from './start-writing.js'
import { pausedAt } from './stepping.js'

type Write = (context: WriteContext, documentId: string) => Promise<unknown>

const model = [contentType('post', { title: { type: 'string' } }, { drafts: true })]

describe('write whose database is killed between two steps and restarts before the second', () => {
  const cleanup = new Cleanup()
  const journal = startJournal()
  let writing: Writing
  before(async () => {
    const host = await cleanup.host(await cleanup.folder(), journal)
    writing = await startWriting(model, { uri: host.uri, transactions: false })
    cleanup.add(() => writing.stop())
  })
  after(() => cleanup.run())

  const writes: readonly [name: string, second: string, write: Write][] = [
    [
      'create',
      'posts insertOne',
      (context) => createDocument(context, writing.type('post'), published, { title: 'B' }),
    ],
    [
      'update',
      'posts updateOne',
      (context, id) => updateDocument(context, writing.type('post'), id, published, { title: 'B' }),
    ],
    [
      'unpublish',
      'posts deleteOne',
      (context, id) => actOnDocument(context, writing.type('post'), id, published, 'unpublish'),
    ],
    [
      'delete',
      'posts deleteMany',
      (context, id) => deleteDocument(context, writing.type('post'), id, published),
    ],
  ]
  for (const [name, second, write] of writes)
    it(`does not acknowledge a ${name}, because the first step may be lost`, async () => {
      const { context, type } = writing
      const { documentId } = await createDocument(context, type('post'), published, { title: 'A' })
      // Shows that the same write succeeds if the database is not killed.
      const other = await createDocument(context, type('post'), published, { title: 'A' })
      await write(context, other.documentId)

      await interrupt(second, context, documentId, write)
    })

  it('publishes nothing if the draft of a create was lost, even if no other process writes', async () => {
    const { db, type } = writing
    const publishes: Write = (context) =>
      createDocument(context, type('post'), published, { title: 'Lost' })
    // Whether the killed database loses the draft depends on timing, so delete it.
    const lose = () => db.collection('posts.draft').deleteOne({ title: 'Lost' })
    await interrupt('posts insertOne', { ...writing.context, publishingMs: 0 }, '', publishes, lose)
    expect(await db.collection('posts').countDocuments({ title: 'Lost' })).to.equal(0)
  })

  /** Kills the database before the second step of a write, and lets the write continue when the database is back. */
  async function interrupt(
    second: string,
    context: WriteContext,
    documentId: string,
    write: Write,
    whenBack: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<void> {
    const { db } = writing
    const paused = pausedAt(db, (step) => step === second)
    const running = write({ ...context, db: paused.db }, documentId)
    running.catch(() => undefined)
    await Promise.race([paused.reached, running])
    const killed = enginePid(journal)
    process.kill(killed, 'SIGKILL')
    await eventually(() => enginePid(journal) !== killed)
    await db.command({ ping: 1 })
    await whenBack()
    paused.go()
    const error: unknown = await running.catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(InterruptedWrite)
    // Takes another id, so that later tests do not get the ids of this write: the database may have lost that they are
    // taken.
    await takeId(paused.db, 'api::post.post')
  }
})
