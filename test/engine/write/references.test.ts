import { expect } from 'chai'
import type { WriteContext } from '../../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  updateDocument,
} from '../../../engine/write.js'
import { planRemovals } from '../../../engine/write/plan/plan-removal.js'
import { wronglyListed } from './listed-references.js'
import { component, contentType, i18n, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, plain, published, refusal, startWriting } from './start-writing.js'
import { pausedAt, stepping, Stopped, stoppedAt } from './stepping.js'

const model = [
  component('shared.link', { to: relation('oneToOne', 'label'), more: { type: 'json' } }),
  component('shared.box', {
    links: { type: 'component', component: 'shared.link', repeatable: true },
  }),
  contentType(
    'post',
    {
      code: { type: 'string', unique: true },
      meta: { type: 'json' },
      cover: { type: 'media' },
      files: { type: 'media', multiple: true },
      box: { type: 'component', component: 'shared.box' },
      zone: { type: 'dynamiczone', components: ['shared.link', 'shared.box'], pluginOptions: i18n },
      author: relation('manyToOne', 'label', { inversedBy: 'posts' }),
      labels: relation('manyToMany', 'label'),
      partner: relation('oneToOne', 'label', { inversedBy: 'owner' }),
    },
    { drafts: true, localized: true },
  ),
  contentType('label', {
    name: { type: 'string' },
    posts: relation('oneToMany', 'post', { mappedBy: 'author' }),
    owner: relation('oneToOne', 'post', { mappedBy: 'partner' }),
  }),
]

type Fields = Readonly<Record<string, unknown>>
type Link = Readonly<{ to: unknown }>
type Links = Readonly<{ links: readonly Link[] }>

const idsIn = (stored: unknown): readonly string[] =>
  [stored ?? []].flat().map((it) => (it as Readonly<{ documentId: string }>).documentId)

