import { expect } from 'chai'
import { createDocument, updateDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { draft, published, startWriting } from './start-writing.js'

type Reference = Readonly<{ documentId: string; order: number }>

describe('inverse relations', () => {
  let writing: Writing
  let articles: readonly string[]
  let author: string
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())
  beforeEach(async () => {
    await writing.clear()
    const { context, type } = writing
    const ids: string[] = []
    for (const title of ['one', 'two', 'three'])
      ids.push((await createDocument(context, type('article'), published, { title })).documentId)
    articles = ids
    author = (await createDocument(context, type('author'), published, { name: 'Ada' })).documentId
  })

  const write = (list: unknown) =>
    updateDocument(writing.context, writing.type('author'), author, published, { articles: list })
  const listOf = async (collection: string, of = author) =>
    (await writing.stored(collection))
      .map((article) => ({
        id: article['documentId'] as string,
        to: article['author'] as Reference | null,
      }))
      .filter(({ to }) => to?.documentId === of)
      .sort((a, b) => (a.to?.order ?? 0) - (b.to?.order ?? 0))
      .map(({ id }) => articles.indexOf(id))

  it('writes the drafts and the published versions of the owners', async () => {
    await write({ connect: [articles[1], articles[0]] })
    expect(await listOf('articles.draft')).to.deep.equal([1, 0])
    expect(await listOf('articles')).to.deep.equal([1, 0])
  })

  it('moves an owner to a position without changing the others', async () => {
    await write({ set: articles })
    const before = await writing.stored('articles')
    const position = { before: articles[1] }
    await write({ connect: [{ documentId: articles[2], position }] })
    expect(await listOf('articles')).to.deep.equal([0, 2, 1])
    const after = await writing.stored('articles')
    expect(after.slice(0, 2)).to.deep.equal(before.slice(0, 2))
  })

  it('takes an article from its previous author', async () => {
    const { context, type } = writing
    await write({ connect: articles })
    const other = await createDocument(context, type('author'), published, {
      name: 'Bela',
      articles: [articles[1]],
    })
    expect(await listOf('articles')).to.deep.equal([0, 2])
    expect(await listOf('articles', other.documentId)).to.deep.equal([1])
  })

  it('disconnects owners and replaces the whole list', async () => {
    await write({ connect: articles })
    await write({ disconnect: [articles[0]] })
    expect(await listOf('articles.draft')).to.deep.equal([1, 2])
    await write([articles[2], articles[0]])
    expect(await listOf('articles.draft')).to.deep.equal([2, 0])
    await write(null)
    expect(await listOf('articles.draft')).to.deep.equal([])
    expect(await listOf('articles')).to.deep.equal([])
  })

  it('keeps relations that only published owners have when it connects others', async () => {
    const { context, type } = writing
    await write({ connect: [articles[0]] })
    await updateDocument(context, type('article'), articles[0] ?? '', draft, { author: null })
    await write({ connect: [articles[1]] })
    expect(await listOf('articles.draft')).to.deep.equal([1])
    expect(await listOf('articles')).to.deep.equal([0, 1])
  })

  it('writes only the drafts of owners when the document is written as a draft', async () => {
    const { context, type, stored } = writing
    const tag = await createDocument(context, type('tag'), draft, {
      name: 't',
      articles: [articles[0]],
    })
    const inDrafts = (await stored('articles.draft')).map(
      (article) => article['tags'] as Reference[],
    )
    expect(inDrafts.map((tags) => tags.map(({ documentId }) => documentId))).to.deep.equal([
      [tag.documentId],
      [],
      [],
    ])
    const inPublished = (await stored('articles')).map((article) => article['tags'] as unknown)
    expect(inPublished).to.deep.equal([[], [], []])
  })

  it('moves a oneToOne to its new owner', async () => {
    const { context, type, stored } = writing
    const profile = await createDocument(context, type('profile'), published, { author })
    const second = await createDocument(context, type('author'), published, { name: 'Bela' })
    await updateDocument(context, type('profile'), profile.documentId, published, {
      author: second.documentId,
    })
    const [ada, bela] = await stored('authors')
    expect(ada?.['profile']).to.equal(null)
    expect((bela?.['profile'] as Reference).documentId).to.equal(profile.documentId)
  })

  it('raises the revision of every owner it changes', async () => {
    const before = await writing.stored('articles')
    await write({ connect: [articles[0]] })
    const after = await writing.stored('articles')
    expect(after[0]?.['_revision']).to.be.greaterThan(before[0]?.['_revision'] as number)
    expect(after[1]).to.deep.equal(before[1])
  })
})
