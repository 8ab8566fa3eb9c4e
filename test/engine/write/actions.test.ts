import { expect } from 'chai'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  deleteSingleDocument,
  saveSingleDocument,
  updateDocument,
} from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, plain, published, refusal, startWriting } from './start-writing.js'

describe('publish, delete and single types', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())
  beforeEach(() => writing.clear())

  const create = (data: unknown, scope = published) =>
    createDocument(writing.context, writing.type('article'), scope, data)
  const act = (id: string, action: 'publish' | 'unpublish' | 'discard-draft') =>
    actOnDocument(writing.context, writing.type('article'), id, published, action)

  it('publishes a draft unchanged, and keeps the record id of the published version', async () => {
    const { documentId } = await create({ title: 'A' }, draft)
    const first = await act(documentId, 'publish')
    await updateDocument(writing.context, writing.type('article'), documentId, draft, {
      title: 'B',
    })
    const second = await act(documentId, 'publish')
    const [version] = await writing.stored('articles')
    expect(version?.['title']).to.equal('B')
    expect([first.id, second.id]).to.deep.equal([version?._id, version?._id])
  })

  it('keeps createdAt and createdBy, and sets updatedAt and updatedBy', async () => {
    const [ada, ben] = ['ada', 'ben'].map((actor) => ({ ...writing.context, actor }))
    const type = writing.type('article')
    const { documentId } = await createDocument(ada ?? writing.context, type, draft, {})
    const [created] = await writing.stored('articles.draft')
    await updateDocument(ben ?? writing.context, type, documentId, published, { title: 'A' })
    const [changed] = await writing.stored('articles.draft')
    const [live] = await writing.stored('articles')
    const [createdBy, updatedBy] = [{ documentId: 'ada' }, { documentId: 'ben' }]
    expect(created).to.deep.include({ createdBy, updatedBy: createdBy })
    const createdAt: unknown = created?.['createdAt']
    expect(changed).to.deep.include({ createdAt, createdBy, updatedBy })
    expect(live).to.deep.include({ createdAt, createdBy, updatedBy })
    expect(live?.['updatedAt']).to.deep.equal(changed?.['updatedAt'])
    expect(changed?.['updatedAt']).to.be.greaterThan(created?.['updatedAt'] as Date)
    await updateDocument(writing.context, type, documentId, published, {})
    expect((await writing.stored('articles'))[0]).to.deep.include({ createdBy, updatedBy: null })
  })

  it('raises updatedAt even if the clock of another process is ahead', async () => {
    const { documentId } = await create({ title: 'A' })
    const ahead = new Date(Date.now() + 60_000)
    await writing.db.collection('articles.draft').updateMany({}, { $set: { updatedAt: ahead } })
    await updateDocument(writing.context, writing.type('article'), documentId, draft, {})
    const [version] = await writing.stored('articles.draft')
    expect(version?.['updatedAt']).to.deep.equal(new Date(ahead.getTime() + 1))
  })

  it('rejects publishing an invalid draft or an unknown document', async () => {
    const { documentId } = await create({}, draft)
    expect(await refusal(act(documentId, 'publish'))).to.include({ status: 400 })
    expect(await refusal(act('a'.repeat(24), 'publish'))).to.include({ status: 404 })
  })

  it('unpublishes a document and keeps its draft', async () => {
    const { documentId } = await create({ title: 'A' })
    const written = await act(documentId, 'unpublish')
    expect(await writing.stored('articles')).to.deep.equal([])
    const [version] = await writing.stored('articles.draft')
    expect(written).to.include({ status: 'draft', id: version?._id as unknown })
    await act(documentId, 'publish')
    expect((await writing.stored('articles'))[0]?.['title']).to.equal('A')
  })

  it('resets a draft to the published version', async () => {
    const { documentId } = await create({ title: 'A', views: 1 })
    await updateDocument(writing.context, writing.type('article'), documentId, draft, {
      title: 'B',
      views: 2,
    })
    await act(documentId, 'discard-draft')
    const [version] = await writing.stored('articles.draft')
    expect(plain(version)).to.deep.equal(plain((await writing.stored('articles'))[0]))
    expect(version?.['title']).to.equal('A')
  })

  it('deletes both versions, and succeeds if there is nothing to delete', async () => {
    const { context, type } = writing
    const { documentId } = await create({ title: 'A' })
    await deleteDocument(context, type('article'), documentId, published)
    await deleteDocument(context, type('article'), documentId, published)
    expect(await writing.stored('articles')).to.deep.equal([])
    expect(await writing.stored('articles.draft')).to.deep.equal([])
  })

  it('rejects a delete of only the draft', async () => {
    const { context, type } = writing
    const { documentId } = await create({ title: 'A' })
    const error = await refusal(deleteDocument(context, type('article'), documentId, draft))
    expect(error).to.include({ status: 400 })
    expect((await writing.stored('articles.draft')).length).to.equal(1)
  })

  it('writes and deletes only if the revision matches If-Match', async () => {
    const { context, type } = writing
    const { documentId, revision } = await create({ title: 'A' })
    const update = (ifRevision: number) =>
      updateDocument(
        context,
        type('article'),
        documentId,
        published,
        { title: 'B' },
        { ifRevision },
      )
    const next = await update(revision)
    expect(await refusal(update(revision))).to.include({ status: 412 })
    const stale = deleteDocument(context, type('article'), documentId, published, {
      ifRevision: revision,
    })
    expect(await refusal(stale)).to.include({ status: 412 })
    await deleteDocument(context, type('article'), documentId, published, {
      ifRevision: next.revision,
    })
    expect(await writing.stored('articles.draft')).to.deep.equal([])
  })

  it('stores one document of a single type for all its locales', async () => {
    const { context, type, stored } = writing
    const save = (scope: typeof published, data: unknown) =>
      saveSingleDocument(context, type('homepage'), scope, data)
    const [first, second] = await Promise.all([
      save(published, { heading: 'Hi' }),
      save(inLocale('fr'), { heading: 'Salut' }),
    ])
    expect(second.documentId).to.equal(first.documentId)
    expect((await stored('homepages')).map(({ locale }) => locale as unknown).sort()).to.deep.equal(
      ['en', 'fr'],
    )
    await deleteSingleDocument(context, type('homepage'), inLocale('*'))
    await deleteSingleDocument(context, type('homepage'), inLocale('*'))
    expect(await stored('homepages')).to.deep.equal([])
    const again = await save(published, { heading: 'Again' })
    expect(again.documentId).not.to.equal(first.documentId)
  })

  it('accepts exactly one of many concurrent writes of a unique value', async () => {
    const { stored } = writing
    const writes = await Promise.allSettled(
      Array.from({ length: 20 }, () => create({ title: 'A', slug: 'same' })),
    )
    expect(writes.filter(({ status }) => status === 'fulfilled').length).to.equal(1)
    const errors = writes.flatMap((write) =>
      write.status === 'rejected' ? [(write.reason as Error).message] : [],
    )
    expect(new Set(errors)).to.deep.equal(new Set(['This attribute must be unique']))
    expect((await stored('articles')).length).to.equal(1)
    expect((await stored('articles.draft')).length).to.equal(1)
  })

  it('ends with equal versions after many concurrent publishing writes of a document', async () => {
    const { context, type, stored } = writing
    const { documentId } = await create({ title: 'A', views: 0 })
    await Promise.all(
      Array.from({ length: 20 }, (_, views) =>
        updateDocument(context, type('article'), documentId, published, { views }),
      ),
    )
    expect(plain((await stored('articles'))[0])).to.deep.equal(
      plain((await stored('articles.draft'))[0]),
    )
  })
})
