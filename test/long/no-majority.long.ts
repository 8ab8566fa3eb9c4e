import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ApiError } from '../../engine/errors.js'
import { createDocument, updateDocument } from '../../engine/write.js'
import { startWriteTime } from '../../engine/write-time.js'
import { contentType } from '../engine/write/model.js'
import { published, startWriting, type Writing } from '../engine/write/start-writing.js'
import { eventually } from '../server/database/support.js'
import { isReplicaSet } from '../support/database-server.js'
import { startReplicaSet, type ReplicaSet } from './fail-over/replica-set.js'

describe('writes without a majority, but with a primary', function () {
  this.timeout(120_000)
  let folder = ''
  let set: ReplicaSet | undefined
  let writing: Writing | undefined
  before(async function () {
    const mongod = process.env['MONGOMS_SYSTEM_BINARY']
    // The embedded engine does not support replica sets.
    if (!isReplicaSet() || mongod === undefined) return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'quire-no-majority-'))
    set = await startReplicaSet(mongod, folder)
    const note = contentType('note', { title: { type: 'string' } })
    writing = await startWriting([note], { uri: set.uri })
  })
  after(async () => {
    await writing?.stop()
    await set?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Resolves when the write itself has ended, which may be long after its caller got a response. */
  const outcomeOf = (write: Promise<unknown>): Promise<unknown> =>
    write.then(
      () => 'done',
      (error: unknown) => (error instanceof ApiError ? error.details?.['outcome'] : 'unknown'),
    )

  it('succeed if the session of their commit is killed and the majority returns', async () => {
    if (set === undefined || writing === undefined) return
    const { context, db, type } = writing
    const { documentId } = await createDocument(context, type('note'), published, { title: 'a' })
    const primary = await set.primary()
    for (const member of [0, 1, 2]) if (member !== primary) await set.stall(member)
    const time = startWriteTime(30_000)
    const outcome = outcomeOf(
      time.within(() =>
        updateDocument({ ...context, time }, type('note'), documentId, published, { title: 'b' }),
      ),
    )
    const admin = db.client.db('admin')
    const isCommitting = { 'command.commitTransaction': 1, active: true }
    await eventually(async () => {
      const commits = await admin
        .aggregate([{ $currentOp: { allUsers: true } }, { $match: isCommitting }])
        .toArray()
      return commits.length > 0
    })
    await admin.command({ killAllSessions: [] })
    for (const member of [0, 1, 2]) if (member !== primary) await set.flow(member)
    expect(await outcome).to.equal('done')
    const note = await db.collection('notes').findOne({ documentId })
    expect(note).to.include({ title: 'b' })
  })

  it('time out with an unknown outcome, and do not block later writes', async () => {
    if (set === undefined || writing === undefined) return
    const { context, db, type } = writing
    const { documentId } = await createDocument(context, type('note'), published, { title: 'a' })
    const update = (title: string) => {
      const time = startWriteTime(3_000)
      const write = updateDocument({ ...context, time }, type('note'), documentId, published, {
        title,
      })
      return { outcome: outcomeOf(time.within(() => write)), ended: outcomeOf(write) }
    }
    const primary = await set.primary()
    for (const member of [0, 1, 2]) if (member !== primary) await set.stall(member)

    const first = update('b')
    expect(await first.outcome).to.equal('unknown')
    const waiting = update('c')
    const fresh = outcomeOf(createDocument(context, type('note'), published, { title: 'new' }))
    // Replication is still stalled, so the writes can only have ended because of their time limit.
    expect(await first.ended).to.equal('unknown')
    expect(await waiting.outcome).to.be.oneOf(['unknown', 'not-done'])
    expect(await waiting.ended).to.be.oneOf(['unknown', 'not-done'])
    expect(await fresh).to.be.oneOf(['unknown', 'not-done'])
    expect(await set.primary()).to.equal(primary)

    for (const member of [0, 1, 2]) if (member !== primary) await set.flow(member)
    const after = update('d')
    expect([await after.outcome, await after.ended]).to.deep.equal(['done', 'done'])
    await eventually(async () => {
      const note = await db.collection('notes').findOne({ documentId })
      return note?.['title'] === 'd'
    })
  })
})
