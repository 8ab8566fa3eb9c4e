import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { testDatabaseUri } from '../../support/database.js'
import { isReplicaSet } from '../../support/database-server.js'
import { startHoldingProxy, type HoldingProxy } from '../../support/holding-proxy.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const schema = {
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      title: { type: 'string' },
      label: { type: 'relation', relation: 'manyToOne', target: 'api::label.label' },
    },
  },
  'content-types/label.json': {
    kind: 'collectionType',
    info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
    attributes: { name: { type: 'string' } },
  },
}

type Note = Readonly<{ documentId: string; title: string; label: { name: string } }>

describe('read of several commands', () => {
  let proxy: HoldingProxy
  let client: MongoClient
  let databaseUri: string
  before(async function () {
    // Only replica sets support snapshots.
    if (!isReplicaSet()) return this.skip()
    const direct = new URL(await testDatabaseUri())
    client = await MongoClient.connect(direct.href)
    proxy = await startHoldingProxy(Number(direct.port))
    const through = new URL(direct.href)
    through.port = String(proxy.port)
    through.search = '?directConnection=true'
    databaseUri = through.href
  })
  after(async () => {
    // If the suite was skipped, there is nothing to close.
    if (!isReplicaSet()) return
    await client.db().dropDatabase()
    await client.close()
    proxy.close()
  })

  const readAmidChange = async (app: TestApp, between: () => Promise<unknown> = doNothing) => {
    const { request, token } = app
    const post = async (path: string, data: object): Promise<string> => {
      const answer = await request('POST', path, { token, body: { data } })
      expect(answer.status, answer.text).to.equal(201)
      return (answer.body as { data: Note }).data.documentId
    }
    const label = await post('/api/labels', { name: 'before' })
    const note = await post('/api/notes', { title: 'before', label })
    const filter = `filters[documentId]=${note}&populate=label`
    proxy.hold('labels')
    const reading = request('GET', `/api/notes?${filter}`, { token })
    while (!proxy.isHolding()) await sleep(5)
    await client.withSession((session) =>
      session.withTransaction(async () => {
        const db = client.db()
        const [byNote, byLabel] = [{ documentId: note }, { documentId: label }]
        await db.collection('notes').updateOne(byNote, { $set: { title: 'after' } }, { session })
        await db.collection('labels').updateOne(byLabel, { $set: { name: 'after' } }, { session })
      }),
    )
    await between()
    proxy.go()
    const { status, text, body } = await reading
    expect(status, text).to.equal(200)
    const { data, meta } = body as { data: readonly Note[]; meta: object }
    expect(meta).to.have.nested.property('pagination.total', 1)
    return data.map(({ title, label: { name } }) => [title, name])
  }

  /**
   * Waits until a snapshot from the time of the call is too old. The database only drops old snapshots while it is
   * written to.
   */
  const untilTooOld = () =>
    client.withSession({ snapshot: true }, async (session) => {
      const notes = client.db().collection('notes')
      const isTooOld = () =>
        notes.findOne({}, { session }).then(
          () => false,
          (error: unknown) => {
            expect(error).to.have.property('codeName', 'SnapshotTooOld')
            return true
          },
        )
      while (!(await isTooOld())) {
        await client.db().collection('beside').insertOne({})
        await sleep(20)
      }
    })

  for (const [lane, costThreshold] of [
    ['on the main thread', 1_000_000],
    ['in the pool', 0],
  ] as const)
    describe(lane, () => {
      const settings = { 'pool.costThreshold': costThreshold }
      let app: TestApp
      before(async () => {
        app = await startApp({
          ...{ databaseUri, schema },
          settings: { ...settings, 'database.snapshotReads': true },
        })
      })
      after(() => app?.stop())

      it('sees one state with database.snapshotReads, even if entries are written meanwhile', async () => {
        expect(await readAmidChange(app)).to.deep.equal([['before', 'before']])
      })

      it('starts again if its snapshot is too old', async () => {
        const admin = client.db('admin')
        const keep = (seconds: number) =>
          admin.command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: seconds })
        await keep(0)
        const between = async () => {
          await untilTooOld()
          // Keeps the snapshot of the second attempt, however slow the machine is.
          await keep(300)
          // Moves the time of the next snapshot past everything that was dropped before.
          const all = { writeConcern: { w: 'majority' } } as const
          await client.db().collection('beside').insertOne({}, all)
        }
        try {
          expect(await readAmidChange(app, between)).to.deep.equal([['after', 'after']])
        } finally {
          await keep(300)
        }
      })

      it('sees the current state at each command without the setting', async () => {
        const plain = await startApp({ databaseUri, schema, settings })
        try {
          expect(await readAmidChange(plain)).to.deep.equal([['before', 'after']])
        } finally {
          await plain.stop()
        }
      })
    })
})

describe('database.snapshotReads', () => {
  it('stops the start without a replica set, and says why', async function () {
    if (isReplicaSet()) return this.skip()
    let refused: unknown
    await startApp({ settings: { 'database.snapshotReads': true } }).catch(
      (error: unknown) => (refused = error),
    )
    expect(String(refused)).to.include('database.snapshotReads needs a replica set')
  })
})

const doNothing = (): Promise<void> => Promise.resolve()
