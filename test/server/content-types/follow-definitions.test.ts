import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import { sideBySide } from '../../support/side-by-side.js'
import type { AppOptions } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

const definition = (attributes: object, options: object = {}) => ({
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: false, ...options },
    attributes: { title: { type: 'string' }, ...attributes },
  },
})
const code = { code: { type: 'string', unique: true } }
const other = {
  'content-types/author.json': {
    kind: 'collectionType',
    info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
    options: { draftAndPublish: false },
    attributes: {
      name: { type: 'string' },
      notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' },
    },
  },
}

describe('definitions changed by another instance', () => {
  const test = sideBySide()
  type Start = (options: AppOptions) => Promise<TestApp>
  /** Runs a test with instances on a database of their own. */
  const it = (name: string, run: (start: Start) => Promise<void>): void =>
    test(name, async ({ cleanup }) => {
      const databaseUri = await testDatabaseUri()
      await run(async (options) => {
        const app = await startApp({ ...options, databaseUri })
        cleanup.add(app.stop)
        return app
      })
    })
  const post = (app: TestApp, data: object) =>
    app.request('POST', '/api/notes', { token: app.token, body: { data } })
  const versionOf = ({ quire }: TestApp) => quire.services.registry().version

  it('are served without a restart, with their types and attributes', async (start) => {
    const old = await start({ schema: definition({}) })
    expect((await post(old, { title: 'a', code: 'x' })).status).to.equal(400)
    const next = await start({ schema: { ...definition(code), ...other } })
    await eventually(() => versionOf(old) === versionOf(next))

    expect((await post(old, { title: 'a', code: 'x' })).status).to.equal(201)
    expect((await post(next, { title: 'b', code: 'x' })).status).to.equal(400)
    expect((await post(old, { title: 'c', code: 'x' })).status).to.equal(400)
    const { token } = old
    expect((await old.request('GET', '/api/authors?populate=notes', { token })).status).to.equal(
      200,
    )
    const { db } = old.quire.services
    await eventually(async () => {
      const shown = await db.collection('_instances').distinct('schemaVersion')
      return shown.length === 1 && shown[0] === versionOf(next)
    })
  })

  it('are served after another instance went back to older ones', async (start) => {
    const old = await start({ schema: definition({}) })
    const next = await start({ schema: definition(code) })
    await eventually(() => versionOf(old) === versionOf(next))
    const back = await start({ schema: definition({}), settings: { 'schema.onOlder': 'adopt' } })
    await eventually(() => versionOf(next) === versionOf(back))
    expect((await post(next, { title: 'a', code: 'x' })).status).to.equal(400)
  })

  it('apply their default populate', async (start) => {
    const old = await start({ schema: { ...definition({}), ...other } })
    const notes = { defaultPopulate: { author: true } }
    const author = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' }
    const next = await start({ schema: { ...definition({ author }, notes), ...other } })
    await eventually(() => versionOf(old) === versionOf(next))
    await post(old, { title: 'a' })
    const { body } = await old.request('GET', '/api/notes', { token: old.token })
    expect(body).to.have.nested.property('data[0].author', null)
  })

  it('do not change a request in flight', async (start) => {
    const old = await start({ schema: { ...definition(code), ...other } })
    await post(old, { title: 'a', code: 'x' })
    const { registry, documents } = old.quire.services
    const type = registry().byApiName.get('notes')
    const author = registry().byApiName.get('authors')
    if (type === undefined || author === undefined) throw new Error('There are no notes')
    const next = await start({ schema: definition({}) })
    await eventually(() => versionOf(old) === versionOf(next))
    expect(registry().byApiName.has('authors')).to.equal(false)
    const shown = { grant: fullGrant, envelope: 'content' as const }
    const text = async (of: ContentType, search: string) =>
      new TextDecoder().decode((await documents.find(of, { ...shown, search })).bytes)
    expect(await text(type, 'fields=code')).to.include('"code":"x"')
    expect(await text(author, 'populate=notes')).to.include('"data":[]')
    const now = registry().byApiName.get('notes')
    const refused = await text(now ?? type, 'fields=code').catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(ApiError)
    expect(await text(now ?? type, 'fields=title')).to.include('"title":"a"')
    const request = { grant: fullGrant, actor: null }
    await documents.create(type, { title: 'b', code: 'y' }, request)
    expect(await text(type, 'fields=code')).to.include('"code":"y"')
  })

  it('are logged once and ignored if this version does not understand them', async (start) => {
    const { log, lines } = collectLines()
    const app = await start({ schema: definition({}), log })
    const { db } = app.quire.services
    const version = versionOf(app)
    const schemas = db.collection<{ _id: string }>('_schemas')
    await schemas.updateOne(
      { _id: 'api::note.note' },
      { $set: { 'definition.attributes.title.type': 'of-the-future' } },
    )
    await schemas.updateOne({ _id: 'version' }, { $inc: { value: 1 } })
    const logged = () =>
      lines.filter(
        (line) => (JSON.parse(line) as { event?: string }).event === 'definitions-not-followed',
      )
    await eventually(() => logged().length > 0)
    await schemas.updateOne({ _id: 'version' }, { $set: { seen: true } })
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(logged()).to.have.length(1)
    expect(versionOf(app)).to.equal(version)
    expect((await post(app, { title: 'a' })).status).to.equal(201)
  })
})
