import { expect } from 'chai'
import { createDocument, updateDocument } from '../../../engine/write.js'
import { contentType, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { inLocale, published, refusal, startWriting } from './start-writing.js'

describe('locale of a relation target', () => {
  let writing: Writing
  let english: string
  let french: string
  before(async () => {
    const song = { next: relation('manyToMany', 'song'), album: relation('manyToOne', 'album') }
    const shelves = relation('manyToMany', 'shelf', { inversedBy: 'songs' })
    writing = await startWriting([
      contentType('song', { ...song, shelves }, { localized: true, drafts: true }),
      contentType('album', { first: relation('oneToOne', 'song') }),
      contentType('shelf', { songs: relation('manyToMany', 'song', { mappedBy: 'shelves' }) }),
    ])
    const create = async (locale: string) =>
      (await createDocument(writing.context, writing.type('song'), inLocale(locale), {})).documentId
    english = await create('en')
    french = await create('fr')
  })
  after(() => writing.stop())

  const create = (type: string, data: unknown, scope: typeof published = published) =>
    createDocument(writing.context, writing.type(type), scope, data)
  const missing = (id: string, locale: string, attribute: string) => {
    const name = 'ValidationError'
    const target = attribute === 'album' ? 'album' : 'song'
    const expected = `the id or documentId of an entry of api::${target}.${target}`
    const message = `Document with id "${id}", locale "${locale}" not found`
    return {
      status: 400,
      name,
      message,
      details: { errors: [{ path: [attribute], message, name, expected }] },
    }
  }

  it('is the locale of the entry, whatever an item names', async () => {
    const inFrench = inLocale('fr')
    expect(await refusal(create('song', { next: [french] }))).to.deep.equal(
      missing(french, 'en', 'next'),
    )
    expect(await refusal(create('song', { next: [english] }, inFrench))).to.deep.equal(
      missing(english, 'fr', 'next'),
    )
    const item = { documentId: french, locale: 'en' }
    await create('song', { next: [item, { documentId: french, locale: 'xx' }] }, inFrench)
    const id = (await writing.stored('songs')).find(({ locale }) => locale === 'en')?._id as unknown
    const message = '1 relation(s) of type api::song.song associated with this entity do not exist'
    expect(await refusal(create('song', { next: [id] }, inFrench))).to.include({ message })
  })

  it('is the locale of the item, or else of the request, if the entry is not localized', async () => {
    const inFrench = inLocale('fr')
    await create('album', { first: english })
    await create('album', { first: french }, inFrench)
    expect(await refusal(create('album', { first: french }))).to.deep.equal(
      missing(french, 'en', 'first'),
    )
    await create('album', { first: { documentId: french, locale: 'fr' } })
    const item = { documentId: english, locale: 'fr' }
    expect(await refusal(create('album', { first: item }))).to.deep.equal(
      missing(english, 'fr', 'first'),
    )
  })

  it('is ignored if the target is not localized', async () => {
    const { documentId } = await create('album', {})
    await create('song', { album: { documentId, locale: 'fr' } })
    expect(await refusal(create('song', { album: english }, inLocale('fr')))).to.deep.equal(
      missing(english, 'null', 'album'),
    )
  })

  it('selects the version of the owner if the inverse side is written', async () => {
    const song = await create('song', {})
    const { context, type } = writing
    await updateDocument(context, type('song'), song.documentId, inLocale('fr'), {})
    const songs = [song.documentId, { documentId: french, locale: 'fr' }]
    const shelf = await create('shelf', { songs })
    const owners = async () =>
      (await writing.stored('songs'))
        .filter((stored) => JSON.stringify(stored['shelves']).includes(shelf.documentId))
        .map(({ documentId, locale }) => [documentId as string, locale as string])
    expect(await owners()).to.deep.equal([
      [french, 'fr'],
      [song.documentId, 'en'],
    ])
    const disconnect = [{ documentId: song.documentId, locale: 'fr' }, song.documentId]
    await updateDocument(context, type('shelf'), shelf.documentId, published, {
      songs: { disconnect },
    })
    expect(await owners()).to.deep.equal([[french, 'fr']])
  })
})
