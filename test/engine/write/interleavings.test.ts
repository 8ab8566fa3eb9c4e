import { expect } from 'chai'
import type { Document } from 'mongodb'
import { MongoClient } from 'mongodb'
import type { WriteContext } from '../../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  saveSingleDocument,
  updateDocument,
} from '../../../engine/write.js'
import { albumsAndLabels, contentType, i18n } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, plain, published, refusal, startWriting } from './start-writing.js'
import type { Step } from './stepping.js'
import { pausedAt, stepping } from './stepping.js'

const model = [
  contentType(
    'post',
    {
      title: { type: 'string', pluginOptions: i18n },
      slug: { type: 'string', unique: true, pluginOptions: i18n },
      views: { type: 'integer' },
    },
    { drafts: true, localized: true },
  ),
  contentType('home', { title: { type: 'string' } }, { drafts: true, single: true }),
  ...albumsAndLabels({ album: { name: { type: 'string' } } }),
]

describe('two writers, one of them paused between two steps', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting(model, { transactions: false })
  })
  after(() => writing.stop())
  beforeEach(() => writing.clear())

  const create = async (name: string, data: unknown, scope = published) =>
    (await createDocument(writing.context, writing.type(name), scope, data)).documentId
  const update = (name: string, id: string, data: unknown, scope = published) => {
    const { context, type } = writing
    return updateDocument(context, type(name), id, scope, data)
  }
  /** Pauses a write before a matching step, runs `meanwhile`, then continues it. */
  const interleave = async <T>(
    matches: (step: Step) => boolean,
    first: (context: WriteContext) => Promise<T>,
    meanwhile: () => Promise<unknown>,
  ): Promise<T> => {
    const { db, reached, go } = pausedAt(writing.db, matches)
    const running = first({ ...writing.context, db })
    running.catch(() => undefined)
    await Promise.race([reached, running])
    await meanwhile()
    go()
    return running
  }
  const is = (step: Step) => (other: Step) => other === step
  const into = (collection: string) => (step: Step) => step.startsWith(`${collection} `)
  const all = async (name: string) => [
    ...(await writing.stored(`${name}.draft`)),
    ...(await writing.stored(name)),
  ]

  it('rule 1: a document without a draft does not exist, even if its published version is still stored', async () => {
    const id = await create('post', { title: 'A' })
    const { type } = writing
    await interleave(
      is('posts deleteMany'),
      (context) => deleteDocument(context, type('post'), id, published),
      async () => {
        expect(await writing.stored('posts')).to.have.length(1)
        expect(await refusal(update('post', id, { title: 'B' }))).to.include({ status: 404 })
      },
    )
    expect(await all('posts')).to.deep.equal([])
  })

  it('rule 2: a late write reads again and undoes nothing', async () => {
    const id = await create('post', { title: 'A', slug: 'a' })
    const { type } = writing
    await interleave(
      is('posts.draft updateOne'),
      (context) => updateDocument(context, type('post'), id, published, { title: 'late' }),
      () => update('post', id, { slug: 'meanwhile' }),
    )
    for (const version of await all('posts'))
      expect(version).to.include({ title: 'late', slug: 'meanwhile' })
  })

  it('rule 2: a write fails with a conflict after five attempts and stores nothing', async () => {
    const id = await create('post', { title: 'A' })
    const { context, type } = writing
    // Before each attempt, another write changes the draft.
    const { db } = stepping(writing.db, async (step) => {
      if (step === 'posts.draft updateOne') await update('post', id, {}, draft)
    })
    const racing = { ...context, db }
    const refused = await refusal(
      updateDocument(racing, type('post'), id, published, { title: 'never' }),
    )
    expect(refused).to.include({ status: 409 })
    expect((await all('posts')).map(({ title }) => title as string)).to.deep.equal(['A', 'A'])
  })

  it('rule 3: the later of two drafts is published, whichever publish finishes last', async () => {
    const id = await create('post', { title: 'A' })
    const { type } = writing
    await interleave(
      into('posts'),
      (context) => updateDocument(context, type('post'), id, published, { title: 'earlier' }),
      () => update('post', id, { title: 'later' }),
    )
    const [mine, live] = await all('posts')
    expect(plain(live)).to.deep.equal(plain(mine))
    expect(live).to.include({ title: 'later' })
  })

  it('rule 3: two concurrent first publishes keep one record id', async () => {
    const id = await create('post', { title: 'A' }, draft)
    const { type } = writing
    await interleave(
      is('posts insertOne'),
      (context) => actOnDocument(context, type('post'), id, published, 'publish'),
      () => update('post', id, { title: 'B' }),
    )
    const [mine, live, ...others] = await all('posts')
    expect(plain(live)).to.deep.equal(plain(mine))
    expect(others).to.deep.equal([])
  })

  for (const already of [false, true])
    it(`rule 3: a document deleted while it is published stays deleted (${already ? 'again' : 'the first time'})`, async () => {
      const id = await create('post', { title: 'A' }, already ? published : draft)
      const { context, type } = writing
      const publish = interleave(
        into('posts'),
        (paused) => actOnDocument(paused, type('post'), id, published, 'publish'),
        () => deleteDocument(context, type('post'), id, published),
      )
      expect(await refusal(publish)).to.include({ status: 404 })
      expect(await all('posts')).to.deep.equal([])
    })

  it('rule 4: a document published while it is deleted stays deleted', async () => {
    const id = await create('post', { title: 'A' })
    const { type } = writing
    await interleave(
      is('posts.draft deleteMany'),
      (context) => deleteDocument(context, type('post'), id, published),
      () => update('post', id, { title: 'B' }),
    )
    expect(await all('posts')).to.deep.equal([])
  })

  for (const step of ['posts.draft updateMany', 'posts updateMany'])
    it(`rule 5: the later write of a shared value wins in all locales (before ${step})`, async () => {
      const id = await create('post', { title: 'A', views: 1 })
      const { type } = writing
      await update('post', id, { title: 'B' }, inLocale('fr'))
      await interleave(
        is(step),
        (context) => updateDocument(context, type('post'), id, inLocale('en'), { views: 2 }),
        () => update('post', id, { views: 3 }, inLocale('fr')),
      )
      for (const version of await all('posts')) expect(version).to.include({ views: 3 })
    })

  it('rule 5: a new locale gets a shared value that another locale writes meanwhile', async () => {
    const id = await create('post', { title: 'A', views: 1 })
    const { type } = writing
    await interleave(
      is('posts.draft insertOne'),
      (context) => updateDocument(context, type('post'), id, inLocale('fr'), { title: 'B' }),
      () => update('post', id, { views: 2 }),
    )
    for (const version of await all('posts')) expect(version).to.include({ views: 2 })
  })

  it('rule 6: two concurrent first writes of a single type create one document', async () => {
    const { context, type } = writing
    const save = (context: WriteContext, title: string) =>
      saveSingleDocument(context, type('home'), published, { title })
    await interleave(
      is('homes.draft insertOne'),
      (paused) => save(paused, 'first'),
      () => save(context, 'second'),
    )
    const versions = await all('homes')
    expect(versions.map(({ title }) => title as string)).to.deep.equal(['first', 'first'])
    expect(new Set(versions.map(({ documentId }) => documentId as string)).size).to.equal(1)
  })

  it('rule 7: a create that loses a unique value stores nothing', async () => {
    const { type } = writing
    const losing = interleave(
      is('posts insertOne'),
      (context) => createDocument(context, type('post'), published, { title: 'A', slug: 'a' }),
      () => create('post', { title: 'B', slug: 'a' }),
    )
    expect(await refusal(losing)).to.include({
      ...{ status: 400, message: 'This attribute must be unique' },
    })
    expect((await all('posts')).map(({ title }) => title as string)).to.deep.equal(['B', 'B'])
  })

  it('rule 7: an update that loses a unique value restores the draft, unless the draft was written since', async () => {
    const { context, type } = writing
    const losing = (id: string, meanwhile: () => Promise<unknown>) =>
      refusal(
        interleave(
          is('posts updateOne'),
          (paused) => updateDocument(paused, type('post'), id, published, { slug: 'wanted' }),
          meanwhile,
        ),
      )
    const id = await create('post', { title: 'A', slug: 'a' })
    const taker = () => create('post', { title: 'B', slug: 'wanted' })
    expect(await losing(id, taker)).to.include({ status: 400 })
    const mine = async () => (await all('posts')).filter(({ documentId }) => documentId === id)
    for (const version of await mine()) expect(version).to.include({ title: 'A', slug: 'a' })
    expect(await mine()).to.have.length(2)
    await deleteDocument(
      context,
      type('post'),
      (await writing.stored('posts'))[1]?.['documentId'] as string,
      published,
    )
    const both = async () => {
      await taker()
      await update('post', id, { title: 'since' }, draft)
    }
    expect(await losing(id, both)).to.include({ status: 400 })
    expect((await mine()).map(({ title, slug }) => [title, slug] as unknown)).to.deep.equal([
      ['since', 'wanted'],
      ['A', 'a'],
    ])
  })

  for (const step of ['albums.draft findOneAndUpdate', 'albums findOneAndUpdate'])
    it(`rule 8: an owner keeps concurrent writes from both sides (before ${step})`, async () => {
      const [one, two] = [await create('label', {}), await create('label', {})]
      const album = await create('album', { name: 'A', labels: [one] })
      const { type } = writing
      await interleave(
        is(step),
        (context) => updateDocument(context, type('label'), two, published, { albums: [album] }),
        () => update('album', album, { name: 'B' }),
      )
      for (const version of await all('albums')) {
        expect(version).to.include({ name: 'B' })
        const labels = (version['labels'] as Document[]).map(
          ({ documentId }) => documentId as string,
        )
        expect(labels).to.deep.equal([one, two])
      }
    })

  const owners = async (field: 'parts' | 'partner') => {
    const namesOf = (versions: readonly Document[]) =>
      versions
        .filter((album) => [album[field]].flat().some((ref) => ref !== null))
        .map(({ name }) => name as string)
    return [namesOf(await writing.stored('albums.draft')), namesOf(await writing.stored('albums'))]
  }
  for (const field of ['parts', 'partner'] as const)
    for (const step of [
      'albums.draft updateOne',
      'albums findOneAndUpdate',
      'albums.draft updateMany',
      'albums updateMany',
    ])
      it(`rule 8: a target taken by two concurrent writes has one owner (${field}, before ${step})`, async () => {
        const label = await create('label', {})
        const value = field === 'parts' ? [label] : label
        const [first, second] = [
          await create('album', { name: 'first' }),
          await create('album', { name: 'second' }),
        ]
        await create('album', { name: 'former', [field]: value })
        const { type } = writing
        await interleave(
          is(step),
          (context) => updateDocument(context, type('album'), first, published, { [field]: value }),
          () => update('album', second, { [field]: value }),
        )
        const [inDrafts, inPublished] = await owners(field)
        expect(inDrafts).to.have.length(1)
        expect(inPublished).to.deep.equal(inDrafts)
      })

  it('rule 8: a target taken by two concurrent writes of the inverse side has one owner', async () => {
    const label = await create('label', {})
    const [first, second] = [
      await create('album', { name: 'first' }),
      await create('album', { name: 'second' }),
    ]
    const { type } = writing
    await interleave(
      is('albums.draft findOneAndUpdate'),
      (context) => updateDocument(context, type('label'), label, published, { whole: first }),
      () => update('label', label, { whole: second }),
    )
    const [inDrafts, inPublished] = await owners('parts')
    expect(inDrafts).to.have.length(1)
    expect(inPublished).to.deep.equal(inDrafts)
  })

  it('rule 9: only the last step of a write waits for the journal', async () => {
    const client = new MongoClient(writing.uri, { monitorCommands: true })
    const waits: [string, boolean][] = []
    client.on('commandStarted', ({ commandName, command }) => {
      const collection = String(command[commandName])
      if (
        collection.startsWith('_') ||
        !['insert', 'update', 'findAndModify'].includes(commandName)
      )
        return
      const { j = false } = (command['writeConcern'] ?? {}) as { j?: boolean }
      waits.push([`${collection} ${commandName}`, j])
    })
    await client.connect()
    const context = { ...writing.context, db: client.db() }
    await createDocument(context, writing.type('post'), published, { title: 'A' })
    await client.close()
    expect(waits).to.deep.equal([
      ['posts.draft insert', false],
      ['posts insert', true],
    ])
  })
})
