import { expect } from 'chai'
import { createDocument, deleteDocument, updateDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { draft, inLocale, published, refusal, startWriting } from './start-writing.js'

describe('localized document', () => {
  let writing: Writing
  let id: string
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())
  beforeEach(async () => {
    await writing.clear()
    const data = { title: 'Rain', views: 1, kind: 'news', seo: { title: 'S' } }
    const { context, type } = writing
    id = (await createDocument(context, type('article'), published, data)).documentId
  })

  const write = (data: unknown, scope = published) =>
    updateDocument(writing.context, writing.type('article'), id, scope, data)
  const valuesOf = async (collection: string, ...names: readonly string[]) =>
    Object.fromEntries(
      (await writing.stored(collection)).map((version) => [
        version['locale'] as string,
        names.map((name) => version[name] as unknown),
      ]),
    )

  it('starts a new locale with the shared values, and without localized ones', async () => {
    await write({ title: 'Pluie' }, inLocale('fr'))
    expect(await valuesOf('articles', 'title', 'views', 'kind', 'seo')).to.deep.include({
      fr: ['Pluie', 1, 'news', null],
    })
  })

  it('shares a value that a publishing write changes, in drafts and published versions', async () => {
    await write({ title: 'Pluie' }, inLocale('fr'))
    await write({ views: 7 }, inLocale('fr'))
    const expected = { en: ['Rain', 7], fr: ['Pluie', 7] }
    expect(await valuesOf('articles.draft', 'title', 'views')).to.deep.equal(expected)
    expect(await valuesOf('articles', 'title', 'views')).to.deep.equal(expected)
  })

  it('shares a value that a draft write changes only in drafts, until one locale is published', async () => {
    await write({ title: 'Pluie' }, inLocale('fr'))
    await write({ views: 7 }, draft)
    expect(await valuesOf('articles.draft', 'views')).to.deep.equal({ en: [7], fr: [7] })
    expect(await valuesOf('articles', 'views')).to.deep.equal({ en: [1], fr: [1] })
    await write({}, inLocale('fr'))
    expect(await valuesOf('articles', 'views')).to.deep.equal({ en: [7], fr: [7] })
  })

  it('copies the latest shared values to a new locale', async () => {
    await write({ views: 2 })
    await write({ title: 'Regen' }, inLocale('de', 'draft'))
    expect(await valuesOf('articles.draft', 'views')).to.deep.equal({ en: [2], de: [2] })
  })

  it('rejects a write of an unknown locale, and of all locales with *', async () => {
    expect(await refusal(write({ title: 'x' }, inLocale('xx')))).to.include({ status: 400 })
    expect(await refusal(write({ title: 'x' }, inLocale('*')))).to.include({
      status: 400,
      message: 'Invalid locale param * provided. Document locales must be strings.',
    })
  })

  it('requires all required values in a new locale', async () => {
    expect(await refusal(write({ views: 3 }, inLocale('fr')))).to.include({
      message: 'title must be a `string` type, but the final value was: `null`.',
    })
    expect(await valuesOf('articles.draft', 'views')).to.deep.equal({ en: [1] })
  })

  it('is deleted in one locale, or in all with *', async () => {
    const { context, type } = writing
    await write({ title: 'Pluie' }, inLocale('fr'))
    await write({ title: 'Regen' }, inLocale('de'))
    await deleteDocument(context, type('article'), id, published)
    expect(Object.keys(await valuesOf('articles')).sort()).to.deep.equal(['de', 'fr'])
    await deleteDocument(context, type('article'), id, inLocale('xx'))
    expect(Object.keys(await valuesOf('articles.draft')).sort()).to.deep.equal(['de', 'fr'])
    await deleteDocument(context, type('article'), id, inLocale('*'))
    expect(await valuesOf('articles')).to.deep.equal({})
    expect(await valuesOf('articles.draft')).to.deep.equal({})
  })

  it('must have a unique uid within each locale', async () => {
    const { context, type } = writing
    await write({ slug: 'rain' })
    const other = await createDocument(context, type('article'), inLocale('fr'), {
      title: 'x',
      slug: 'rain',
    })
    const error = await refusal(
      updateDocument(context, type('article'), other.documentId, published, {
        title: 'x',
        slug: 'rain',
      }),
    )
    expect(error['message']).to.equal('This attribute must be unique')
  })
})
