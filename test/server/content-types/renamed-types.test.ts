import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import { startApp, type TestApp } from '../../support/start-app.js'

type Given = Readonly<Record<string, unknown>>
type Entry = Readonly<{ id: number; documentId: string }> & Given

const type = (name: string, attributes: Given, more: Given = {}) => ({
  [`content-types/${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true },
    attributes,
    ...more,
  },
})
const text = { type: 'string' }
const block = {
  'components/shared/block.json': {
    attributes: { about: { type: 'relation', relation: 'morphToOne' }, extra: { type: 'json' } },
  },
}
/** A site in which one type has this name. */
const site = (name: string, more: Given = {}) => ({
  ...block,
  ...type(name, { title: text }, more),
  ...type('note', {
    page: { type: 'relation', relation: 'manyToOne', target: `api::${name}.${name}` },
    about: { type: 'relation', relation: 'morphToMany' },
    zone: { type: 'dynamiczone', components: ['shared.block'] },
  }),
})
const renamed = site('paper', { renamedFrom: 'api::page.page' })

describe('renamedFrom of a content-type', function () {
  this.timeout(60_000)
  let databaseUri: string
  let app: TestApp | undefined
  let warned: string[]
  beforeEach(async () => {
    databaseUri = await testDatabaseUri()
  })
  afterEach(() => app?.stop())

  const start = async (schema: Readonly<Record<string, object>>): Promise<TestApp> => {
    await app?.stop()
    app = undefined
    const { log, lines } = collectLines()
    const settings = { 'schema.onOlder': 'adopt' } as const
    app = await startApp({ databaseUri, schema, log, settings })
    warned = lines
      .map((line) => JSON.parse(line) as Readonly<{ event?: string; msg: string }>)
      .filter(({ event }) => event === 'schema-effect')
      .map(({ msg }) => msg.replace(/^.*\/schema\//, ''))
    return app
  }
  const send = async (method: 'GET' | 'POST', path: string, data?: Given): Promise<Entry> => {
    const { request, token } = app as TestApp
    const { status, body } = await request(method, `/api/${path}`, {
      ...{ token, ...(data && { body: { data } }) },
    })
    expect(status, JSON.stringify(body)).to.be.below(300)
    return (body as { data: Entry }).data
  }

  it('serves the entries of before, with their ids, relations and permissions', async () => {
    await start(site('page'))
    const page = await send('POST', 'pages', { title: 'a' })
    const about = { __type: 'api::page.page', documentId: page.documentId }
    const extra = { __type: 'api::page.page', documentId: 'x', order: 1 }
    const zone = [{ __component: 'shared.block', about, extra }]
    const note = await send('POST', 'notes', { page: page.documentId, about: [about], zone })
    await app?.allow('public', ['api::page.page.find', 'api::note.note.find'])
    for (let at = 0; at < 2; at += 1) {
      await start(renamed)
      if (at === 0)
        expect(warned).to.deep.equal([
          'content-types/paper.json: renamedFrom: it was api::page.page, and serves its entries in the collection "pages" (1 entry)',
          'content-types/paper.json: permissions of api::page.page become its own: those of the role "Public"',
        ])
      else expect(warned).to.deep.equal([])
      expect(await send('GET', `papers/${page.documentId}`)).to.deep.include({
        ...{ id: page.id, title: 'a' },
      })
      const shown = await send('GET', `notes/${note.documentId}?populate=page,about,zone.about`)
      const it = { documentId: page.documentId }
      expect(shown.page).to.deep.include(it)
      const refers = { ...it, __type: 'api::paper.paper' }
      expect((shown.about as Given[])[0]).to.deep.include(refers)
      const [shownBlock] = shown.zone as Given[]
      expect(shownBlock?.about).to.deep.include(refers)
      expect(shownBlock?.extra, 'what a client stored as JSON').to.deep.equal(extra)
      const anyone = await (app as TestApp).request('GET', '/api/papers')
      expect(anyone.status).to.equal(200)
      const next = await send('POST', 'papers', { title: 'b' })
      expect(next.id).to.be.above(page.id)
    }
  })

  it('keeps them through another name, and back to the first one', async () => {
    await start(site('page'))
    const { documentId } = await send('POST', 'pages', { title: 'a' })
    await app?.allow('public', ['api::page.page.find'])
    await start(renamed)
    await start(site('sheet', { renamedFrom: 'api::paper.paper' }))
    expect(await send('GET', `sheets/${documentId}`)).to.deep.include({ title: 'a' })
    await start(renamed)
    expect(await send('GET', `papers/${documentId}`)).to.deep.include({ title: 'a' })
    await start(site('page'))
    expect(await send('GET', `pages/${documentId}`)).to.deep.include({ title: 'a' })
    expect((await (app as TestApp).request('GET', '/api/pages')).status).to.equal(200)
    await send('POST', 'pages', { title: 'b' })
  })

  it('moves the rest where a start was cut off before it wrote the definitions', async () => {
    const { services } = (await start(site('page'))).quire
    const page = await send('POST', 'pages', { title: 'a' })
    const about = [{ __type: 'api::page.page', documentId: page.documentId }]
    const { documentId } = await send('POST', 'notes', { about })
    const schemas = await services.db.collection('_schemas').find().toArray()
    const again = await send('POST', 'notes', { about })
    await start(renamed)
    const { db } = (app as TestApp).quire.services
    await db.collection('_schemas').deleteMany({})
    await db.collection('_schemas').insertMany(schemas)
    const former = { 'about.0.__type': 'api::page.page' }
    await db.collection('notes').updateOne({ documentId: again.documentId }, { $set: former })
    await start(renamed)
    for (const one of [documentId, again.documentId]) {
      const shown = await send('GET', `notes/${one}?populate=about`)
      expect((shown.about as Given[])[0]).to.deep.include({ __type: 'api::paper.paper' })
    }
    expect((await send('POST', 'papers', { title: 'b' })).id).to.be.above(page.id)
  })

  it('starts on a database that never knew the former name', async () => {
    for (let at = 0; at < 2; at += 1) {
      await start(renamed)
      await send('POST', 'papers', { title: 'a' })
    }
    const services = (app as TestApp).quire.services
    expect(services.registry().contentTypes.get('api::paper.paper')?.collectionName).to.equal(
      'papers',
    )
  })

  it('is refused where the former type is still there, or two types come of it', async () => {
    const refusal = (schema: Readonly<Record<string, object>>) =>
      start(schema).then(
        () => '',
        (error: unknown) => (error as Error).message,
      )
    expect(await refusal({ ...renamed, ...type('page', { title: text }) })).to.include(
      'renamedFrom: there is still a content-type "api::page.page". Take one of the two away',
    )
    const sheet = type('sheet', { title: text }, { renamedFrom: 'api::page.page' })
    expect(await refusal({ ...renamed, ...sheet })).to.match(
      /renamedFrom: "api::page\.page" is what "api::\w+\.\w+" was called, too/,
    )
    expect(await refusal(site('paper', { renamedFrom: 'page' }))).to.include(
      'renamedFrom: must be the uid that the content-type had, such as api::article.article',
    )
  })
})
