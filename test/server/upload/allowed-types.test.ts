import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { drawPicture } from '../../support/draw-picture.js'
import { errorBody } from '../../support/error-body.js'
import { collectLines } from '../../support/log-lines.js'
import { testDatabaseUri } from '../../support/database.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Content = string | Buffer
type Entry = Readonly<Record<string, unknown>> & Readonly<{ id: number; documentId: string }>

const png = await drawPicture('test', 40, 30)
const images = { type: 'media', multiple: false, allowedTypes: ['images'] }
const type = (name: string, attributes: object, draftAndPublish = false): object => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish },
  attributes,
})
const component = (attributes: object): object => ({ info: { displayName: 'Part' }, attributes })

const schema = {
  'content-types/article.json': type(
    'article',
    {
      title: { type: 'string' },
      cover: images,
      gallery: { type: 'media', multiple: true, allowedTypes: ['images', 'videos'] },
      anything: { type: 'media' },
      attachment: { type: 'media', allowedTypes: ['files'] },
      slides: { type: 'component', component: 'part.slide', repeatable: true },
      sections: { type: 'dynamiczone', components: ['part.slide'] },
    },
    true,
  ),
  'content-types/note.json': type('note', { title: { type: 'string' }, picture: images }),
  'components/part/slide.json': component({
    caption: { type: 'string' },
    picture: { type: 'component', component: 'part.picture' },
  }),
  'components/part/picture.json': component({ file: images }),
}

const callsOf = (app: TestApp) => {
  const ask = async (method: string, path: string, data?: object) => {
    const body = data === undefined ? {} : { body: { data } }
    return app.request(method, path, { token: app.token, ...body })
  }
  const upload = async (name: string, content: Content, fields = {}) => {
    const body = new FormData()
    body.append('files', new Blob([content]), name)
    for (const [key, value] of Object.entries(fields)) body.append(key, String(value))
    return app.request('POST', '/api/upload', { token: app.token, body })
  }
  return {
    ask,
    upload,
    file: async (name: string, content: Content): Promise<Entry> =>
      ((await upload(name, content)).body as [Entry])[0],
    make: async (path: string, data: object): Promise<Entry> => {
      const { status, text, body } = await ask('POST', path, data)
      expect(status, text).to.equal(201)
      return (body as { data: Entry }).data
    },
  }
}

