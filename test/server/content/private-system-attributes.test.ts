import { expect } from 'chai'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

const localized = { i18n: { localized: true } }
const names = ['createdAt', 'updatedAt', 'publishedAt', 'locale', 'createdBy', 'localizations']

const schema = {
  'content-types/note.json': {
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: {
      draftAndPublish: true,
      populateCreatorFields: true,
      privateAttributes: [...names, 'documentId'],
    },
    pluginOptions: localized,
    attributes: {
      title: { type: 'string' },
      next: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
    },
  },
  'content-types/shelf.json': {
    kind: 'collectionType',
    collectionName: 'shelves',
    info: { singularName: 'shelf', pluralName: 'shelves', displayName: 'Shelf' },
    attributes: {
      note: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
    },
  },
}

describe('system attributes in options.privateAttributes', () => {
  let app: TestApp
  let documentId: string
  before(async () => {
    app = await startApp({ schema })
    const body = { data: { title: 'Rain' } }
    const made = await app.request('POST', '/api/notes', { token: app.token, body })
    expect(made.status, made.text).to.equal(201)
    documentId = (made.body as { data: { documentId: string } }).data.documentId
    const shelf = { data: { note: documentId } }
    await app.request('POST', '/api/shelves', { token: app.token, body: shelf })
  })
  after(() => app.stop())

  const get = async (path: string) => {
    const { status, body } = await app.request('GET', `/api/${path}`, { token: app.token })
    return { status, body: body as { data: unknown; error?: { message: string } } }
  }

  it('are left out of responses, except id and documentId', async () => {
    const shown = ['id', 'documentId', 'title']
    const one = await get(`notes/${documentId}`)
    expect(Object.keys(one.body.data as object)).to.deep.equal(shown)
    const all = await get(`notes/${documentId}?populate=*`)
    expect(Object.keys(all.body.data as object)).to.deep.equal([...shown, 'next'])
    const deep = await get(`notes/${documentId}?pLevel=2`)
    expect(Object.keys(deep.body.data as object)).to.deep.equal([...shown, 'next'])
    const [shelf] = (await get('shelves?populate=note')).body.data as [{ note: object }]
    expect(Object.keys(shelf.note)).to.deep.equal(shown)
  })

  it('cannot be selected, sorted, filtered or populated', async () => {
    const refused = [
      ...['fields=createdAt', 'filters[createdAt][$gt]=2020-01-01', 'sort=updatedAt'],
      ...[
        'filters[localizations][title]=Rain',
        'filters[locale]=en',
        'populate=localizations',
        'populate=createdBy',
      ],
    ]
    for (const query of refused) {
      const { status, body } = await get(`notes?${query}`)
      expect(status, query).to.equal(400)
      expect(body.error?.message, query).to.match(/^Invalid key \w+/)
    }
    const through = await get('shelves?filters[note][publishedAt][$null]=true')
    expect(through.status).to.equal(400)
  })

  it('still determine locale and status', async () => {
    expect((await get('notes?locale=en&status=published')).body.data).to.have.length(1)
    expect((await get('notes?locale=fr')).body.data).to.deep.equal([])
  })
})
