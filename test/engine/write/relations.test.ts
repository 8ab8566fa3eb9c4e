import { expect } from 'chai'
import { allows } from '../../../engine/schema/grant.js'
import { createDocument, deleteDocument, updateDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, published, refusal, startWriting } from './start-writing.js'

type Reference = Readonly<{ documentId: string; order: number }>

describe('relation written from its owning side', () => {
  let writing: Writing
  let tags: readonly string[]
  let article: string
  let began: number
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())
  beforeEach(async () => {
    await writing.clear()
    began = Date.now()
    const { context, type } = writing
    const names = ['red', 'green', 'blue']
    const written = await Promise.all(
      names.map((name) => createDocument(context, type('tag'), published, { name })),
    )
    tags = written.map(({ documentId }) => documentId)
    article = (await createDocument(context, type('article'), published, { title: 'A', tags }))
      .documentId
  })

  const write = (data: unknown, scope = published) =>
    updateDocument(writing.context, writing.type('article'), article, scope, data)
  const tagsIn = async (collection: string) =>
    ((await writing.stored(collection))[0]?.['tags'] as readonly Reference[]).map(
      ({ documentId }) => tags.indexOf(documentId),
    )

  it('keeps the order of the payload, in both versions', async () => {
    await write({ tags: [tags[2], { documentId: tags[0] }] })
    expect(await tagsIn('articles.draft')).to.deep.equal([2, 0])
    expect(await tagsIn('articles')).to.deep.equal([2, 0])
  })

  it('stores references by documentId with the time of connecting, which later writes keep', async () => {
    const before = (await writing.stored('articles'))[0]?.['tags'] as readonly Reference[]
    expect(before.map(({ documentId }) => documentId)).to.deep.equal(tags)
    expect(before[0]?.order).to.be.within(began, Date.now() + 1)
    await write({ tags: [...tags].reverse() })
    const after = (await writing.stored('articles'))[0]?.['tags'] as readonly Reference[]
    expect(after).to.deep.equal([...before].reverse())
  })

  it('disconnects first, then connects, at the end or at a position', async () => {
    await write({ tags: { connect: [tags[0]], disconnect: [tags[0]] } })
    expect(await tagsIn('articles')).to.deep.equal([1, 2, 0])
    const position = { before: tags[1] }
    await write({ tags: { connect: [{ documentId: tags[0], position }] } })
    expect(await tagsIn('articles')).to.deep.equal([0, 1, 2])
  })

  it('accepts record ids of either version, as numbers or as strings', async () => {
    const [red] = await writing.stored('tags')
    const [, greenDraft] = await writing.stored('tags.draft')
    await write({ tags: [String(greenDraft?._id), red?._id] })
    const names = new Map(
      (await writing.stored('tags')).map((tag) => [
        tag['documentId'] as string,
        tag['name'] as string,
      ]),
    )
    const stored = (await writing.stored('articles'))[0]?.['tags'] as readonly Reference[]
    expect(stored.map(({ documentId }) => names.get(documentId))).to.deep.equal([
      names.get(greenDraft?.['documentId'] as string),
      names.get(red?.['documentId'] as string),
    ])
  })

  it('rejects a target that does not exist, and names it', async () => {
    const id = 'a'.repeat(24)
    const unknown = `Document with id "${id}", locale "null" not found`
    const expected = 'the id or documentId of an entry of api::tag.tag'
    expect(await refusal(write({ tags: [id] }))).to.deep.equal({
      status: 400,
      name: 'ValidationError',
      message: unknown,
      details: {
        errors: [{ path: ['tags'], message: unknown, name: 'ValidationError', expected }],
      },
    })
    expect(await refusal(write({ related: [id] }))).to.include({
      message: `Document with id "${id}", locale "en" not found`,
    })
    const message = '1 relation(s) of type api::tag.tag associated with this entity do not exist'
    const value = { set: [{ id: 9999 }] }
    expect(await refusal(write({ tags: 9999 }))).to.deep.equal({
      status: 400,
      name: 'ValidationError',
      message,
      details: { errors: [{ path: ['tags'], message, name: 'ValidationError', value }] },
    })
  })

  it('rejects a position next to a target that is not connected', async () => {
    await write({ tags: [] })
    const error = await refusal(
      write({ tags: { connect: [{ documentId: tags[0], position: { after: tags[1] } }] } }),
    )
    const ids = new Map(
      (await writing.stored('tags.draft')).map((tag) => [
        tag['documentId'] as string,
        tag._id as unknown,
      ]),
    )
    const [first, second] = [ids.get(tags[0] ?? ''), ids.get(tags[1] ?? '')].map(Number)
    expect(error['message']).to.equal(
      `There was a problem connecting relation with id ${first} at position {"after":${second}}. ` +
        `The relation with id ${second} needs to be connected first.`,
    )
    expect(error['details']).to.deep.equal({ path: 'tags', source: 'body' })
  })

  it('rejects items that refer to each other in a circle', async () => {
    await write({ tags: [] })
    const error = await refusal(
      write({
        tags: {
          connect: [
            { documentId: tags[0], position: { after: tags[1] } },
            { documentId: tags[1], position: { after: tags[0] } },
          ],
        },
      }),
    )
    expect(error).to.include({ status: 400 })
    expect(error['details']).to.deep.equal({ path: 'tags', source: 'body' })
  })

  it('accepts a reference of a document to itself, in both versions', async () => {
    await write({ related: [article] })
    for (const collection of ['articles.draft', 'articles']) {
      const [version] = await writing.stored(collection)
      expect((version?.['related'] as readonly Reference[])[0]?.documentId).to.equal(article)
    }
  })

  it('rejects a relation if the caller may not find the target', async () => {
    const { context, type } = writing
    const grant = { key: 'x', actions: new Set(['api::article.article.update']) }
    expect(allows(grant, 'api::tag.tag', 'find')).to.equal(false)
    const error = await refusal(
      updateDocument({ ...context, grant }, type('article'), article, published, { tags }),
    )
    expect(error).to.deep.equal({
      status: 400,
      name: 'ValidationError',
      message: 'Invalid key tags',
      details: { key: 'tags', path: 'tags', source: 'body' },
    })
  })

  it('keeps the relations of the published version when a draft is written', async () => {
    await write({ tags: [tags[0]] }, draft)
    expect(await tagsIn('articles')).to.deep.equal([0, 1, 2])
    expect(await tagsIn('articles.draft')).to.deep.equal([0])
  })

  it('is stored separately for each locale', async () => {
    await write({ title: 'F', tags: [tags[1]] }, inLocale('fr'))
    expect(await tagsIn('articles')).to.deep.equal([0, 1, 2])
    const fr = (await writing.stored('articles')).find(({ locale }) => locale === 'fr')
    expect((fr?.['tags'] as readonly Reference[]).length).to.equal(1)
  })

  it('loses its references to a deleted document', async () => {
    const { context, type } = writing
    const revision = async () => Number((await writing.stored('articles'))[0]?.['_revision'])
    const before = await revision()
    await deleteDocument(context, type('tag'), tags[1] ?? '', published)
    expect(await revision()).to.be.greaterThan(before)
    expect(await tagsIn('articles')).to.deep.equal([0, 2])
    expect(await tagsIn('articles.draft')).to.deep.equal([0, 2])
  })

  it('keeps the last of several targets if it is to one, or the current one if connected again', async () => {
    const { context, type } = writing
    const authors = ['Ada', 'Bela', 'Cleo'].map((name) =>
      createDocument(context, type('author'), published, { name }),
    )
    const [ada, bela, cleo] = (await Promise.all(authors)).map(({ documentId }) => documentId)
    for (const [author, expected] of [
      [[ada, bela], bela],
      [{ set: [bela, { documentId: ada }] }, ada],
      [{ connect: [bela, cleo] }, cleo],
      [{ connect: [cleo, ada] }, cleo],
      [{ disconnect: [ada] }, cleo],
      [{ connect: ada, disconnect: cleo }, ada],
      [{}, ada],
      [[], undefined],
      [bela, bela],
      [null, undefined],
    ] as const) {
      await write({ author })
      const [version] = await writing.stored('articles')
      expect((version?.['author'] as Reference | null)?.documentId).to.equal(expected)
    }
  })

  it('takes the target of a two-sided oneToOne from its previous owner', async () => {
    const { context, type, stored } = writing
    const profile = (await createDocument(context, type('profile'), published, { bio: 'b' }))
      .documentId
    await createDocument(context, type('author'), published, { name: 'Ada', profile })
    await createDocument(context, type('author'), published, { name: 'Bela', profile })
    const [ada, bela] = await stored('authors')
    expect(ada?.['profile']).to.equal(null)
    expect((bela?.['profile'] as Reference).documentId).to.equal(profile)
  })
})
