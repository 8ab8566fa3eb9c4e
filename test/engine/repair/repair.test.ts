import { expect } from 'chai'
import type { Document } from 'mongodb'
import { MongoClient } from 'mongodb'
import type { Finding } from '../../../engine/repair.js'
import { repairContent } from '../../../engine/repair.js'
import type { WriteContext } from '../../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  updateDocument,
} from '../../../engine/write.js'
import { repairModel } from './repair-model.js'
import type { Writing } from '../write/start-writing.js'
import { draft, inLocale, published, startWriting } from '../write/start-writing.js'
import { wronglyListed } from '../write/listed-references.js'
import { pausedAt, Stopped, stoppedAt } from '../write/stepping.js'
import { unmarkedDrafts } from '../write/unmarked-drafts.js'

describe('repairContent', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting(repairModel, { transactions: false })
  })
  after(() => writing.stop())
  beforeEach(() => writing.clear())

  const create = async (name: string, data: unknown, scope = published) =>
    (await createDocument(writing.context, writing.type(name), scope, data)).documentId
  const repair = async (repairs = true) => {
    const { db, registry } = writing
    const findings: Finding[] = []
    await repairContent({ db, registry, repairs, found: (finding) => findings.push(finding) })
    return findings
  }
  const kinds = (findings: readonly Finding[]) => findings.map(({ kind }) => kind).sort()
  /** Interrupts a write at step `at`, and returns the steps that it took before. */
  const cutOff = async (at: number, write: (context: WriteContext) => Promise<unknown>) => {
    const { db, taken } = stoppedAt(writing.db, at)
    try {
      await write({ ...writing.context, db })
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    }
    return taken
  }
  const act = (
    context: WriteContext,
    id: string,
    action: 'publish' | 'unpublish' | 'discard-draft',
    name = 'label',
  ) => actOnDocument(context, writing.type(name), id, published, action)

  it('removes a published version whose draft was deleted, and references to it', async () => {
    const label = await create('label', {})
    const to = { to: label }
    const zone = [{ __component: 'shared.link', ...to }]
    await create('album', { labels: [label], partner: label, links: [to, {}], zone })
    const taken = await cutOff(1, (context) =>
      deleteDocument(context, writing.type('label'), label, published),
    )
    expect(taken).to.deep.equal(['labels.draft deleteMany', 'labels deleteMany'])
    expect(kinds(await repair())).to.deep.equal([
      'missing-target',
      'missing-target',
      'published-without-draft',
    ])
    expect(await writing.stored('labels')).to.deep.equal([])
    for (const collection of ['albums.draft', 'albums']) {
      const [album] = await writing.stored(collection)
      expect(album).to.deep.include({ labels: [], partner: null })
      expect((album?.['links'] as Document[]).map(({ to }) => to as unknown)).to.deep.equal([
        null,
        null,
      ])
      expect((album?.['zone'] as Document[])[0]).to.include({ to: null })
    }
    expect(await repair()).to.deep.equal([])
  })

  it('only reports findings if repairs are off', async () => {
    const label = await create('label', {})
    await cutOff(1, (context) => deleteDocument(context, writing.type('label'), label, published))
    const [finding, ...others] = await repair(false)
    expect([finding, others]).to.deep.equal([
      {
        kind: 'published-without-draft',
        collection: 'labels',
        documentId: label,
        repaired: false,
      },
      [],
    ])
    expect(await repair(false)).to.deep.equal([finding])
    expect(await writing.stored('labels')).to.have.length(1)
  })

  it('finishes an interrupted unpublish', async () => {
    const label = await create('label', {})
    await cutOff(1, (context) => act(context, label, 'unpublish'))
    expect(kinds(await repair())).to.deep.equal(['withdrawn'])
    expect(await writing.stored('labels')).to.deep.equal([])
    expect(await repair()).to.deep.equal([])
  })

  it('copies the latest shared values to all locales', async () => {
    const id = await create('post', { title: 'A', views: 1, code: 'a', links: [{ mark: 'a' }] })
    for (const locale of ['fr', 'de'])
      await updateDocument(writing.context, writing.type('post'), id, inLocale(locale), {})
    const taken = await cutOff(3, (context) =>
      updateDocument(context, writing.type('post'), id, inLocale('fr'), {
        ...{ views: 2, code: 'b' },
        links: [{ mark: 'b' }, { mark: 'c' }],
      }),
    )
    expect(taken.slice(2)).to.deep.equal(['posts.draft updateMany', 'posts updateMany'])
    expect(kinds(await repair())).to.deep.equal(['locales-differ'])
    for (const version of [
      ...(await writing.stored('posts')),
      ...(await writing.stored('posts.draft')),
    ])
      expect(version).to.include({ views: 2, code: 'b' })
    expect(await repair()).to.deep.equal([])
  })

  it('reverts a shared unique value that another document has taken meanwhile', async () => {
    const id = await create('post', { views: 1, code: 'a' })
    for (const locale of ['fr', 'de'])
      await updateDocument(writing.context, writing.type('post'), id, inLocale(locale), {})
    await cutOff(3, (context) =>
      updateDocument(context, writing.type('post'), id, inLocale('fr'), { code: 'b' }),
    )
    const rival = { _id: -1 as never, documentId: 'rival', locale: 'de', code: 'b', _revision: 1 }
    for (const collection of ['posts', 'posts.draft'])
      await writing.db.collection(collection).insertOne({ ...rival })
    await repair()
    const codes = (await writing.stored('posts')).map(({ code }) => code as string)
    expect(codes).to.deep.equal(['b', 'a', 'a', 'a'])
    expect(await repair()).to.deep.equal([])
  })

  it('keeps differing values that were never written as shared values', async () => {
    const id = await create('post', { views: 1 })
    await updateDocument(writing.context, writing.type('post'), id, inLocale('fr'), {})
    // As if `views` had been a localized attribute earlier.
    await writing.db.collection('posts').updateOne({ locale: 'fr' }, { $set: { views: 7 } })
    expect(await repair()).to.deep.equal([])
  })

  it('finishes an interrupted publish that changes the owners of relations', async () => {
    const albums = [await create('album', {}), await create('album', {})]
    const label = await create('label', { albums: [albums[0]] }, draft)
    const edit = { albums: { connect: [albums[1]] } }
    await updateDocument(writing.context, writing.type('label'), label, draft, edit)
    const taken = await cutOff(3, (context) => act(context, label, 'publish'))
    expect(taken[3]).to.equal('albums findOneAndUpdate')
    expect(kinds(await repair())).to.deep.equal(['unfinished-publish'])
    for (const album of await writing.stored('albums'))
      expect(
        (album['labels'] as Document[]).map(({ documentId }) => documentId as string),
      ).to.deep.equal([label])
    expect(await repair()).to.deep.equal([])
  })

  it('gives the target of an exclusive list to the last of two owners', async () => {
    const label = await create('label', {})
    const first = await create('album', { name: 'first', parts: [label] })
    const taken = await cutOff(2, (context) =>
      createDocument(context, writing.type('album'), published, { name: 'second', parts: [label] }),
    )
    expect(taken[2]).to.equal('albums.draft updateMany')
    const findings = await repair()
    expect(kinds(findings)).to.deep.equal(['two-owners', 'two-owners'])
    expect(findings.map(({ documentId }) => documentId)).to.deep.equal([first, first])
    for (const collection of ['albums.draft', 'albums']) {
      const parts = (await writing.stored(collection)).map(
        (album) => (album['parts'] as Document[]).length,
      )
      expect(parts).to.deep.equal([0, 1])
    }
    expect(await repair()).to.deep.equal([])
  })

  it('looks up a target once, however many entries refer to it', async () => {
    const { db, registry, uri } = writing
    const label = await create('label', {})
    const labels = [{ documentId: label, order: 1 }]
    const albums = Array.from({ length: 1_100 }, (_, at) => ({
      ...{ _id: at as never, documentId: `album${at}`, locale: null, labels },
      _refs: [`labels:${label}`],
    }))
    for (const collection of ['albums.draft', 'albums'])
      await db.collection(collection).insertMany(albums)
    const client = new MongoClient(uri, { monitorCommands: true })
    const finds: unknown[] = []
    client.on('commandStarted', ({ command: { find, filter } }) => {
      if (find === 'labels.draft') finds.push((filter as Document)['documentId'])
    })
    const found = (finding: Finding) => expect.fail(JSON.stringify(finding))
    await repairContent({ db: client.db(), registry, repairs: true, found })
    await client.close()
    expect(finds.filter((filter) => filter !== undefined)).to.deep.equal([
      { $in: [label] }, // Looked up as the draft of its published version,
      { $in: [label] }, // and as a target.
    ])
  })

  it('rebuilds the list of references of a version that another program wrote', async () => {
    const { db, registry } = writing
    const labels = [await create('label', {}), await create('label', {})]
    const album = await create('album', { labels, links: [{ to: labels[0] }] })
    await db.collection('albums').updateOne({}, { $unset: { _refs: '' } })
    await db.collection('albums.draft').updateOne({}, { $set: { _refs: ['labels:gone'] } })
    const repairAll = async (repairs: boolean) => {
      const findings: Finding[] = []
      await repairContent({ db, registry, repairs, found: (one) => findings.push(one) })
      return findings
    }
    const found = (repaired: boolean) =>
      ['albums.draft', 'albums'].map((collection) => ({
        ...{ kind: 'references-differ', collection, documentId: album, repaired },
      }))
    expect(await repairAll(false)).to.deep.equal(found(false))
    expect(await repairAll(true)).to.deep.equal(found(true))
    expect(await repairAll(true)).to.deep.equal([])
  })

  it('lists references that are written between reading a version and listing it', async () => {
    const { context, type, registry } = writing
    const labels = [await create('label', {}), await create('label', {})]
    const albums: string[] = []
    for (let n = 0; n < 3; n += 1) albums.push(await create('album', { labels: [labels[0]] }))
    for (const name of ['albums', 'albums.draft'])
      await writing.db.collection(name).updateMany({}, { $unset: { _refs: '' } })
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'albums.draft bulkWrite')
    const repairing = repairContent({ db, registry, repairs: true, found: () => undefined })
    await reached
    // Changes the albums' references through `labels`: such writes do not read the rest of an album.
    await updateDocument(context, type('label'), labels[1] ?? '', published, {
      albums: albums.slice(0, 2),
    })
    await updateDocument(context, type('album'), albums[2] ?? '', published, { labels: [] })
    go()
    await repairing
    expect(await wronglyListed(writing.db, registry)).to.deep.equal([])
  })

  it('marks drafts that are written between reading and marking them', async () => {
    const { context, type, registry } = writing
    const posts: string[] = []
    for (let n = 0; n < 3; n += 1) posts.push(await create('post', { title: `${n}` }))
    for (const post of posts.slice(1))
      await updateDocument(context, type('post'), post, draft, { title: 'later' })
    await writing.db.collection('posts.draft').updateMany({}, { $unset: { _modified: '' } })
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'posts.draft bulkWrite')
    const repairing = repairContent({ db, registry, repairs: true, found: () => undefined })
    await reached
    await act(context, posts[0] ?? '', 'unpublish', 'post')
    await act(context, posts[1] ?? '', 'publish', 'post')
    await updateDocument(context, type('post'), posts[2] ?? '', draft, { title: 'last' })
    go()
    await repairing
    expect(await unmarkedDrafts(writing.db, registry)).to.deep.equal([])
  })

  it('marks a draft that was changed in the database during its first publish', async () => {
    const post = await create('post', { title: 'new' }, draft)
    const { db, reached, go } = pausedAt(writing.db, (step) => step === 'posts insertOne')
    const publishing = act({ ...writing.context, db }, post, 'publish', 'post')
    await reached
    const later = {
      updatedAt: { $add: ['$updatedAt', 1000] },
      _revision: { $add: ['$_revision', 1] },
    }
    await writing.db.collection('posts.draft').updateOne({ documentId: post }, [{ $set: later }])
    await repair()
    go()
    await publishing
    expect(await unmarkedDrafts(writing.db, writing.registry)).to.deep.equal([])
  })

  it('finds nothing after complete writes', async () => {
    const { context, type } = writing
    const labels = [await create('label', {}), await create('label', {}, draft)]
    const album = await create('album', { labels, parts: labels, partner: labels[0] })
    await create('album', { parts: labels, partner: labels[0] }, draft)
    const post = await create('post', { views: 1 })
    await updateDocument(context, type('post'), post, inLocale('fr'), { views: 2 })
    await updateDocument(context, type('post'), post, inLocale('de', 'draft'), { views: 3 })
    await updateDocument(context, type('label'), labels[0] ?? '', draft, { albums: [] })
    await act(context, album, 'unpublish', 'album')
    await act(context, post, 'discard-draft', 'post')
    await deleteDocument(context, type('label'), labels[1] ?? '', published)
    expect(await repair()).to.deep.equal([])
  })
})
