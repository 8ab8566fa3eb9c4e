import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import type { WriteContext } from '../../../engine/write.js'
import { createDocument, updateDocument } from '../../../engine/write.js'
import { component, contentType, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, plain, published, refusal, startWriting } from './start-writing.js'
import { pausedAt } from './stepping.js'

const attributes = {
  title: { type: 'string' },
  slug: { type: 'string', unique: true },
  rank: { type: 'integer', unique: true },
  data: { type: 'json' },
  parts: { type: 'component', component: 'shop.part', repeatable: true },
  label: relation('manyToOne', 'label', { inversedBy: 'notes' }),
  place: relation('manyToOne', 'place'),
}

describe('commands of a write without transaction', () => {
  let writing: Writing
  let client: MongoClient
  let context: WriteContext
  const commands: string[] = []
  before(async () => {
    writing = await startWriting(
      [
        contentType('note', attributes, { drafts: true }),
        component('shop.part', { value: { type: 'string', unique: true } }),
        contentType('place', {}),
        contentType('label', { notes: relation('oneToMany', 'note', { mappedBy: 'label' }) }),
      ],
      { transactions: false },
    )
    client = new MongoClient(writing.uri, { monitorCommands: true })
    client.on('commandStarted', ({ commandName, command }) => {
      const target = (command as Record<string, unknown>)[commandName]
      if (typeof target === 'string' && !target.startsWith('_'))
        commands.push(`${commandName} ${target}`)
    })
    context = { ...writing.context, db: client.db() }
  })
  after(async () => {
    await client.close()
    await writing.stop()
  })
  beforeEach(() => writing.clear())

  const create = (data: unknown, by = context) =>
    createDocument(by, writing.type('note'), published, data)
  const update = (documentId: string, data: unknown, by = context) =>
    updateDocument(by, writing.type('note'), documentId, published, data)
  const label = async () =>
    (await createDocument(context, writing.type('label'), published, {})).documentId
  const shown = async () => plain((await writing.stored('notes'))[0])

  it('are one look-up for all targets and unique texts, and one write for each version', async () => {
    const target = await label()
    const { documentId: place } = await createDocument(
      context,
      writing.type('place'),
      published,
      {},
    )
    commands.length = 0
    await create({ title: 'a', slug: 'a', label: target, place })
    expect(commands).to.deep.equal([
      'aggregate notes',
      'insert notes.draft',
      'insert notes',
      'find notes.draft',
    ])
  })

  it('end with the published version of a create if no other process writes', async () => {
    commands.length = 0
    await create({ title: 'a', slug: 'a' }, { ...context, publishingMs: 0 })
    expect(commands).to.deep.equal(['find notes', 'insert notes.draft', 'insert notes'])
    const { documentId } = await createDocument(context, writing.type('note'), draft, {})
    commands.length = 0
    // The draft existed before this write, so it is read again after publishing.
    await update(documentId, { title: 'b' }, { ...context, publishingMs: 0 })
    expect(commands.at(-1)).to.equal('find notes.draft')
  })

  it('look up unique numbers separately, because a number has several equal forms', async () => {
    commands.length = 0
    await create({ title: 'a', slug: 'a', rank: 1 })
    expect(commands.slice(0, 2)).to.deep.equal(['find notes', 'find notes'])
    const taken = await refusal(create({ title: 'b', slug: 'a', rank: 1 }))
    const { errors } = taken['details'] as { errors: readonly { path: readonly string[] }[] }
    expect(errors.map(({ path }) => path)).to.deep.equal([['slug'], ['rank']])
  })

  it('look up all unique values in components at once, but not those that the document keeps', async () => {
    const parts = ['a', 'b', 'c'].map((value) => ({ value }))
    commands.length = 0
    const { documentId } = await create({ parts })
    expect(commands).to.deep.equal([
      'find notes',
      'insert notes.draft',
      'insert notes',
      'find notes.draft',
    ])
    commands.length = 0
    await update(documentId, { title: 'b', parts: parts.toReversed() })
    expect(commands).to.deep.equal([
      'find notes.draft',
      'find notes',
      'update notes.draft',
      'update notes',
    ])
  })

  it('look up no unique values for a draft', async () => {
    await create({ title: 'a', slug: 'a' })
    commands.length = 0
    await createDocument(context, writing.type('note'), draft, { title: 'b', slug: 'a' })
    expect(commands).to.deep.equal(['insert notes.draft'])
  })

  it('look up no unique value that the document keeps', async () => {
    const { documentId } = await create({ title: 'a', slug: 'a' })
    commands.length = 0
    await update(documentId, { title: 'b' })
    expect(commands).to.deep.equal([
      'find notes.draft',
      'find notes',
      'update notes.draft',
      'update notes',
    ])
    await create({ slug: 'b' })
    const message = 'This attribute must be unique'
    expect(await refusal(update(documentId, { slug: 'b' }))).to.include({ status: 400, message })
    expect(await shown()).to.include({ title: 'b', slug: 'a' })
  })

  it('store a changed order of JSON keys, and publish a value that returns to its published state', async () => {
    const { documentId } = await create({ title: 'a', data: { x: 1, y: 2 } })
    await update(documentId, { data: { y: 2, x: 1 } })
    expect(JSON.stringify((await shown())['data'])).to.equal('{"y":2,"x":1}')
    await updateDocument(context, writing.type('note'), documentId, draft, { title: 'b' })
    await update(documentId, { title: 'a' })
    expect(await shown()).to.include({ title: 'a' })
  })

  it('publish the later draft if another writer publishes between the two steps', async () => {
    const { documentId } = await create({ title: 'a', slug: 'a' })
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'notes updateOne')
    // The draft is written; the published version still has the title `a`, as it was read.
    const slow = update(documentId, { title: 'slow' }, { ...context, db })
    await reached
    await update(documentId, { slug: 'fast' })
    // The fast update read the draft after the slow update had written it, so the draft now contains both changes.
    expect(await shown()).to.include({ title: 'slow', slug: 'fast' })
    go()
    await slow
    expect(await shown()).to.include({ title: 'slow', slug: 'fast' })
  })

  it('list the unique values of the published version even if another writer published meanwhile', async () => {
    const { documentId } = await create({ parts: [{ value: 'a' }] })
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'notes updateOne')
    const slow = update(documentId, { parts: [{ value: 'b' }] }, { ...context, db })
    await reached
    await update(documentId, { title: 'fast' })
    go()
    await slow
    expect((await writing.stored('notes'))[0]).to.deep.include({
      title: 'fast',
      _uniques: [{ in: 'parts', is: 'shop.part.value:b' }],
    })
    await create({ parts: [{ value: 'a' }] })
    expect(await refusal(create({ parts: [{ value: 'b' }] }))).to.include({ status: 400 })
  })

  it('report the error at its attribute if another writer takes a unique component value meanwhile', async () => {
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'notes insertOne')
    const slow = create({ parts: [{ value: 'x' }, { value: 'a' }] }, { ...context, db })
    const failed = refusal(slow)
    await reached
    await create({ parts: [{ value: 'a' }] })
    go()
    const { details, ...error } = await failed
    expect(error).to.include({ status: 400, message: 'This attribute must be unique' })
    const { errors } = details as { errors: readonly { path: readonly string[] }[] }
    expect(errors.map(({ path }) => path)).to.deep.equal([['parts', '1', 'value']])
    expect(await writing.stored('notes.draft')).to.have.length(1)
  })

  it('publish a value equal to the one that was read, even if another write changed it meanwhile', async () => {
    const { documentId } = await create({ title: 'a', slug: 'a' })
    const paused = pausedAt(writing.db, (step) => step === 'notes updateOne')
    const first = update(documentId, { title: 'b' }, { ...context, db: paused.db })
    await paused.reached
    const second = pausedAt(writing.db, (step) => step === 'notes updateOne')
    // Reads the published version while it still has the title `a`, and publishes the title `a`.
    const back = update(documentId, { title: 'a' }, { ...context, db: second.db })
    await second.reached
    paused.go()
    await first
    expect(await shown()).to.include({ title: 'b' })
    second.go()
    await back
    expect(await shown()).to.include({ title: 'a' })
  })
})
