import { expect } from 'chai'
import type { Db } from 'mongodb'
import { runRepair } from '../../../server/repair/run-repair.js'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

const definition = (name: string, attributes: object, draftAndPublish = true) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish },
  attributes,
})

/** Returns definitions in which notes use one component in two attributes. */
const schemaOf = (unique: boolean) => ({
  'components/menu/item.json': {
    info: { displayName: 'Item' },
    attributes: { t: { type: 'string' }, slug: { type: 'string', unique } },
  },
  'content-types/note.json': definition('note', {
    title: { type: 'string' },
    items: { type: 'component', component: 'menu.item', repeatable: true },
    zone: { type: 'dynamiczone', components: ['menu.item'] },
  }),
  'content-types/page.json': definition('page', { title: { type: 'string' } }, false),
})

type Item = Readonly<{ id: number; slug: string }>

describe('duplicate values of an attribute that becomes unique', function () {
  let databaseUri: string
  let app: TestApp
  let lines: readonly string[]
  beforeEach(async () => {
    databaseUri = await testDatabaseUri()
  })
  afterEach(async () => {
    await app.quire.services.db.dropDatabase()
    await app.stop()
  })

  const start = async (unique: boolean) => {
    const collected = collectLines()
    lines = collected.lines
    const settings = { 'schema.onOlder': 'adopt' } as const
    app = await startApp({ databaseUri, schema: schemaOf(unique), settings, log: collected.log })
  }
  const restart = async (unique = true) => {
    await app.stop()
    await start(unique)
  }
  /** Returns the logged violations of uniqueness, such as `<documentId> items.0.slug`. */
  const warned = () =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event, path }) => event === 'not-unique' && path !== undefined)
      .map(({ uid, documentId, path }) => {
        expect(uid).to.equal('api::note.note')
        return `${String(documentId)} ${String(path)}`
      })
  const send = async (method: string, path: string, data?: object) => {
    const body = data === undefined ? {} : { body: { data } }
    return app.request(method, `/api/${path}`, { token: app.token, ...body })
  }
  const put = async (id: string, data: object) => (await send('PUT', `notes/${id}`, data)).status
  const post = async (...slugs: string[]) =>
    (await send('POST', 'notes', { items: slugs.map((slug) => ({ slug })) })).status
  const create = async (...slugs: string[]): Promise<string> => {
    const items = slugs.map((slug) => ({ slug }))
    const { status, body } = await send('POST', 'notes', { title: 'x', items })
    expect(status).to.equal(201)
    return (body as { data: { documentId: string } }).data.documentId
  }
  const itemsOf = async (id: string): Promise<readonly Item[]> => {
    const { body } = await send('GET', `notes/${id}?populate=items`)
    return (body as { data: { items: Item[] } }).data.items
  }
  const db = (): Db => app.quire.services.db

  it('are reported at every start, but do not stop it', async () => {
    await start(false)
    const first = await create('a', 'b', 'b')
    const second = await create('c', 'a')
    const zone = [{ __component: 'menu.item', slug: 'b' }]
    await put(second, { zone })
    for (let starts = 0; starts < 2; starts += 1) {
      await restart()
      expect(warned()).to.deep.equal([
        `${first} items.2.slug`,
        `${second} items.1.slug`,
        `${second} zone.0.slug`,
      ])
    }
    expect(await put(first, { items: [{ slug: 'a' }] })).to.equal(200)
    expect(await put(second, { items: [{ slug: 'c' }] })).to.equal(200)
    await restart()
    expect(warned()).to.deep.equal([])
    expect(await post('b')).to.equal(400)
  })

  it('stay in entries that are saved without them, but are rejected when sent', async () => {
    await start(false)
    const first = await create('a', 'a')
    const second = await create('a', 'z')
    await restart()
    for (const id of [first, second]) {
      const [one, two] = await itemsOf(id)
      expect(await put(id, { title: 'new' })).to.equal(200)
      expect(await put(id, { items: [{ id: two?.id }, { id: one?.id, t: 'x' }] })).to.equal(200)
      expect((await send('POST', `notes/${id}/actions/publish`)).status).to.equal(200)
      expect((await itemsOf(id)).map(({ slug }) => slug)).to.deep.equal([two?.slug, one?.slug])
      const sent = [{ id: one?.id, slug: one?.slug }, { id: two?.id }]
      expect(await put(id, { items: sent })).to.equal(400)
      expect(await put(id, { items: [{ id: one?.id }, { slug: 'a' }] })).to.equal(400)
    }
    expect(await post('a')).to.equal(400)
    expect((await send('DELETE', `notes/${first}`)).status).to.equal(204)
    expect(await post('a')).to.equal(400)
    expect(await put(second, { items: [{ slug: 'a' }] })).to.equal(200)
    await restart()
    expect(warned()).to.deep.equal([])
    expect(await post('a')).to.equal(400)
  })

  it('are ignored in drafts until these are published', async () => {
    await start(false)
    await create('a')
    const { body } = await send('POST', 'notes?status=draft', { items: [{ slug: 'a' }] })
    const { documentId } = (body as { data: { documentId: string } }).data
    await restart()
    expect(warned()).to.deep.equal([])
    expect((await send('POST', `notes/${documentId}/actions/publish`)).status).to.equal(400)
  })

  it('are reported by path up to twenty, with their total number', async () => {
    await start(false)
    await create(...Array.from({ length: 26 }, () => 'a'))
    await restart()
    expect(warned()).to.have.length(20)
    expect(lines.join()).to.include('25 values should be unique, but are not')
  })

  it('are detected in content that was stored without _uniques', async () => {
    await start(true)
    await create('a')
    await db()
      .collection('notes')
      .updateMany({}, { $unset: { _uniques: '' } })
    await db().collection<{ _id: string }>('_settings').deleteOne({ _id: 'uniques' })
    await restart()
    expect(warned()).to.deep.equal([])
    expect(await post('a')).to.equal(400)
  })

  it('may be written while the attribute is not unique', async () => {
    await start(true)
    const first = await create('a')
    expect(await post('a')).to.equal(400)
    await restart(false)
    expect(warned()).to.deep.equal([])
    const second = await create('a')
    await put(first, { items: [{ slug: 'b' }] })
    await create('b')
    await restart()
    expect(warned()).to.have.length(1)
    expect(await put(second, { items: [{ slug: 'a' }] })).to.equal(200)
    expect(await post('b')).to.equal(400)
  })

  it('are listed again by a repair after another program wrote them', async () => {
    await start(true)
    const id = await create('a')
    await db()
      .collection('notes')
      .updateOne({ documentId: id }, { $set: { 'items.0.slug': 'b' } })
    const { registry } = app.quire.services
    const repair = (repairs: boolean) => runRepair({ db: db(), registry: registry(), repairs })
    const finding = { kind: 'uniques-differ', collection: 'notes', found: 1, documentIds: [id] }
    expect(await repair(false)).to.deep.equal([{ ...finding, repaired: 0 }])
    expect(await repair(true)).to.deep.equal([{ ...finding, repaired: 1 }])
    expect(await repair(true)).to.deep.equal([])
    expect(await post('b')).to.equal(400)
    expect(await post('a')).to.equal(201)
  })
})
