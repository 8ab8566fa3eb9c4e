import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { writeRenaming } from '../../../server/content-types/definition-store.js'
import { prepareRenamed } from '../../../server/content-types/move-renamed.js'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

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
const later = () => new Date(Date.now() + 60_000)
const blocks = {
  'components/shared/raw.json': { attributes: { about: { type: 'json' } } },
  'components/shared/block.json': {
    attributes: { about: { type: 'relation', relation: 'morphToOne' }, extra: { type: 'json' } },
  },
}
const site = (name: string, more: Given = {}, attributes: Given = {}) => ({
  ...blocks,
  ...type(name, { title: text, ...attributes }, more),
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

  it('serves the existing entries with their ids, relations and permissions', async () => {
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
          'content-types/paper.json: renamedFrom: it was renamed from api::page.page, and serves the entries in the collection "pages" (1 entry)',
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

  it('keeps entries through a second rename and back to the first name', async () => {
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

  it('moves remaining references if a start stopped before it wrote the definitions', async () => {
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
    const previous = { 'about.0.__type': 'api::page.page' }
    await db.collection('notes').updateOne({ documentId: again.documentId }, { $set: previous })
    await start(renamed)
    for (const one of [documentId, again.documentId]) {
      const shown = await send('GET', `notes/${one}?populate=about`)
      expect((shown.about as Given[])[0]).to.deep.include({ __type: 'api::paper.paper' })
    }
    expect((await send('POST', 'papers', { title: 'b' })).id).to.be.above(page.id)
  })

  describe('after an interrupted start', () => {
    const about = (documentId: string) => [{ __type: 'api::page.page', documentId }]
    const renaming = [{ from: 'api::page.page', to: 'api::paper.paper' }]
    let page: Entry
    let note: Entry
    beforeEach(async () => {
      await start(site('page'))
      page = await send('POST', 'pages', { title: 'a' })
      note = await send('POST', 'notes', { about: about(page.documentId) })
      await app?.allow('public', ['api::page.page.find'])
    })
    const shows = async (name: string): Promise<void> => {
      const shown = await send('GET', `notes/${note.documentId}?populate=about`)
      expect((shown.about as Given[])[0]).to.deep.include({
        ...{ documentId: page.documentId, __type: `api::${name}.${name}` },
      })
      expect((await (app as TestApp).request('GET', `/api/${name}s`)).status).to.equal(200)
    }

    it('serves the previous definitions if the new ones were not written', async () => {
      const { db } = (app as TestApp).quire.services
      await prepareRenamed(db, renaming)
      await writeRenaming(db, renaming)
      await shows('page')
      await start(site('page'))
      await shows('page')
      await start(renamed)
      await shows('paper')
    })

    for (const [what, name] of [
      ['moves the remaining references at the next start', 'paper'],
      ['moves all references back at a start with the previous definitions', 'page'],
    ] as const)
      it(what, async () => {
        await start(renamed)
        const { db } = (app as TestApp).quire.services
        const previous = { 'about.0.__type': 'api::page.page' }
        await db.collection('notes').updateMany({}, { $set: previous })
        await db.collection('notes.draft').updateMany({}, { $set: previous })
        await writeRenaming(db, renaming)
        await start(name === 'paper' ? renamed : site('page'))
        await shows(name)
      })
  })

  it('moves references that other instances write before they know the definitions', async () => {
    const { services } = (await start(site('page'))).quire
    const page = await send('POST', 'pages', { title: 'a' })
    const about = [{ __type: 'api::page.page', documentId: page.documentId }]
    const { documentId } = await send('POST', 'notes', { about })
    const client = new MongoClient(databaseUri)
    const db = client.db(services.db.databaseName)
    const other = { _id: 'other' as never, knows: 0, schemaVersion: 1, seenAt: later() }
    await db.collection('_instances').insertOne(other)
    const starting = start(renamed)
    const notes = db.collection('notes')
    const moved = { 'about.__type': 'api::paper.paper' }
    await eventually(async () => (await notes.countDocuments(moved)) === 1)
    await notes.updateOne({ documentId }, { $set: { 'about.0.__type': 'api::page.page' } })
    await db.collection('_instances').deleteOne({ _id: other._id })
    await starting
    await client.close()
    const shown = await send('GET', `notes/${documentId}?populate=about`)
    expect((shown.about as Given[])[0]).to.deep.include({ __type: 'api::paper.paper' })
  })

  it('keeps the collection if the line names the oldest of several names', async () => {
    await start(site('page'))
    const { documentId } = await send('POST', 'pages', { title: 'a' })
    await start(renamed)
    await start(site('sheet', { renamedFrom: 'api::paper.paper' }))
    await start(site('sheet', { renamedFrom: 'api::page.page' }))
    expect(await send('GET', `sheets/${documentId}`)).to.deep.include({ title: 'a' })
  })

  it('checks values of a type that was not served for a while, and entries in its place', async () => {
    const refusal = (schema: Readonly<Record<string, object>>) =>
      start(schema).then(
        () => '',
        (error: unknown) => (error as Error).message,
      )
    await start(site('page', {}, { views: { type: 'integer' } }))
    const { documentId } = await send('POST', 'pages', { title: 'a', views: 3 })
    await start(site('paper', {}, { views: text }))
    const line = { renamedFrom: 'api::page.page' }
    expect(await refusal(site('paper', line, { views: text }))).to.include(
      'attributes.views: api::paper.paper cannot change from integer to string',
    )
    const views = { views: { type: 'integer' } }
    await start(site('paper', line, views))
    expect(warned[0]).to.include('serves the entries in the collection "pages" (1 entry)')
    expect(await send('GET', `papers/${documentId}`)).to.deep.include({ views: 3 })
    await start(site('other', {}, views))
    await send('POST', 'others', { title: 'b' })
    expect(await refusal(site('other', { renamedFrom: 'api::paper.paper' }, views))).to.include(
      'collectionName: api::other.other cannot change from others to pages: it has entries',
    )
  })

  it('keeps the collection if a file lacks the line', async () => {
    await start(renamed)
    const { documentId } = await send('POST', 'papers', { title: 'a' })
    for (const one of [
      site('page'),
      site('page'),
      renamed,
      site('paper'),
      site('paper'),
      renamed,
    ]) {
      await start(one)
      const path = 'content-types/page.json' in one ? 'pages' : 'papers'
      expect(await send('GET', `${path}/${documentId}`)).to.deep.include({ title: 'a' })
    }
  })

  it('does not change JSON that looks like a reference to the previous type', async () => {
    const mixed = type('note', {
      zone: { type: 'dynamiczone', components: ['shared.block', 'shared.raw'] },
    })
    await start({ ...site('page'), ...mixed })
    const about = { __type: 'api::page.page', documentId: 'x', order: 1 }
    const zone = [{ __component: 'shared.raw', about }]
    const { documentId } = await send('POST', 'notes', { zone })
    await start({ ...renamed, ...mixed })
    const shown = await send('GET', `notes/${documentId}?populate=zone`)
    expect((shown.zone as Given[])[0]?.about).to.deep.equal(about)
  })

  it('suggests the new action if a configuration uses the previous uid', async () => {
    const { request, adminJwt } = await start(renamed)
    const roles = { public: { name: 'Public', permissions: ['api::page.page.find'] } }
    const { status, body } = await request('PUT', '/admin/configuration?dryRun=true', {
      ...{ token: adminJwt, body: { roles } },
    })
    expect(status).to.equal(400)
    expect((body as { error: { message: string } }).error.message).to.include(
      'roles.public.permissions.0: the action api::page.page.find no longer exists, because its content-type was renamed. Use api::paper.paper.find',
    )
  })

  it('moves permissions of a plugin type', async () => {
    const plugin = (name: string, more: Given = {}) => ({
      ...type('note', { title: text }),
      [`extensions/blog/content-types/${name}/schema.json`]: type(name, { title: text }, more)[
        `content-types/${name}.json`
      ] as object,
    })
    await start(plugin('page'))
    await app?.allow('public', ['plugin::blog.page.find'])
    await start(plugin('paper', { renamedFrom: 'plugin::blog.page' }))
    const roles = (app as TestApp).quire.services.db.collection('roles')
    expect(await roles.countDocuments({ permissions: 'plugin::blog.paper.find' })).to.equal(1)
  })

  it('starts on a database without the previous name', async () => {
    for (let at = 0; at < 2; at += 1) {
      await start(renamed)
      await send('POST', 'papers', { title: 'a' })
    }
    const services = (app as TestApp).quire.services
    expect(services.registry().contentTypes.get('api::paper.paper')?.collectionName).to.equal(
      'papers',
    )
  })

  it('is rejected if the previous type still exists or is named twice', async () => {
    const refusal = (schema: Readonly<Record<string, object>>) =>
      start(schema).then(
        () => '',
        (error: unknown) => (error as Error).message,
      )
    expect(await refusal({ ...renamed, ...type('page', { title: text }) })).to.include(
      'renamedFrom: there is still a content-type "api::page.page". Remove one of the two',
    )
    const sheet = type('sheet', { title: text }, { renamedFrom: 'api::page.page' })
    expect(await refusal({ ...renamed, ...sheet })).to.match(
      /renamedFrom: "api::\w+\.\w+" was renamed from "api::page\.page", too/,
    )
    const builtIn = { renamedFrom: 'plugin::upload.file' }
    expect(await refusal(site('paper', builtIn))).to.include(
      'renamedFrom: there is still a content-type "plugin::upload.file"',
    )
    expect(await refusal(site('paper', { renamedFrom: 'page' }))).to.include(
      'renamedFrom: must be the uid that the content-type had, such as api::article.article',
    )
  })
})
