import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import type { WriteContext } from '../../../engine/write.js'
import type { WriteTime } from '../../../engine/write-time.js'
import { startWriteTime } from '../../../engine/write-time.js'
import { createDocument, deleteDocument, updateDocument } from '../../../engine/write.js'
import { isReplicaSet } from '../../support/database-server.js'
import { contentType, i18n, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { inLocale, plain, published, refusal, startWriting } from './start-writing.js'
import { pausedAt, stepping, Stopped, stoppedAt } from './stepping.js'

const model = [
  contentType(
    'note',
    {
      title: { type: 'string' },
      slug: { type: 'string', unique: true },
      code: { type: 'string', unique: true },
      label: relation('manyToOne', 'label', { inversedBy: 'notes' }),
    },
    { drafts: true },
  ),
  contentType('label', {
    name: { type: 'string' },
    notes: relation('oneToMany', 'note', { mappedBy: 'label' }),
  }),
  contentType(
    'post',
    { title: { type: 'string', pluginOptions: i18n }, views: { type: 'integer' } },
    { drafts: true, localized: true },
  ),
  contentType('pin', { posts: relation('manyToMany', 'post') }),
  contentType('crate', { items: relation('oneToMany', 'item', { inversedBy: 'crate' }) }),
  contentType('item', {
    crate: relation('manyToOne', 'crate', { mappedBy: 'items' }),
    lid: relation('oneToOne', 'lid', { inversedBy: 'item' }),
  }),
  contentType('lid', { item: relation('oneToOne', 'item', { mappedBy: 'lid' }) }),
]

const rounds = Array.from({ length: 15 }, (_, at) => at)

describe('write in one transaction', () => {
  let writing: Writing
  let client: MongoClient
  const commands: string[] = []
  before(async function () {
    // Only replica sets support transactions.
    if (!isReplicaSet()) return this.skip()
    writing = await startWriting(model)
    client = new MongoClient(writing.uri, { monitorCommands: true })
    client.on('commandStarted', ({ commandName, command }) => {
      const target: unknown = command[commandName]
      const isTogether = command['autocommit'] === false
      if (commandName === 'hello' || (typeof target === 'string' && target.startsWith('_'))) return
      commands.push(
        `${isTogether ? '' : 'alone: '}${commandName}${typeof target === 'string' ? ` ${target}` : ''}`,
      )
    })
  })
  after(async () => {
    await client?.close()
    await writing?.stop()
  })
  beforeEach(() => writing.clear())

  const other = (db: Db = writing.db.client.db(writing.db.databaseName)): WriteContext => ({
    ...writing.context,
    db,
  })
  const create = async (name: string, data: unknown, by = writing.context) =>
    (await createDocument(by, writing.type(name), published, data)).documentId
  const update = (name: string, id: string, data: unknown, by = writing.context) =>
    updateDocument(by, writing.type(name), id, published, data)
  const statusesOf = async (calls: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(calls)).map((result) => {
      if (result.status === 'fulfilled') return 200
      if (result.reason instanceof ApiError) return result.reason.status
      throw result.reason
    })

  it('sends its steps in one transaction, after look-ups outside of it', async () => {
    const label = await create('label', { name: 'a' })
    const by = other(client.db())
    commands.length = 0
    const id = await create('note', { slug: 'a', label }, by)
    expect(commands).to.deep.equal([
      'alone: aggregate notes',
      'insert notes.draft',
      'insert notes',
      'commitTransaction',
    ])
    commands.length = 0
    await update('note', id, { title: 'b' }, by)
    expect(commands.slice(0, 2)).to.have.members(['alone: find notes.draft', 'alone: find notes'])
    expect(commands.slice(2)).to.deep.equal([
      'update notes.draft',
      'update notes',
      'commitTransaction',
    ])
  })

  it('does its look-ups inside the transaction if it changes other documents', async () => {
    const item = await create('item', {})
    commands.length = 0
    await create('crate', { items: [item] }, other(client.db()))
    expect(commands).to.deep.equal([
      'find items',
      'insert crates',
      'update crates',
      'find crates',
      'commitTransaction',
    ])
  })

  it('stores nothing if its process dies before one of its steps', async () => {
    for (const at of [0, 1]) {
      const { db } = stoppedAt(writing.db, at)
      const failed = await create('note', { slug: 'a' }, other(db)).catch((error: unknown) => error)
      expect(failed).to.be.instanceOf(Stopped)
      expect(await writing.stored('notes.draft')).to.deep.equal([])
    }
  })

  it('is not visible before it is committed', async () => {
    const id = await create('note', { title: 'first' })
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'notes bulkWrite')
    const slow = update('note', id, { title: 'second' }, other(db))
    await reached
    const titles = async () =>
      Promise.all(
        ['notes.draft', 'notes'].map(async (name) => plain((await writing.stored(name))[0])),
      )
    expect((await titles()).map(({ title }) => title as string)).to.deep.equal(['first', 'first'])
    go()
    await slow
    expect((await titles()).map(({ title }) => title as string)).to.deep.equal(['second', 'second'])
  })

  it('reports all errors if other writers took its unique values first', async () => {
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'notes bulkWrite')
    const slow = refusal(create('note', { slug: 'a', code: 'b' }, other(db)))
    await reached
    await create('note', { slug: 'a' })
    await create('note', { code: 'b' })
    go()
    const { details, ...error } = await slow
    expect(error).to.include({ status: 400, message: '2 errors occurred' })
    const { errors } = details as { errors: readonly { path: string[] }[] }
    expect(errors.map(({ path }) => path)).to.deep.equal([['slug'], ['code']])
    expect(await writing.stored('notes.draft')).to.have.length(2)
  })

  it('succeeds for only one of two concurrent writes with the same If-Match revision', async () => {
    for (const round of rounds) {
      const { documentId, revision } = await createDocument(
        writing.context,
        writing.type('note'),
        published,
        { title: `${round}` },
      )
      const put = (by: WriteContext) =>
        updateDocument(
          by,
          writing.type('note'),
          documentId,
          published,
          { title: 'x' },
          { ifRevision: revision },
        )
      const statuses = await statusesOf([put(other()), put(other())])
      expect(statuses.toSorted()).to.deep.equal([200, 412])
    }
  })

  it('succeeds for only one of several concurrent writes of a unique value', async () => {
    for (const round of rounds) {
      const wants = [1, 2, 3].map(() => create('note', { slug: `s${round}` }, other()))
      expect((await statusesOf(wants)).toSorted()).to.deep.equal([200, 400, 400])
    }
  })

  it('gives a target of a oneToMany list to only one of two concurrent owners', async () => {
    for (const round of rounds) {
      const item = await create('item', {})
      const take = () => create('crate', { items: [item] }, other())
      expect(await statusesOf([take(), take()]), `${round}`).to.deep.equal([200, 200])
      const owners = (await writing.stored('crates')).filter((crate) =>
        (crate['items'] as Document[]).some(({ documentId }) => documentId === item),
      )
      expect(owners, `${round}`).to.have.length(1)
    }
  })

  it('gives a oneToOne target to only one of several concurrent owners, from either side', async () => {
    for (const round of rounds) {
      const lid = await create('lid', {})
      const items = await Promise.all([1, 2, 3].map(() => create('item', {})))
      const [first = '', second = '', third = ''] = items
      const takes = [
        update('item', first, { lid }, other()),
        update('item', second, { lid }, other()),
        update('lid', lid, { item: third }, other()),
      ]
      expect(await statusesOf(takes), `${round}`).to.deep.equal([200, 200, 200])
      const owners = (await writing.stored('items')).filter(
        (item) => (item['lid'] as Document | null)?.['documentId'] === lid,
      )
      expect(owners, `${round}`).to.have.length(1)
    }
  })

  it('gives a new locale a shared value that another locale writes at the same time', async () => {
    for (const round of rounds) {
      const id = await create('post', { title: 'en', views: 0 })
      const writes = [
        updateDocument(other(), writing.type('post'), id, inLocale('fr'), { title: 'fr' }),
        update('post', id, { views: round + 1 }, other()),
      ]
      expect(await statusesOf(writes)).to.deep.equal([200, 200])
      const views = (await writing.stored('posts'))
        .filter(({ documentId }) => documentId === id)
        .map((version) => version['views'] as unknown)
      expect(views).to.deep.equal([round + 1, round + 1])
    }
  })

  it('removes references if the last two locales of a document are deleted at the same time', async () => {
    const { context, type } = writing
    for (const round of rounds) {
      const id = await create('post', { title: 'en' })
      await updateDocument(context, type('post'), id, inLocale('fr'), { title: 'fr' })
      const pin = await create('pin', { posts: [id] })
      const deletes = ['en', 'fr'].map((locale) =>
        deleteDocument(other(), type('post'), id, inLocale(locale)),
      )
      expect(await statusesOf(deletes), `${round}`).to.deep.equal([200, 200])
      expect(await writing.stored('posts')).to.deep.equal([])
      const pinned = (await writing.stored('pins')).find(({ documentId }) => documentId === pin)
      expect(pinned?.['posts'], `${round}`).to.deep.equal([])
    }
  })

  it('updates more than a thousand other documents after the commit, outside the transaction', async () => {
    const { context, type, db } = writing
    const label = await create('label', {})
    const notes = Array.from({ length: 1001 }, (_, at) => ({
      ...{ _id: 10_000 + at, documentId: `many${at}`, locale: null, _revision: 1 },
      label: { documentId: label, order: at },
      _refs: [`label:${label}`],
    }))
    await db.collection<Document & { _id: number }>('notes').insertMany(notes)
    commands.length = 0
    await deleteDocument({ ...context, db: client.db() }, type('label'), label, published)
    expect(commands).to.deep.equal([
      'delete labels',
      'find labels',
      'aggregate notes.draft',
      'aggregate notes',
      'commitTransaction',
      'alone: update notes.draft',
      'alone: update notes',
    ])
    expect(await db.collection('notes').countDocuments({ label: { $ne: null } })).to.equal(0)
  })

  it('waits for a transaction that another writer has begun', async () => {
    const id = await create('note', { title: 'first' })
    const session = writing.db.client.startSession()
    session.startTransaction()
    const drafts = writing.db.collection('notes.draft')
    await drafts.updateOne({ documentId: id }, { $inc: { _revision: 1 } }, { session })
    const waiting = update('note', id, { title: 'second' }, other())
    await new Promise((resolve) => setTimeout(resolve, 50))
    await session.commitTransaction()
    await session.endSession()
    await waiting
    expect(plain((await writing.stored('notes'))[0])).to.include({ title: 'second' })
  })

  it('aborts a transaction that a killed process left open, instead of waiting for it', async () => {
    const id = await create('note', { title: 'first' })
    const session = writing.db.client.startSession()
    session.startTransaction()
    const drafts = writing.db.collection('notes.draft')
    await drafts.updateOne({ documentId: id }, { $set: { title: 'lost' } }, { session })
    // 20 s: less than the minute after which MongoDB itself aborts an abandoned transaction.
    const time = startWriteTime(20_000)
    await time.within(() => update('note', id, { title: 'second' }, { ...other(), time }))
    expect(plain((await writing.stored('notes'))[0])).to.include({ title: 'second' })
    const late = await session.commitTransaction().catch((error: unknown) => error)
    expect(late)
      .to.be.instanceOf(MongoServerError)
      .and.to.include({ codeName: 'NoSuchTransaction' })
    await session.endSession()
  })

  /** Creates a note, while the connection is lost `times` times at the second step of the write. */
  const createWithLostConnection = (time: WriteTime, times: number): Promise<unknown> => {
    let left = times
    const { db } = stepping(writing.db, (_step, at) => {
      if (at < 1 || left === 0) return
      left -= 1
      throw new MongoNetworkError('connection closed')
    })
    return create('note', { title: 'lost' }, { ...other(db), time }).catch(
      (error: unknown) => error,
    )
  }

  it('is retried if the connection is lost before the commit', async () => {
    expect(await createWithLostConnection(startWriteTime(20_000), 5)).to.be.a('string')
    expect(await writing.stored('notes.draft')).to.have.length(1)
  })

  it('reports that it was not done if the database stays unreachable', async () => {
    const result = await createWithLostConnection(startWriteTime(500), Infinity)
    expect(result).to.be.instanceOf(ApiError)
    expect(result).to.deep.include({ status: 503, details: { outcome: 'not-done' } })
    expect((result as ApiError).cause).to.be.instanceOf(MongoNetworkError)
    expect(await writing.stored('notes.draft')).to.deep.equal([])
  })

  it('does not report that it was not done if the same request has changed something before', async () => {
    const time = startWriteTime(3_000)
    await create('note', { title: 'first' }, { ...other(), time })
    expect(await createWithLostConnection(time, Infinity)).to.be.instanceOf(MongoNetworkError)
  })
})
