import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import type { WriteContext } from '../../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  updateDocument,
} from '../../../engine/write.js'
import { contentType, i18n, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, published, refusal, startWriting } from './start-writing.js'
import { pausedAt } from './stepping.js'

describe('concurrent writes of several clients', () => {
  let writing: Writing
  let client: MongoClient
  let context: WriteContext
  let commands: string[] = []
  before(async () => {
    const note = {
      title: { type: 'string' },
      slug: { type: 'string', unique: true },
      label: relation('manyToOne', 'label', { inversedBy: 'notes' }),
    }
    const label = { notes: relation('oneToMany', 'note', { mappedBy: 'label' }) }
    writing = await startWriting(
      [
        contentType('note', note, { drafts: true }),
        contentType('label', label),
        contentType(
          'post',
          {
            title: { type: 'string', pluginOptions: i18n },
            code: { type: 'string', unique: true },
          },
          { drafts: true, localized: true },
        ),
      ],
      { transactions: false },
    )
    client = new MongoClient(writing.uri, { monitorCommands: true })
    client.on('commandStarted', ({ commandName, command }) => {
      commands.push(`${commandName} ${String((command as Record<string, unknown>)[commandName])}`)
    })
    context = { ...writing.context, db: client.db() }
  })
  after(async () => {
    await client.close()
    await writing.stop()
  })
  beforeEach(() => writing.clear())

  const create = (data: unknown) => createDocument(context, writing.type('note'), published, data)
  const makeLabels = async () =>
    Promise.all(
      Array.from({ length: 5 }, async () => {
        const { documentId } = await createDocument(context, writing.type('label'), published, {})
        return documentId
      }),
    )
  const count = (command: string) => commands.filter((one) => one === command).length

  it('share commands, and each document is written as it was sent', async () => {
    const labels = await makeLabels()
    const bodies = Array.from({ length: 40 }, (_, at) => ({
      ...{ title: `title ${at}`, slug: `slug-${at}` },
      label: labels[at % labels.length],
    }))
    commands = []
    const created = await Promise.all(bodies.map(create))
    for (const command of ['aggregate notes', 'insert notes.draft', 'insert notes'])
      expect(count(command), command).to.be.within(1, 20)
    const stored = await writing.stored('notes')
    expect(
      created.map(({ documentId, id }) => {
        const note = stored.find((one) => one['documentId'] === documentId)
        expect(note?.['_id']).to.equal(id)
        const { documentId: label } = note?.['label'] as { documentId: string }
        return { title: String(note?.['title']), slug: String(note?.['slug']), label }
      }),
    ).to.deep.equal(bodies)

    commands = []
    await Promise.all(
      created.map(({ documentId }, at) =>
        updateDocument(context, writing.type('note'), documentId, published, {
          title: `new ${at}`,
        }),
      ),
    )
    for (const command of ['find notes.draft', 'update notes.draft', 'update notes'])
      expect(count(command), command).to.be.within(1, 20)
    const updated = await writing.stored('notes')
    expect(
      updated.map((note) => [String(note['documentId']), String(note['title'])]),
    ).to.have.deep.members(created.map(({ documentId }, at) => [documentId, `new ${at}`]))
  })

  it('share commands when they delete and publish', async () => {
    const note = writing.type('note')
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        createDocument(context, note, draft, { title: `title ${at}` }),
      ),
    )
    const ids = created.map(({ documentId }) => documentId)
    commands = []
    const results = await Promise.all(
      ids.map((id) => actOnDocument(context, note, id, draft, 'publish')),
    )
    for (const command of ['find notes.draft', 'update notes.draft', 'insert notes'])
      expect(count(command), command).to.be.within(0, 20)
    // Each result contains the stored document: nothing is read back.
    expect(results.every(({ stored }) => stored !== undefined)).to.equal(true)
    commands = []
    await Promise.all(
      [...ids.slice(10), 'nobody'].map((id) => deleteDocument(context, note, id, published)),
    )
    for (const command of ['delete notes.draft', 'delete notes', 'find notes.draft'])
      expect(count(command), command).to.be.within(1, 10)
    for (const name of ['notes', 'notes.draft'])
      expect(
        (await writing.stored(name)).map(({ documentId }) => String(documentId)),
      ).to.have.members(ids.slice(0, 10))
  })

  it('succeed and undo nothing if a writer of another process changes one of the documents', async () => {
    const created = await Promise.all(
      ['a', 'b', 'c'].map((title) => create({ title, slug: title })),
    )
    const ids = created.map(({ documentId }) => documentId)
    for (const collection of ['notes.draft', 'notes']) {
      const { db, reached, go } = pausedAt(writing.db, (step) => step === `${collection} bulkWrite`)
      const note = writing.type('note')
      const slow = Promise.all(
        ids.map((id) => updateDocument({ ...context, db }, note, id, published, { title: 'slow' })),
      )
      await reached
      // Another process writes one document: in the first round before the drafts are written, in the second round
      // after.
      await updateDocument(context, note, ids[1] ?? '', published, { slug: collection })
      go()
      await slow
      for (const name of ['notes', 'notes.draft'])
        expect(
          (await writing.stored(name)).map(({ title, slug }) => `${String(title)} ${String(slug)}`),
        ).to.deep.equal(['slow a', `slow ${collection}`, 'slow c'])
    }
  })

  it('return the stored revision if another process raised the revision of one document', async () => {
    const created = await Promise.all(['a', 'b'].map((title) => create({ title })))
    const ids = created.map(({ documentId }) => documentId)
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'notes.draft bulkWrite')
    const note = writing.type('note')
    const slow = Promise.all(
      ids.map((id) => updateDocument({ ...context, db }, note, id, published, { title: 'slow' })),
    )
    await reached
    // Raises only the revision, as a write through the inverse side of a relation may do.
    const drafts = writing.db.collection('notes.draft')
    await drafts.updateOne({ documentId: ids[0] }, { $inc: { _revision: 1 } })
    go()
    const answers = await slow
    const stored = await writing.stored('notes')
    expect(answers.map(({ revision }) => revision)).to.deep.equal(
      stored.map(({ _revision }) => Number(_revision)),
    )
    expect(stored.map(({ title }) => title as string)).to.deep.equal(['slow', 'slow'])
  })

  it('are rejected individually', async () => {
    const [label] = await makeLabels()
    await create({ slug: 'taken' })
    const message = 'This attribute must be unique'
    const invalid = { name: 'ValidationError', message }
    const unique = (value: string) => ({
      ...{ ...invalid, status: 400 },
      details: { errors: [{ ...invalid, path: ['slug'], value }] },
    })
    const missing = 'a'.repeat(24)
    const unknown = `Document with id "${missing}", locale "null" not found`
    const expected = 'the id or documentId of an entry of api::label.label'
    const results = await Promise.all([
      create({ slug: 'one', label }).then(() => 'created'),
      refusal(create({ slug: 'taken' })),
      refusal(create({ slug: 'two', label: missing })),
      create({ slug: 'three', label }).then(() => 'created'),
    ])
    expect(results).to.deep.equal([
      'created',
      unique('taken'),
      {
        ...{ status: 400, name: 'ValidationError' },
        message: unknown,
        details: {
          errors: [{ path: ['label'], message: unknown, name: 'ValidationError', expected }],
        },
      },
      'created',
    ])
    // The look-up does not find duplicates in the same batch, so the unique index rejects them in the middle of the
    // batch.
    const same = ['four', 'same', 'five', 'same', 'six', 'same']
    const outcomes = await Promise.allSettled(same.map((slug) => create({ slug })))
    expect(outcomes.filter(({ status }) => status === 'rejected')).to.have.length(2)
    for (const collection of ['notes', 'notes.draft']) {
      const slugs = (await writing.stored(collection)).map((note) => String(note['slug']))
      expect(slugs.toSorted()).to.deep.equal(
        ['five', 'four', 'one', 'same', 'six', 'taken', 'three'].toSorted(),
      )
    }
  })

  it('succeed even if the texts of other look-ups exceed the size of one command', async () => {
    const [label] = await makeLabels()
    const slugs = Array.from({ length: 18 }, (_, at) => `${at} ${'x'.repeat(1_000_000)}`)
    const missing = 'y'.repeat(1_000_000)
    const outcomes = await Promise.allSettled([
      ...slugs.map((slug) => create({ slug, label })),
      ...slugs.map(() => create({ label: missing })),
      create({ slug: 'short', label }),
    ])
    const refused = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as Error).message.slice(0, 20)] : [],
    )
    const tooLong = slugs.map(() => 'slug must be at most')
    expect(refused).to.deep.equal([...tooLong, ...slugs.map(() => 'Document with id "yy')])
  })

  it('share values with other locales in one command, and are rejected individually', async () => {
    const post = writing.type('post')
    const write = (id: string, locale: string, data: object) =>
      updateDocument(context, post, id, inLocale(locale), data)
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const { documentId } = await createDocument(context, post, published, { title: `${at}` })
        await write(documentId, 'fr', { title: `${at}` })
        return documentId
      }),
    )
    // Takes the code `c3`, but only in French. A write of `c3` in English shares it with French, where it is rejected.
    const taken = { documentId: 'taken', locale: 'fr', code: 'c3' }
    await writing.db.collection('posts').insertOne({ ...taken, _id: 1_000_000 as never })
    commands = []
    const outcomes = await Promise.allSettled(
      ids.map((id, at) => write(id, 'en', { code: `c${at}` })),
    )
    expect(count('update posts.draft')).to.be.within(2, 20)
    expect(outcomes.map(({ status }) => status)).to.deep.equal(
      ids.map((_, at) => (at === 3 ? 'rejected' : 'fulfilled')),
    )
    for (const name of ['posts', 'posts.draft']) {
      const stored = await writing.stored(name)
      const codesOf = (id: string) =>
        stored
          .filter(({ documentId }) => documentId === id)
          .map(({ code }) => (code ?? null) as unknown)
      expect(ids.map(codesOf), name).to.deep.equal(
        ids.map((_, at) => Array.from({ length: 2 }, () => (at === 3 ? null : `c${at}`))),
      )
    }
  })
})