describe('allowedTypes of a media attribute', () => {
  let app: TestApp
  let calls: ReturnType<typeof callsOf>
  let picture: Entry
  let words: Entry
  before(async () => {
    app = await startApp({ schema })
    calls = callsOf(app)
    picture = await calls.file('cat.png', png)
    words = await calls.file('words.txt', 'some words')
  })
  after(() => app.stop())

  const outcome = async (method: string, path: string, data: object) => {
    const { status, body } = await calls.ask(method, path, data)
    const { error } = body as {
      error?: { message: string; details: { errors: { path: string[] }[] } }
    }
    return [status, error?.details.errors.map(({ path }) => path.join('.'))]
  }

  it('returns 400 with the path and the allowed types for a file of another type', async () => {
    const message = `cover allows files of these types only: images. The file ${words.id} has another type`
    const refusal = errorBody(400, 'ValidationError', message, {
      errors: [
        {
          ...{ path: ['cover'], message, name: 'ValidationError' },
          value: { set: [{ id: words.id }] },
          expected: 'images',
        },
      ],
    })
    const data = { title: 'x', cover: words.id }
    for (const path of ['/api/articles', '/api/articles?status=draft']) {
      const { status, body } = await calls.ask('POST', path, data)
      expect([status, body], path).to.deep.equal([400, refusal])
    }
    const { total } = (
      (await calls.ask('GET', '/api/articles?status=draft')).body as {
        meta: { pagination: { total: number } }
      }
    ).meta.pagination
    expect(total).to.equal(0)
  })

  it('accepts files of the allowed types, and any file if it is not set', async () => {
    const data = { cover: picture.id, gallery: [picture.documentId], attachment: words.id }
    await calls.make('/api/articles', { ...data, anything: words.documentId })
    expect(await outcome('POST', '/api/articles', { attachment: picture.id })).to.deep.equal([
      400,
      ['attachment'],
    ])
  })

  it('is checked in every form in which a payload can name files', async () => {
    for (const value of [
      words.documentId,
      { id: words.id },
      { documentId: words.documentId, name: 'words.txt' },
      [picture.id, words.id],
      { set: [words.documentId] },
      { connect: [picture.id, { documentId: words.documentId }] },
    ])
      expect(await outcome('POST', '/api/articles', { gallery: value })).to.deep.equal([
        400,
        ['gallery'],
      ])
  })

  it('is checked at any depth of components and dynamic zones, and all errors are reported together', async () => {
    const good = { picture: { file: picture.id } }
    const bad = { picture: { file: words.id } }
    const sections = [good, bad].map((one) => ({ __component: 'part.slide', ...one }))
    const data = { slides: [bad, good], sections, cover: words.id }
    expect(await outcome('POST', '/api/articles', data)).to.deep.equal([
      400,
      ['cover', 'slides.0.picture.file', 'sections.1.picture.file'],
    ])
  })

  it('rejects an upload that would attach a file of another type, and stores nothing', async () => {
    const note = await calls.make('/api/notes', { title: 'x' })
    const ref = { ref: 'api::note.note', refId: note.documentId, field: 'picture' }
    const { status, body } = await calls.upload('more.txt', 'more words', ref)
    expect(status).to.equal(400)
    expect(body)
      .to.have.nested.property('error.details.errors[0].path')
      .that.deep.equals(['picture'])
    const found = await app.request('GET', '/api/upload/files?filters[name]=more.txt', {
      token: app.token,
    })
    expect(found.body).to.deep.equal([])
    expect((await calls.upload('dog.png', png, ref)).status).to.equal(201)
  })

  it('allows updates of an entry that already contains a disallowed file', async () => {
    const article = await calls.make('/api/articles', { title: 'x', gallery: [picture.id] })
    const note = await calls.make('/api/notes', { title: 'x' })
    const { db } = app.quire.services
    const reference = { documentId: words.documentId, order: 1 }
    for (const name of ['articles', 'articles.draft'])
      await db
        .collection(name)
        .updateOne({ documentId: article.documentId }, { $push: { gallery: reference as never } })
    await db
      .collection('notes')
      .updateOne({ documentId: note.documentId }, { $set: { picture: reference } })
    const path = `/api/articles/${article.documentId}`
    expect(await outcome('PUT', path, { title: 'y' })).to.deep.equal([200, undefined])
    expect((await calls.ask('POST', `${path}/actions/publish`)).status).to.equal(200)
    expect(await outcome('PUT', `/api/notes/${note.documentId}`, { title: 'y' })).to.deep.equal([
      ...[200, undefined],
    ])
    const more = (await calls.file('dog.png', png)).id
    expect(await outcome('PUT', path, { gallery: { connect: [more] } })).to.deep.equal([
      200,
      undefined,
    ])
    const positioned = { id: more, position: { before: words.id } }
    expect(await outcome('PUT', path, { gallery: { connect: [positioned] } })).to.deep.equal([
      ...[200, undefined],
    ])
    expect(await outcome('PUT', path, { gallery: [words.id, more] })).to.deep.equal([
      400,
      ['gallery'],
    ])
    expect(await outcome('PUT', path, { gallery: { disconnect: [words.id] } })).to.deep.equal([
      ...[200, undefined],
    ])
    expect(await outcome('PUT', `/api/notes/${note.documentId}`, { picture: null })).to.deep.equal([
      ...[200, undefined],
    ])
  })
})

describe('upload.enforceAllowedTypes', () => {
  it('allows any file if it is false; if it is true, the start logs entries with disallowed files', async () => {
    const databaseUri = await testDatabaseUri()
    const settings = { 'upload.enforceAllowedTypes': false }
    const lenient = await startApp({ schema, databaseUri, settings })
    const { file, make } = callsOf(lenient)
    const words = (await file('words.txt', 'some words')).id
    const picture = (await file('cat.png', png)).id
    const sections = [{ __component: 'part.slide', picture: { file: words } }]
    const article = await make('/api/articles', {
      cover: picture,
      gallery: [picture, words],
      sections,
    })
    const note = await make('/api/notes', { picture: words })
    await make('/api/notes', { picture })
    await lenient.stop()

    const { log, lines } = collectLines()
    const strict = await startApp({ schema, databaseUri, log })
    try {
      const listed = () =>
        lines
          .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
          .filter(({ event }) => event === 'disallowed-files')
      while (listed().length < 3) await sleep(10)
      expect(
        listed().map(({ uid, path, allowedTypes, documentIds }) => [
          ...[uid, path, allowedTypes, documentIds],
        ]),
      ).to.have.deep.members([
        ['api::article.article', 'gallery', ['images', 'videos'], [article.documentId]],
        [
          ...['api::article.article', 'sections[part.slide].picture.file', ['images']],
          [article.documentId],
        ],
        ['api::note.note', 'picture', ['images'], [note.documentId]],
      ])
      const path = `/api/notes/${note.documentId}`
      const { ask } = callsOf(strict)
      expect((await ask('PUT', path, { title: 'y' })).status).to.equal(200)
      expect((await ask('PUT', path, { picture: words })).status).to.equal(400)
    } finally {
      await strict.quire.services.db.dropDatabase()
      await strict.stop()
    }
  })
})