describe('reference list of a version', () => {
  let writing: Writing
  let labels: readonly string[]
  before(async () => {
    writing = await startWriting(model)
  })
  after(() => writing.stop())
  beforeEach(async () => {
    await writing.clear()
    const file = (documentId: string, _id: number) => ({ _id: _id as never, documentId })
    const files = [file('fileone', 1), file('filetwo', 2), file('filethree', 3)]
    await writing.db.collection('upload_files').insertMany(files)
    labels = [await create('label', {}), await create('label', {})]
  })

  const create = async (name: string, data: unknown, scope = published) =>
    (await createDocument(writing.context, writing.type(name), scope, data)).documentId
  const update = (id: string, data: unknown, scope = published, context = writing.context) =>
    updateDocument(context, writing.type('post'), id, scope, data)
  const expectAllCorrect = async (at?: number): Promise<void> => {
    expect(await wronglyListed(writing.db, writing.registry), `step ${at}`).to.deep.equal([])
  }
  const listed = async (collection = 'posts') =>
    (await writing.stored(collection)).map((version) => version['_refs'] as unknown)
  const whole = () => ({
    cover: 'fileone',
    files: ['fileone', 'filetwo'],
    box: { links: [{ to: labels[0] }, {}, { to: labels[1] }] },
    zone: [
      { __component: 'shared.link', to: labels[1] },
      { __component: 'shared.box', links: [{ to: labels[0] }] },
    ],
    author: labels[0],
    labels,
    partner: labels[1],
  })

  it('contains each reference once, by its path without list indexes, in both versions', async () => {
    await create('post', whole())
    const [one, two] = labels
    const expected = [
      'author:' + one,
      'box.links.to:' + one,
      'box.links.to:' + two,
      'cover:fileone',
      'files:fileone',
      'files:filetwo',
      'labels:' + one,
      'labels:' + two,
      'partner:' + two,
      'zone[shared.box].links.to:' + one,
      'zone[shared.link].to:' + two,
    ].sort()
    for (const collection of ['posts.draft', 'posts']) {
      const [refs] = (await listed(collection)) as string[][]
      expect(refs?.toSorted()).to.deep.equal(expected)
    }
  })

  it('contains a reference of several components once, also when another locale writes it', async () => {
    const id = await create('post', {})
    await update(id, {}, inLocale('fr'))
    await update(id, { box: { links: [{ to: labels[0] }, { to: labels[0] }] } }, inLocale('fr'))
    const refs = [`box.links.to:${labels[0] ?? ''}`]
    for (const collection of ['posts.draft', 'posts'])
      expect(await listed(collection)).to.deep.equal([refs, refs])
  })

  it('is not stored if there are no references', async () => {
    const id = await create('post', whole())
    const nothing = { cover: null, files: [], box: null, zone: [], author: null, labels: [] }
    await update(id, { ...nothing, partner: null })
    expect([...(await listed('posts.draft')), ...(await listed())]).to.deep.equal([
      undefined,
      undefined,
    ])
  })

  it('ignores JSON values that look like references', async () => {
    const meta = { documentId: 'mine', order: 1 }
    const zone = [{ __component: 'shared.link', more: [meta] }]
    await create('post', { meta, zone, box: { links: [{ more: meta }] } })
    expect([...(await listed('posts.draft')), ...(await listed())]).to.deep.equal([
      undefined,
      undefined,
    ])
  })

  it('follows writes of other entries and of other locales', async () => {
    const id = await create('post', whole())
    await update(id, {}, inLocale('fr'))
    await update(id, { cover: 'filetwo', box: { links: [{ to: labels[1] }] } }, inLocale('fr'))
    await update(id, { files: ['filethree'] }, inLocale('en', 'draft'))
    const other = await create('post', { author: labels[0], partner: labels[1] })
    const { context, type } = writing
    await updateDocument(context, type('label'), labels[1] ?? '', published, {
      posts: [id, other],
      owner: id,
    })
    await updateDocument(context, type('label'), labels[0] ?? '', draft, { posts: [other] })
    await expectAllCorrect()
    await actOnDocument(context, type('post'), id, inLocale('en'), 'discard-draft')
    await expectAllCorrect()
    await deleteDocument(context, type('label'), labels[1] ?? '', published)
    await expectAllCorrect()
    const [one] = labels
    const media = ['cover:filetwo', 'files:fileone', 'files:filetwo']
    const english = [...media, `labels:${one}`, `zone[shared.box].links.to:${one}`]
    for (const collection of ['posts.draft', 'posts']) {
      const lists = (await listed(collection)) as string[][]
      expect(lists.map((refs) => refs.toSorted())).to.deep.equal([
        english,
        media,
        [`author:${one}`],
      ])
    }
  })

  it('keeps references that another schema stored', async () => {
    const id = await create('post', whole())
    const former = { documentId: 'former', order: 1 }
    const set = {
      ...{ old: [former], 'box.old': { former } },
      _refs: ['old:former', 'box.old.former:former'],
    }
    for (const name of ['posts.draft', 'posts'])
      await writing.db.collection(name).updateOne({}, { $set: set })
    await update(id, { cover: 'filetwo' })
    const { context, type } = writing
    await updateDocument(context, type('label'), labels[0] ?? '', published, { posts: [] })
    for (const name of ['posts.draft', 'posts']) {
      const [refs] = (await listed(name)) as string[][]
      expect(refs).to.include.members(['old:former', 'box.old.former:former', 'cover:filetwo'])
      // Deletes the posts, because `writing.clear` would report these references.
      await writing.db.collection(name).deleteMany({})
    }
  })

  it('is restored if another locale rejects the write', async () => {
    await create('post', { code: 'taken' })
    const id = await create('post', { ...whole(), code: 'a' })
    await update(id, {}, inLocale('fr'))
    const taken = { _id: -1 as never, documentId: 'rival', locale: 'fr', code: 'b', _revision: 1 }
    await writing.db.collection('posts').insertOne(taken)
    const before = await listed('posts.draft')
    const refused = await refusal(update(id, { code: 'b', cover: 'filetwo', files: [] }))
    expect(refused).to.include({ status: 400 })
    expect(await listed('posts.draft')).to.deep.equal(before)
    await expectAllCorrect()
  })

  it('matches the published version even if another write publishes meanwhile', async () => {
    const id = await create('post', whole())
    // The step is `bulkWrite` if the write shares a transaction with others.
    const steps = ['posts updateOne', 'posts findOneAndUpdate', 'posts bulkWrite']
    const { db, reached, go } = pausedAt(writing.db, (step) => steps.includes(step))
    const late = update(id, { cover: 'filetwo', labels: [] }, published, {
      ...writing.context,
      db,
    })
    await reached
    await updateDocument(writing.context, writing.type('label'), labels[1] ?? '', published, {
      posts: [id],
    })
    go()
    await late
    const [refs] = (await listed()) as string[][]
    expect(refs).to.include.members(['author:' + labels[1], 'cover:filetwo'])
    await expectAllCorrect()
  })

  it('finds the references to a deleted document with one command for each collection', async () => {
    await create('post', whole())
    const [one = '', two = ''] = labels
    await create('post', { author: two })
    const before = await writing.stored('posts')
    const { db, taken } = stepping(writing.db, () => undefined)
    const context = { ...writing.context, db }
    await deleteDocument(context, writing.type('label'), one, published)
    await deleteDocument(context, writing.type('plugin::upload.file'), 'fileone', published)
    expect(taken).to.deep.equal([
      ...['labels deleteMany', 'posts.draft updateMany', 'posts updateMany'],
      ...['upload_files deleteMany', 'posts.draft updateMany', 'posts updateMany'],
    ])
    for (const collection of ['posts.draft', 'posts']) {
      const [post, other] = (await writing.stored(collection)).map(plain) as [Fields, Fields]
      expect(post).to.include({ author: null, cover: null })
      expect(idsIn(post['files'])).to.deep.equal(['filetwo'])
      expect(idsIn(post['labels'])).to.deep.equal([two])
      expect(idsIn(post['partner'])).to.deep.equal([two])
      const box = post['box'] as Links
      expect(box.links.map(({ to }) => idsIn(to))).to.deep.equal([[], [], [two]])
      const [link, inner] = post['zone'] as [Link, Links]
      expect([idsIn(link.to), inner.links.map(({ to }) => idsIn(to))]).to.deep.equal([[two], [[]]])
      expect(idsIn(other['author'])).to.deep.equal([two])
    }
    const [post, other] = await writing.stored('posts')
    expect(Number(post?.['_revision'])).to.equal(Number(before[0]?.['_revision']) + 2)
    expect(plain(other)).to.deep.equal(plain(before[1]))
    expect(Object.keys(post ?? {})).to.deep.equal(Object.keys(before[0] ?? {}))
  })

  it('uses its index when a document is deleted', async () => {
    await create('post', whole())
    const { registry, type, db } = writing
    const removals = planRemovals(registry, type('label'), [labels[0] ?? ''])
    for (const { collection, filter } of removals) {
      const explained = await db.collection(collection).find(filter).explain('queryPlanner')
      expect(JSON.stringify(explained)).to.include('quire__refs:partial')
    }
  })

  const writes: Readonly<Record<string, (context: WriteContext, id: string) => Promise<unknown>>> =
    {
      'an update in one of two locales': (context, id) =>
        update(id, { cover: 'filetwo', box: null, labels: [] }, inLocale('fr'), context),
      'a new locale': (context, id) =>
        update(id, { zone: [], labels: [labels[1]] }, inLocale('de'), context),
      'a write from the inverse side': (context, id) =>
        updateDocument(context, writing.type('label'), labels[1] ?? '', published, {
          posts: [id],
          owner: null,
        }),
      'a delete of a target': (context) =>
        deleteDocument(context, writing.type('label'), labels[0] ?? '', published),
    }
  for (const [name, write] of Object.entries(writes))
    it(`is correct wherever a write is interrupted: ${name}`, async () => {
      for (let at = 0; ; at += 1) {
        await writing.clear()
        const file = (documentId: string, _id: number) => ({ _id: _id as never, documentId })
        await writing.db
          .collection('upload_files')
          .insertMany([file('fileone', 1), file('filetwo', 2)])
        labels = [await create('label', {}), await create('label', {})]
        const id = await create('post', whole())
        await update(id, {}, inLocale('fr'))
        const { db, taken } = stoppedAt(writing.db, at)
        await write({ ...writing.context, db }, id).catch((error: unknown) => {
          if (!(error instanceof Stopped)) throw error
        })
        await expectAllCorrect(at)
        if (taken.length > at) continue
        expect(at, 'interrupted writes').to.be.greaterThan(1)
        return
      }
    })
})
