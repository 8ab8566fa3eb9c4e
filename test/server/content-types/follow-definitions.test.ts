import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import { sideBySide } from '../../support/side-by-side.js'
import type { AppOptions, TestApp } from '../../support/start-app.js'
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

describe('Definitions that another instance has changed', () => {
  const test = sideBySide()
  type Start = (options: AppOptions) => Promise<TestApp>
  /** A test of instances over a database of its own. */
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

  it('are served without a start, types and attributes alike', async (start) => {
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
    // What instances tell of themselves.
    const { db } = old.quire.services
    await eventually(async () => {
      const shown = await db.collection('_instances').distinct('schemaVersion')
      return shown.length === 1 && shown[0] === versionOf(next)
    })
  })

  it('are served when they went back', async (start) => {
    const old = await start({ schema: definition({}) })
    const next = await start({ schema: definition(code) })
    await eventually(() => versionOf(old) === versionOf(next))
    const back = await start({ schema: definition({}), settings: { 'schema.onOlder': 'adopt' } })
    await eventually(() => versionOf(next) === versionOf(back))
    expect((await post(next, { title: 'a', code: 'x' })).status).to.equal(400)
  })

  it('are populated by default as they say, like after a start', async (start) => {
    const old = await start({ schema: { ...definition({}), ...other } })
    const notes = { defaultPopulate: { author: true } }
    const author = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' }
    const next = await start({ schema: { ...definition({ author }, notes), ...other } })
    await eventually(() => versionOf(old) === versionOf(next))
    await post(old, { title: 'a' })
    const { body } = await old.request('GET', '/api/notes', { token: old.token })
    expect(body).to.have.nested.property('data[0].author', null)
  })

  it('do not change a request that is under way', async (start) => {
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
    // Nothing that the former one understood is taken for the next one's.
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
    const told = () =>
      lines.filter(
        (line) => (JSON.parse(line) as { event?: string }).event === 'definitions-not-followed',
      )
    await eventually(() => told().length > 0)
    await schemas.updateOne({ _id: 'version' }, { $set: { seen: true } })
    // As often as it is looked at.
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(told()).to.have.length(1)
    expect(versionOf(app)).to.equal(version)
    expect((await post(app, { title: 'a' })).status).to.equal(201)
  })
})
