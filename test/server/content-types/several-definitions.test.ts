import { expect } from 'chai'
import type { Db } from 'mongodb'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

const i18n = { i18n: { localized: true } }
const localized = (attribute: object) => ({ ...attribute, pluginOptions: i18n })
const note = (attributes: Readonly<Record<string, object>>) => ({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: true },
  pluginOptions: i18n,
  attributes: { title: localized({ type: 'string' }), ...attributes },
})
const named = (name: string, plural: string, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: plural, displayName: name },
  attributes: { name: { type: 'string' }, ...attributes },
})

const older = {
  'content-types/label.json': named('label', 'labels', {}),
  'content-types/note.json': note({
    origin: { type: 'relation', relation: 'manyToOne', target: 'api::label.label' },
    blocks: localized({ type: 'dynamiczone', components: [] }),
    legacy: localized({ type: 'string' }),
    badge: localized({ type: 'string', unique: true }),
  }),
}
const newer = {
  'content-types/label.json': named('label', 'labels', {}),
  'content-types/person.json': named('person', 'people', {
    notes: {
      type: 'relation',
      relation: 'oneToMany',
      target: 'api::note.note',
      mappedBy: 'editor',
    },
  }),
  'components/shared/seo.json': {
    info: { displayName: 'Seo' },
    attributes: {
      metaTitle: { type: 'string' },
      topic: { type: 'relation', relation: 'oneToOne', target: 'api::label.label' },
    },
  },
  'content-types/note.json': note({
    blocks: localized({ type: 'dynamiczone', components: ['shared.seo'] }),
    text: localized({ type: 'string' }),
    code: localized({ type: 'string', unique: true }),
    rank: { type: 'integer' },
    seo: { type: 'component', component: 'shared.seo' },
    editor: {
      type: 'relation',
      relation: 'manyToOne',
      target: 'api::person.person',
      inversedBy: 'notes',
    },
    topic: { type: 'relation', relation: 'manyToOne', target: 'api::label.label' },
  }),
}

type Shown = Readonly<Record<string, unknown>> & Readonly<{ documentId: string }>

