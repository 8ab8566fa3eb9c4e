import { expect } from 'chai'
import { BSON, Decimal128, Long } from 'mongodb'
import { createDocument, updateDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { draft, plain, published, refusal, startWriting } from './start-writing.js'

describe('createDocument and updateDocument', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())
  beforeEach(() => writing.clear())

  it('store a draft and a published version under one documentId', async () => {
    const { context, type, stored } = writing
    const written = await createDocument(context, type('article'), published, {
      title: 'Rain',
      views: '12',
      big: '9223372036854775807',
      price: 1.5,
      meta: { $a: 1, 'b.c': [null] },
    })
    const content = {
      locale: 'en',
      title: 'Rain',
      slug: null,
      views: 12,
      big: Long.fromString('9223372036854775807'),
      price: Decimal128.fromString('1.5'),
      featured: false,
      meta: { $a: 1, 'b.c': [null] },
      kind: null,
      cover: null,
      author: null,
      tags: [],
      related: [],
      seo: null,
      sections: [],
    }
    const [draftVersion] = await stored('articles.draft')
    const [publishedVersion] = await stored('articles')
    expect(plain(draftVersion)).to.deep.equal(content)
    expect(plain(publishedVersion)).to.deep.equal(content)
    expect(draftVersion?.['publishedAt']).to.equal(null)
    expect(publishedVersion?.['publishedAt']).to.be.an.instanceOf(Date)
    expect(publishedVersion?.['documentId']).to.match(/^[a-z][a-z0-9]{23}$/)
    expect({ ...written, stored: undefined }).to.deep.equal({
      documentId: draftVersion?.['documentId'] as string,
      id: publishedVersion?._id as unknown,
      locale: 'en',
      status: 'published',
      revision: publishedVersion?.['_revision'] as number,
      stored: undefined,
    })
    expect(BSON.deserialize(written.stored ?? new Uint8Array())).to.deep.equal(publishedVersion)
  })

  it('store only a draft with status=draft, even if required values are missing', async () => {
    const { context, type, stored } = writing
    const written = await createDocument(context, type('article'), draft, { views: -1 })
    const [version, ...others] = await stored('articles.draft')
    expect(others).to.deep.equal([])
    expect(plain(version)).to.include({ title: null, views: -1 })
    expect(await stored('articles')).to.deep.equal([])
    expect(written.id).to.equal(version?._id as unknown)
  })

  it('store nothing if the values break a rule for publishing', async () => {
    const { context, type, stored } = writing
    const error = await refusal(createDocument(context, type('article'), published, { views: -1 }))
    expect(error).to.deep.equal({
      status: 400,
      name: 'ValidationError',
      message: '2 errors occurred',
      details: {
        errors: [
          {
            path: ['title'],
            message: 'title must be a `string` type, but the final value was: `null`.',
            name: 'ValidationError',
            value: null,
            expected: 'a value',
            suggestion: 'Send a value: it is required',
          },
          {
            path: ['views'],
            message: 'views must be greater than or equal to 0',
            name: 'ValidationError',
            value: -1,
            bound: 'min',
            limit: 0,
          },
        ],
      },
    })
    expect(await stored('articles.draft')).to.deep.equal([])
  })

  it('report wrong types and missing required values together', async () => {
    const { context, type } = writing
    const error = await refusal(
      createDocument(context, type('article'), published, { kind: 'x', views: 'abc', price: true }),
    )
    expect(error['message']).to.equal('4 errors occurred')
    const { errors } = error['details'] as { errors: { path: string[]; message: string }[] }
    expect(errors.map(({ path, message }) => `${path.join('.')}: ${message}`)).to.deep.equal([
      'title: title must be defined.',
      'views: views must be a `number` type, but the final value was: `NaN` (cast from the value `"abc"`).',
      'price: price must be a `number` type, but the final value was: `NaN` (cast from the value `true`).',
      'kind: kind must be one of the following values: news, guide, ',
    ])
  })

  it('keep attributes that an update omits, and clear those set to null', async () => {
    const { context, type, stored } = writing
    const { documentId } = await createDocument(context, type('article'), published, {
      title: 'Rain',
      views: 3,
      kind: 'news',
    })
    const before = await stored('articles')
    await updateDocument(context, type('article'), documentId, published, { kind: null })
    const [after] = await stored('articles')
    expect(plain(after)).to.deep.equal({ ...plain(before[0]), kind: null })
    expect(after?._id).to.equal(before[0]?._id)
  })

  it('leave the published version unchanged when a draft is written', async () => {
    const { context, type, stored } = writing
    const { documentId } = await createDocument(context, type('article'), published, { title: 'A' })
    const before = await stored('articles')
    await updateDocument(context, type('article'), documentId, draft, { title: 'B' })
    expect(await stored('articles')).to.deep.equal(before)
    const [version] = await stored('articles.draft')
    expect(version?.['title']).to.equal('B')
    await updateDocument(context, type('article'), documentId, published, {})
    expect((await stored('articles'))[0]?.['title']).to.equal('B')
  })

  it('return 404 for an update of a document that does not exist', async () => {
    const { context, type } = writing
    const error = await refusal(
      updateDocument(context, type('article'), 'a'.repeat(24), published, { title: 'x' }),
    )
    expect(error).to.include({ status: 404, message: 'Not Found' })
  })
})
