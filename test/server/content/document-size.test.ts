import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import type { Answer } from '../../support/request.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const megabyte = 2 ** 20
const text = (megabytes: number): string => 'x'.repeat(megabytes * megabyte)

const schema = {
  'content-types/note.json': {
    kind: 'collectionType',
    collectionName: 'notes',
    pluginOptions: { i18n: { localized: true } },
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      code: { type: 'text', unique: true },
      first: { type: 'text' },
      local: { type: 'text', pluginOptions: { i18n: { localized: true } } },
      second: { type: 'text' },
      data: { type: 'json' },
    },
  },
}

const tooLarge = errorBody(413, 'PayloadTooLargeError', 'The document is larger than 16 MB', {
  ...{ bound: 'document size', limit: 16 * megabyte },
})

describe('document over 16 MB', () => {
  let app: TestApp
  const send = (method: string, path: string, body: unknown): Promise<Answer> =>
    app.request(method, `/api/notes${path}`, { token: app.token, body })
  const create = async (data: unknown): Promise<string> => {
    const { body } = await send('POST', '?fields=title', { data })
    return (body as { data: { documentId: string } }).data.documentId
  }
  const stored = async (filter: object): Promise<readonly unknown[]> => {
    const { db } = app.quire.services
    const find = (name: string) => db.collection(name).find(filter).sort({ _id: 1 }).toArray()
    return [await find('notes.draft'), await find('notes')].flat()
  }
  before(async () => {
    const bytes = 64 * megabyte
    app = await startApp({
      schema,
      settings: {
        'http.bodyLimit': bytes,
        'api.rest.maxAnswerBytes': bytes,
      },
    })
    const locale = { code: 'fr', name: 'French (fr)', isDefault: false }
    await app.request('POST', '/i18n/locales', { token: app.adminJwt, body: locale })
  })
  after(() => app.stop())

  const largeBodies: Readonly<Record<string, object>> = {
    'one long text': { first: text(16.5) },
    // Larger than the driver's buffer, which has 17 MB.
    'a text that the driver cuts off': { first: text(18) },
    'a text that would fit by itself': { first: text(16) },
    'several texts': { first: text(8), second: text(8) },
    'many small values': { data: Array.from({ length: 160_000 }, (_, at) => [at, 'x'.repeat(90)]) },
    'a unique text': { code: text(17) },
  }
  for (const [name, data] of Object.entries(largeBodies))
    it(`returns 413 and stores nothing: ${name}`, async () => {
      const before = await stored({})
      for (const query of ['', '?status=draft'])
        expect((await send('POST', query, { data })).body).to.deep.equal(tooLarge)
      expect(await stored({})).to.deep.equal(before)
    })

  it('returns 413 for an update and keeps both versions', async () => {
    const documentId = await create({ title: 'Update', first: text(9) })
    const before = await stored({ documentId })
    expect(before).to.have.length(2)
    for (const query of ['', '?status=draft']) {
      const { body } = await send('PUT', `/${documentId}${query}`, { data: { second: text(7) } })
      expect(body).to.deep.equal(tooLarge)
    }
    expect(await stored({ documentId })).to.deep.equal(before)
  })

  it('returns 413 if a shared attribute makes another locale too large', async () => {
    const documentId = await create({ title: 'Shared' })
    const french = { data: { local: text(9) } }
    expect((await send('PUT', `/${documentId}?locale=fr&fields=title`, french)).status).to.equal(
      200,
    )
    const before = await stored({ documentId })
    expect(before).to.have.length(4)
    const { body } = await send('PUT', `/${documentId}`, { data: { first: text(7) } })
    expect(body).to.deep.equal(tooLarge)
    expect(await stored({ documentId })).to.deep.equal(before)
  })

  it('fails only its own operations of a bulk request', async () => {
    const documentId = await create({ title: 'Bulk', first: text(9) })
    const before = await stored({ documentId })
    const { status, body } = await send('POST', '/bulk?fields=title', {
      operations: [
        { op: 'create', data: { title: 'before' } },
        { op: 'create', data: { first: text(17) } },
        { op: 'create', status: 'draft', data: { first: text(8), second: text(8) } },
        { op: 'update', documentId, data: { second: text(7) } },
        { op: 'create', data: { code: text(17) } },
        { op: 'create', data: { title: 'after', code: 'after' } },
      ],
    })
    expect(status).to.equal(200)
    const { data } = body as { data: readonly { status: number }[] }
    expect(data.map((item) => item.status)).to.deep.equal([201, 413, 413, 413, 413, 201])
    expect(data[1]).to.deep.equal({ status: 413, ...tooLarge })
    expect(await stored({ documentId })).to.deep.equal(before)
  })
})