describe('instance with previous definitions', () => {
  let oldApp: TestApp
  let newApp: TestApp
  let db: Db
  before(async () => {
    const uri = await testDatabaseUri()
    // The instance cannot adopt definitions without this relation, so it keeps its own.
    const settings = { 'api.rest.defaultPopulate': { 'api::note.note': 'origin' } }
    oldApp = await startApp({ databaseUri: uri, schema: older, settings })
    const french = { code: 'fr', name: 'French', isDefault: false }
    const { adminJwt: token } = oldApp
    await oldApp.request('POST', '/i18n/locales', { token, body: french })
    newApp = await startApp({ databaseUri: uri, schema: newer })
    db = newApp.quire.services.db
  })
  after(async () => {
    await oldApp.stop()
    await newApp.stop()
  })

  const ask = async (app: TestApp, method: string, path: string, data?: object) => {
    const { token } = app
    const body = data === undefined ? undefined : { data }
    const answer = await app.request(method, `/api${path}`, { token, body })
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.within(200, 204)
    return (answer.body as { data?: Shown } | undefined)?.data ?? { documentId: '' }
  }
  const act = (app: TestApp, id: string, action: string) =>
    ask(app, 'POST', `/notes/${id}/actions/${action}`)
  const read = async (id: string, query = '') => {
    const populate = 'populate[editor]=true&populate[topic]=true&populate[seo][populate]=topic'
    const shown = await ask(newApp, 'GET', `/notes/${id}?${populate}${query}`)
    const idOf = (value: unknown) => (value as Shown | null)?.documentId
    const seo = shown['seo'] as Shown | null
    return {
      ...{ title: shown['title'], text: shown['text'], code: shown['code'], rank: shown['rank'] },
      ...{ editor: idOf(shown['editor']), topic: idOf(shown['topic']) },
      seo: seo === null ? null : { metaTitle: seo['metaTitle'], topic: idOf(seo['topic']) },
    }
  }
  const make = async (code: string) => {
    const { documentId: editor } = await ask(newApp, 'POST', '/people', { name: 'Ada' })
    const { documentId: topic } = await ask(newApp, 'POST', '/labels', { name: 'rain' })
    const holds = { title: 'A', text: 'A', code, rank: 1, editor, topic }
    const seo = { metaTitle: 'A', topic }
    const whole = { ...holds, seo }
    const blocks = [{ __component: 'shared.seo', ...seo }]
    const { documentId: id } = await ask(newApp, 'POST', '/notes', { ...whole, blocks })
    return { id, whole, editor, topic }
  }

  it('publishes what newer instances wrote', async () => {
    const { id, whole } = await make('publish')
    const change = { text: 'B', rank: 2, seo: { metaTitle: 'B' }, editor: null }
    await ask(newApp, 'PUT', `/notes/${id}?status=draft`, change)
    await act(oldApp, id, 'publish')
    const after = { ...whole, text: 'B', rank: 2, seo: { metaTitle: 'B', topic: undefined } }
    expect(await read(id)).to.deep.equal({ ...after, editor: undefined })
    await ask(newApp, 'PUT', `/notes/${id}?status=draft`, { text: 'C' })
    await ask(oldApp, 'PUT', `/notes/${id}`, { title: 'B' })
    expect(await read(id)).to.include({ title: 'B', text: 'C', code: 'publish' })
  })

  it('publishes values of newer instances again after unpublishing them', async () => {
    const { id, whole } = await make('again')
    await act(oldApp, id, 'unpublish')
    await act(oldApp, id, 'publish')
    expect(await read(id)).to.deep.equal(whole)
  })

  it('discards what newer instances wrote in the draft', async () => {
    const { id, whole } = await make('discard')
    const change = { text: 'B', rank: 2, seo: null, editor: null, topic: null }
    await ask(newApp, 'PUT', `/notes/${id}?status=draft`, change)
    await act(oldApp, id, 'discard-draft')
    expect(await read(id, '&status=draft')).to.deep.equal(whole)
  })

  it('gives a new locale the shared values, but no localized ones', async () => {
    const { id, whole } = await make('locale')
    await ask(oldApp, 'PUT', `/notes/${id}?locale=fr`, { title: 'fr' })
    const { rank, seo } = whole
    expect(await read(id, '&locale=fr')).to.include({ title: 'fr', text: null, code: null })
    expect(await read(id, '&locale=fr')).to.deep.include({ rank, seo })
    await ask(newApp, 'PUT', `/notes/${id}?status=draft`, { rank: 5 })
    await act(oldApp, id, 'publish')
    expect(await read(id, '&locale=fr')).to.include({ rank: 5 })
  })

  it('removes deleted entries from relations that it does not serve', async () => {
    const { id, topic } = await make('delete')
    await ask(oldApp, 'DELETE', `/labels/${topic}`)
    for (const collection of ['notes', 'notes.draft']) {
      const find = () => db.collection(collection).findOne({ documentId: id })
      await eventually(async () => !JSON.stringify(await find()).includes(`"${topic}"`))
      const stored = await find()
      expect(stored, collection).to.deep.include({ topic: null })
      expect(stored?.['_refs'] ?? [], collection).not.to.include(`topic:${topic}`)
      expect(stored?.['seo'], collection).to.deep.include({ topic: null })
      const [block] = stored?.['blocks'] as readonly object[]
      expect(block, collection).to.deep.include({ metaTitle: 'A', topic: null })
    }
  })

  it('publishes what newer instances wrote from the other side of a relation', async () => {
    const { id, editor } = await make('other side')
    await ask(newApp, 'PUT', `/people/${editor}`, { notes: { disconnect: [id] } })
    await act(oldApp, id, 'publish')
    expect(await read(id)).to.include({ editor: undefined })
    expect(await read(id, '&status=draft')).to.include({ editor: undefined })
  })

  it('rejects publishing a value that newer instances require to be unique', async () => {
    await make('taken')
    const { id } = await make('free')
    await ask(newApp, 'PUT', `/notes/${id}?status=draft`, { code: 'taken' })
    const path = `/api/notes/${id}/actions/publish`
    const { status, body } = await oldApp.request('POST', path, { token: oldApp.token })
    expect(status).to.equal(400)
    expect(body).to.have.nested.property('error.details.errors[0].path[0]', 'code')
  })

  it('has its values published by newer instances, and its unique indexes kept while it runs', async () => {
    const first = { title: 'A', legacy: 'A', badge: 'only' }
    const { documentId: id } = await ask(oldApp, 'POST', '/notes', first)
    await ask(oldApp, 'PUT', `/notes/${id}?status=draft`, { legacy: 'B' })
    await act(newApp, id, 'publish')
    expect(await ask(oldApp, 'GET', `/notes/${id}`)).to.include({ legacy: 'B', badge: 'only' })
    const unique = async () =>
      (await db.collection('notes').listIndexes().toArray()).filter(
        ({ name, unique }) => unique === true && String(name).includes('badge'),
      ).length
    expect(await unique()).to.equal(1)
    const values = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const body = { data: { badge: `b${at % 2}` } }
        return (await oldApp.request('POST', '/api/notes', { token: oldApp.token, body })).status
      }),
    )
    expect(values.sort()).to.deep.equal([201, 201, 400, 400, 400, 400])
    await oldApp.stop()
    await eventually(async () => (await unique()) === 0)
  })
})
