import { expect } from 'chai'
import type { Document } from 'mongodb'
import { createDocument, deleteDocument, updateDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, published, refusal, startWriting } from './start-writing.js'

type Seo = Readonly<{ id: number; links: readonly Readonly<{ id: number }>[] }>

describe('components in a write', () => {
  let writing: Writing
  let id: string
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())
  beforeEach(async () => {
    await writing.clear()
    const { context, type } = writing
    const data = {
      title: 'A',
      seo: {
        id: 99,
        title: 'S',
        description: 'd',
        links: [{ label: 'a' }, { label: 'b', rank: 2 }],
      },
      sections: [{ __component: 'shared.link', label: 'z' }],
    }
    id = (await createDocument(context, type('article'), published, data)).documentId
  })

  const write = (data: unknown, scope = published) =>
    updateDocument(writing.context, writing.type('article'), id, scope, data)
  const writeLocale = (locale: string) =>
    updateDocument(writing.context, writing.type('article'), id, inLocale(locale), {
      title: 'Bleu',
    })
  const stored = async (collection = 'articles') => (await writing.stored(collection))[0] ?? {}
  const seoOf = (version: Document) => version['seo'] as Seo

  it('get new ids, the same in the draft and the published version', async () => {
    const version = await stored()
    const seo = seoOf(version)
    const [first, second] = seo.links.map((link) => link.id)
    const section = (version['sections'] as Document[])[0]?.['id'] as unknown
    expect(new Set([seo.id, first, second, section, 99]).size).to.equal(5)
    expect(seo).to.deep.equal({
      id: seo.id,
      title: 'S',
      description: 'd',
      image: null,
      links: [
        { id: first, label: 'a', rank: 1, to: null },
        { id: second, label: 'b', rank: 2, to: null },
      ],
    })
    expect(version['sections']).to.deep.equal([
      { __component: 'shared.link', id: section, label: 'z', rank: 1, to: null },
    ])
    expect((await stored('articles.draft'))['seo']).to.deep.equal(seo)
  })

  it('keep their content if the dynamic zone no longer allows their type', async () => {
    const previous = [
      { __component: 'shared.gone', id: 901, text: 'x' },
      { __component: 'shared.seo', id: 902 },
    ]
    for (const collection of ['articles.draft', 'articles'])
      await writing.db
        .collection<{ sections: Document[] }>(collection)
        .updateMany({}, { $push: { sections: { $each: previous } } })
    await write({ title: 'B' })
    await writeLocale('fr')
    const versions = await writing.stored('articles')
    expect(versions.map(({ title }) => title as unknown)).to.deep.equal(['B', 'Bleu'])
    expect((versions[0]?.['sections'] as Document[]).slice(1)).to.deep.equal(previous)
  })

  it('are updated in place by id, in the order of the body', async () => {
    const seo = seoOf(await stored())
    const [a, b] = seo.links
    await write({ seo: { id: seo.id, links: [{ id: b?.id }, { id: a?.id, label: 'A' }] } })
    expect(seoOf(await stored())).to.deep.equal({ ...seo, links: [b, { ...a, label: 'A' }] })
  })

  it('are replaced if the body sends no id', async () => {
    const before = seoOf(await stored())
    await write({ seo: { title: 'T' } })
    const after = seoOf(await stored())
    expect(after).to.deep.equal({
      id: after.id,
      title: 'T',
      description: null,
      image: null,
      links: [],
    })
    expect(after.id).not.to.equal(before.id)
  })

  it('are rejected if two items of a list have the same id', async () => {
    const seo = seoOf(await stored())
    const [a, b] = seo.links
    const links = [{ id: a?.id }, { id: b?.id }, { id: String(a?.id), label: 'again' }]
    for (const scope of [published, draft]) {
      const refused = await refusal(write({ seo: { id: seo.id, links } }, scope))
      const message = 'seo.links[2].id names a component that is there already'
      const path = ['seo', 'links', '2', 'id']
      expect(refused).to.deep.equal({
        status: 400,
        name: 'ValidationError',
        message,
        details: { errors: [{ path, message, name: 'ValidationError', value: String(a?.id) }] },
      })
    }
    expect(seoOf(await stored())).to.deep.equal(seo)
  })

  it('are rejected if the document does not have their id', async () => {
    const { id } = seoOf(await stored())
    for (const other of [12345, null, true, 'x', [id], id + 0.5])
      expect(await refusal(write({ seo: { id: other, title: 'x' } }))).to.deep.equal({
        status: 400,
        name: 'ApplicationError',
        message: 'Some of the provided components in seo are not related to the entity',
        details: { path: 'seo', source: 'body' },
      })
  })

  it('are validated like the document, with their path in the error', async () => {
    const error = await refusal(write({ seo: { title: 'x', links: [{ label: 'x', rank: 1.5 }] } }))
    expect(error).to.deep.include({ message: 'seo.links[0].rank must be an integer' })
    const missing = await refusal(write({ seo: { title: 'x', links: [{}] } }))
    expect(missing['details']).to.deep.equal({
      errors: [
        {
          path: ['seo', 'links', '0', 'label'],
          message: 'seo.links[0].label must be a `string` type, but the final value was: `null`.',
          name: 'ValidationError',
          value: null,
          expected: 'a value',
          suggestion: 'Send a value: it is required',
        },
      ],
    })
    expect(await refusal(write({ seo: { title: 'x', nope: 1 } }))).to.deep.include({
      message: 'Invalid key nope at seo',
      details: { key: 'nope', path: 'seo', source: 'body' },
    })
  })

  it('are rejected when publishing if a list exceeds its maximum', async () => {
    const links = ['a', 'b', 'c', 'd'].map((label) => ({ label }))
    expect(await refusal(write({ seo: { title: 'x', links } }))).to.include({
      message: 'seo.links field must have less than or equal to 3 items',
    })
    await write({ seo: { title: 'x', links } }, draft)
  })

  it('are rejected if the dynamic zone does not allow their type', async () => {
    const error = await refusal(write({ sections: [{ __component: 'shared.seo', title: 'x' }] }))
    expect(error).to.include({
      message: 'sections[0].__component must be one of the following values: shared.link',
    })
  })

  it('lose their references to a deleted document', async () => {
    const { context, type } = writing
    const author = await createDocument(context, type('author'), published, { name: 'Ada' })
    const to = author.documentId
    await write({
      seo: { title: 'x', links: [{ label: 'a', to }, { label: 'b' }] },
      sections: [{ __component: 'shared.link', label: 'z', to }],
    })
    await deleteDocument(context, type('author'), to, published)
    for (const collection of ['articles', 'articles.draft']) {
      const version = await stored(collection)
      const targets = [...seoOf(version).links, ...(version['sections'] as Document[])]
      expect(targets.map((link) => (link as Document)['to'] as unknown)).to.deep.equal([
        null,
        null,
        null,
      ])
    }
  })
})
