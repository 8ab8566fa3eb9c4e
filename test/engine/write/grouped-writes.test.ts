import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import type { WriteContext } from '../../../engine/write.js'
import { createDocument, deleteDocument, updateDocument } from '../../../engine/write.js'
import { startWriteTime } from '../../../engine/write-time.js'
import { isReplicaSet } from '../../support/database-server.js'
import { contentType, i18n } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, plain, published, startWriting } from './start-writing.js'
import { pausedAt } from './stepping.js'

const model = [
  contentType(
    'note',
    { title: { type: 'string' }, slug: { type: 'string', unique: true }, data: { type: 'json' } },
    { drafts: true },
  ),
  contentType('tag', { name: { type: 'string' }, views: { type: 'integer' } }),
  contentType(
    'post',
    { title: { type: 'string', pluginOptions: i18n }, views: { type: 'integer' } },
    { drafts: true, localized: true },
  ),
]

describe('writes of several clients in one transaction', () => {
  let writing: Writing
  let client: MongoClient
  let context: WriteContext
  let commands: string[] = []
  before(async function () {
    if (!isReplicaSet()) return this.skip()
    writing = await startWriting(model)
    client = new MongoClient(writing.uri, { monitorCommands: true })
    client.on('commandStarted', ({ commandName, command }) => {
      const target: unknown = command[commandName]
      if (typeof target === 'string' && target.startsWith('_')) return
      commands.push(`${commandName} ${typeof target === 'string' ? target : ''}`.trim())
    })
    await client.connect()
    context = { ...writing.context, db: client.db() }
  })
  after(async () => {
    await client?.close()
    await writing?.stop()
  })
  beforeEach(() => writing.clear())

  const create = (name: string, data: unknown, by: WriteContext = context) =>
    createDocument(by, writing.type(name), published, data)
  const update = (name: string, id: string, data: unknown, by: WriteContext = context) =>
    updateDocument(by, writing.type(name), id, published, data)
  const count = (command: string) => commands.filter((one) => one === command).length
  const numbers = (length: number) => Array.from({ length }, (_, at) => at)
  const titles = async (collection: string) =>
    (await writing.stored(collection)).map(({ title }) => String(title)).toSorted()

  it('are committed together, and each document is written as it was sent', async () => {
    commands = []
    const created = await Promise.all(numbers(40).map((at) => create('note', { title: `n${at}` })))
    expect(count('commitTransaction')).to.be.within(1, 12)
    expect(count('insert notes.draft')).to.equal(count('commitTransaction'))
    const all = numbers(40)
      .map((at) => `n${at}`)
      .toSorted()
    expect([await titles('notes'), await titles('notes.draft')]).to.deep.equal([all, all])

    commands = []
    await Promise.all(
      created.map(({ documentId }, at) => update('note', documentId, { title: `m${at}` })),
    )
    expect(count('commitTransaction')).to.be.within(1, 12)
    expect(count('update notes')).to.equal(count('commitTransaction'))
    const stored = await writing.stored('notes')
    expect(
      created.map(
        ({ documentId, id }) =>
          stored.find((note) => note['_id'] === id && note['documentId'] === documentId)?.[
            'title'
          ] as string,
      ),
    ).to.deep.equal(numbers(40).map((at) => `m${at}`))
  })

  it('delete together, and add each document to the journal', async () => {
    const journaled: string[] = []
    let entries = 0
    const journal = {
      add: ({ documentId }: Readonly<{ documentId: string }>) => {
        journaled.push(documentId)
        return `entry ${(entries += 1)}`
      },
    }
    for (const name of ['note', 'post']) {
      const created = await Promise.all(
        numbers(30).map((at) =>
          createDocument(
            context,
            writing.type(name),
            name === 'post' ? inLocale('en') : published,
            {
              title: `n${at}`,
            },
          ),
        ),
      )
      const ids = created.map(({ documentId }) => documentId)
      const [first = ''] = ids
      if (name === 'post')
        await updateDocument(context, writing.type(name), ids[1] ?? '', inLocale('fr'), {
          title: 'f',
        })
      commands = []
      await Promise.all(
        ids
          .slice(1)
          .map((id) =>
            deleteDocument(
              { ...context, journal },
              writing.type(name),
              id,
              name === 'post' ? inLocale('en') : published,
            ),
          ),
      )
      expect(count('commitTransaction')).to.be.within(1, 12)
      expect(count(`delete ${name}s`)).to.equal(count('commitTransaction'))
      expect(journaled.splice(0)).to.have.members(ids.slice(1))
      const left = name === 'post' ? [first, ids[1] ?? ''] : [first]
      for (const collection of [`${name}s`, `${name}s.draft`])
        expect(
          (await writing.stored(collection)).map(({ documentId }) => String(documentId)),
        ).to.have.members(left)
    }
  })

  it('return the stored document without reading it', async () => {
    const { documentId: note } = await create('note', { title: 'a', data: { b: 1, a: [2] } })
    const { documentId: post } = await create('post', { title: 'a', views: 1 })
    const writes = [
      () => update('note', note, { title: 'b' }),
      () => update('note', note, { data: { a: 1, b: 1 } }),
      () => updateDocument(context, writing.type('note'), note, draft, { title: 'c' }),
      // An update of shared attributes also stores the time of the update for each of these attributes.
      () => update('post', post, { views: 2 }),
      () => update('post', post, { title: 'b', views: 3 }),
    ]
    for (const [at, write] of writes.entries()) {
      const { stored, revision, status } = await write()
      const [name, documentId] = at < 3 ? ['notes', note] : ['posts', post]
      const found = await client
        .db()
        .collection(status === 'draft' ? `${name}.draft` : name)
        .findOne({ documentId }, { raw: true })
      const { deserialize } = (await import('mongodb')).BSON
      const expected = deserialize(found as unknown as Uint8Array, { promoteLongs: false })
      expect(deserialize(stored as Uint8Array, { promoteLongs: false })).to.deep.equal(expected)
      expect(revision).to.equal(Number(expected['_revision']))
    }
  })

  it('are rejected individually', async () => {
    await create('note', { slug: 'taken' })
    const slugs = ['a', 'taken', 'b', 'same', 'same', 'c']
    const outcomes = await Promise.allSettled(slugs.map((slug) => create('note', { slug })))
    const statuses = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? 201 : (outcome.reason as ApiError).status,
    )
    expect([statuses[0], statuses[1], statuses[2], statuses[5]]).to.deep.equal([201, 400, 201, 201])
    expect(statuses.slice(3, 5).toSorted()).to.deep.equal([201, 400])
    for (const name of ['notes', 'notes.draft'])
      expect((await writing.stored(name)).map(({ slug }) => String(slug)).toSorted()).to.deep.equal(
        ['a', 'b', 'c', 'same', 'taken'],
      )
  })

  const other = (db: Db = writing.db.client.db(writing.db.databaseName)): WriteContext => ({
    ...writing.context,
    db,
  })

  it('succeed and undo nothing if a writer of another process changes one of the documents', async () => {
    const ids = await Promise.all(
      numbers(3).map(
        async (at) => (await create('note', { title: `${at}`, slug: `${at}` })).documentId,
      ),
    )
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'notes.draft bulkWrite')
    const slow = Promise.all(ids.map((id) => update('note', id, { title: 'slow' }, other(db))))
    await reached
    await update('note', ids[1] ?? '', { slug: 'fast' }, other())
    go()
    await slow
    for (const name of ['notes', 'notes.draft'])
      expect(
        (await writing.stored(name)).map(({ title, slug }) => `${String(title)} ${String(slug)}`),
      ).to.deep.equal(['slow 0', 'slow fast', 'slow 2'])
  })

  it('exclude a write that timed out and report that it was not done', async () => {
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'notes bulkWrite')
    const time = startWriteTime(100)
    const by = other(db)
    const late = time
      .within(() => create('note', { title: 'late' }, { ...by, time }))
      .catch((reason: unknown) => reason)
    const rest = numbers(3).map((at) => create('note', { title: `n${at}` }, by))
    await reached
    const error = await late
    expect(error).to.be.instanceOf(ApiError)
    expect(error).to.deep.include({ status: 503, details: { outcome: 'not-done' } })
    go()
    await Promise.all(rest)
    expect(await titles('notes')).to.deep.equal(['n0', 'n1', 'n2'])
    expect(await titles('notes.draft')).to.deep.equal(['n0', 'n1', 'n2'])
  })

  it('work for types without drafts and for documents with several locales', async () => {
    const tag = await create('tag', { name: 'a', views: 1 })
    commands = []
    await update('tag', tag.documentId, { views: 2 })
    expect(commands).to.deep.equal(['find tags', 'update tags', 'commitTransaction'])
    expect(plain((await writing.stored('tags'))[0])).to.include({ name: 'a', views: 2 })
    const post = await create('post', { title: 'en', views: 1 })
    await updateDocument(context, writing.type('post'), post.documentId, inLocale('fr'), {
      title: 'fr',
    })
    commands = []
    await update('post', post.documentId, { title: 'new' })
    expect(commands.slice(2)).to.deep.equal([
      'update posts.draft',
      'update posts',
      'commitTransaction',
    ])
  })

  describe('shared attributes', () => {
    const join = (id: string, by = other()) =>
      updateDocument(by, writing.type('post'), id, inLocale('fr'), { title: 'fr' })
    const viewsIn = async (collection: string) =>
      (await writing.stored(collection)).map(({ views }) => Number(views)).toSorted()

    it('are written to the other locales in the same transaction', async () => {
      const created = await Promise.all(
        numbers(20).map((at) => create('post', { title: `${at}`, views: 0 })),
      )
      const ids = created.map(({ documentId }) => documentId)
      await Promise.all(ids.map((id) => join(id)))
      commands = []
      const write = (id: string, at: number) => update('post', id, { views: at + 1 })
      await Promise.all(ids.map(write))
      // The first write runs alone. Meanwhile, the others are collected for the next transaction.
      expect(count('commitTransaction')).to.be.within(1, 3)
      expect(count('update posts')).to.equal(2 * count('commitTransaction'))
      const expected = numbers(40).map((at) => Math.floor(at / 2) + 1)
      for (const name of ['posts', 'posts.draft'])
        expect(await viewsIn(name)).to.deep.equal(expected.toSorted())
    })

    it('are written to a locale whose transaction is still running', async () => {
      const { documentId } = await create('post', { title: 'en', views: 1 })
      const { db, reached, go } = pausedAt(writing.db, (step) => step === 'posts.draft insertOne')
      const joined = join(documentId, other(db))
      await reached
      const shared = update('post', documentId, { views: 2 })
      // `shared` has to wait while the other transaction holds the lock.
      await Promise.race([shared, sleep(200)])
      go()
      await Promise.all([shared, joined])
      for (const name of ['posts', 'posts.draft']) expect(await viewsIn(name)).to.deep.equal([2, 2])
    })

    it('are written to a locale that is created at the same time', async () => {
      const by = other()
      for (const at of numbers(20)) {
        const { documentId } = await create('post', { title: 'en', views: -1 })
        await Promise.all([update('post', documentId, { views: at }, by), join(documentId)])
      }
      for (const name of ['posts', 'posts.draft'])
        expect(await viewsIn(name)).to.deep.equal(
          numbers(40)
            .map((at) => Math.floor(at / 2))
            .toSorted(),
        )
    })
  })
})
