import path from 'node:path'
import { rm } from 'node:fs/promises'
import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { pino } from 'pino'
import { SchemaError } from '../../../engine/schema/schema-error.js'
import { checkProject } from '../../../cli/check/check-project.js'
import { formatReport } from '../../../cli/check/format-report.js'
import { openSchemaStore } from '../../../server/content-types/store.js'
import { makeFolder, removeFolder, writeFiles } from '../../support/temporary-folder.js'
import type { TestDatabase } from './test-database.js'
import { startTestDatabase } from './test-database.js'

type Stored = Document & { _id: string }

const type = (name: string, attributes: object = { title: { type: 'string' } }) => ({
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})

describe('schema store', () => {
  let database: TestDatabase
  let db: Db
  let schemaDir: string
  let warnings: string[]

  before(async () => {
    database = await startTestDatabase()
  })
  after(() => database.stop())
  beforeEach(async () => {
    db = database.db()
    warnings = []
    schemaDir = await makeFolder({
      'content-types/note.json': type('note'),
      'components/shared/link.json': { attributes: { href: { type: 'string' } } },
    })
  })
  afterEach(() => removeFolder(schemaDir))

  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
  const open = async (dir: string | undefined = schemaDir) => {
    const store = await openSchemaStore({ db, schemaDir: dir, log })
    return store.registry()
  }
  const schemas = () => db.collection<Stored>('_schemas')
  const uids = (registry: Awaited<ReturnType<typeof open>>) =>
    [...registry.byApiName.values()].map(({ uid }) => uid)

  it('counts every defined type, with or without an endpoint', async () => {
    const lines: string[] = []
    const folder = await makeFolder({
      // `/api/users` is an endpoint of the service itself, so this type gets no endpoint.
      'content-types/user.json': type('user'),
      'plugins/shop/server/content-types/order/schema.json': type('order'),
    })
    await openSchemaStore({
      ...{ db, schemaDir: folder },
      log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    })
    const entries = lines.map((line) => JSON.parse(line) as { msg: string; contentTypes?: number })
    const loaded = entries.find(({ msg }) => msg === 'The schema is loaded')
    expect(loaded).to.include({ contentTypes: 2 })
    expect(lines.join('')).not.to.include('There are no content-types')
    const report = formatReport(await checkProject(folder, {}, folder))
    expect(report).to.include('content-types: 2 collection types, 1 of plugins')
    await removeFolder(folder)
  })

  it('warns of unknown keys and suggests known ones', async () => {
    const attributes = { title: { type: 'string', requird: true, ourOwn: 1 } }
    const folder = await makeFolder({
      'content-types/note.json': {
        ...{ ...type('note', attributes), collectionname: 'notes' },
        options: { draftAndPublis: true, comment: '' },
      },
    })
    await open(folder)
    const file = path.join(folder, 'content-types/note.json')
    expect(warnings.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      `${file}: collectionname is unknown. Did you mean collectionName?`,
      `${file}: options.draftAndPublis is unknown. Did you mean draftAndPublish?`,
      `${file}: attributes.title.requird is unknown. Did you mean required?`,
    ])
    await removeFolder(folder)
  })

  it('warns of a misspelled or misplaced localized, and of misplaced options', async () => {
    const i18n = (options: object) => ({ type: 'string', pluginOptions: { i18n: options } })
    const attributes = {
      a: { type: 'string', localised: true },
      b: i18n({ localised: true }),
      c: { type: 'string', uniqe: true, pluginOptions: { il8n: { localized: true } } },
      d: { ...i18n({ localized: true }), pluginOption: {}, conditions: { visble: {} } },
      e: { type: 'string', pluginOptions: { versions: { versioned: true }, other: {} } },
    }
    const folder = await makeFolder({
      'content-types/note.json': {
        ...type('note', attributes),
        localized: true,
        draftandpublish: true,
        options: { draftandpublish: true, localized: true },
        pluginOptions: { i18n: { localized: true, locales: ['en'] } },
      },
    })
    await open(folder)
    const file = path.join(folder, 'content-types/note.json')
    const of = 'pluginOptions.i18n.localized'
    expect(warnings.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal(
      [
        `localized is unknown. Did you mean ${of}?`,
        'draftandpublish is unknown. Did you mean options.draftAndPublish?',
        'options.draftandpublish is unknown. Did you mean draftAndPublish?',
        `options.localized is unknown. Did you mean ${of}?`,
        `attributes.a.localised is unknown. Did you mean attributes.a.${of}?`,
        'attributes.b.pluginOptions.i18n.localised is unknown. Did you mean localized?',
        'attributes.c.uniqe is unknown. Did you mean unique?',
        'attributes.c.pluginOptions.il8n is unknown. Did you mean i18n?',
        'attributes.d.pluginOption is unknown. Did you mean pluginOptions?',
        'attributes.d.conditions.visble is unknown. Did you mean visible?',
      ].map((text) => `${file}: ${text}`),
    )
    await removeFolder(folder)
  })

  it('warns with both files if two types have the same plural, and serves the first', async () => {
    const folder = await makeFolder({
      'content-types/a.json': { ...type('a'), info: { ...type('a').info, pluralName: 'things' } },
      'content-types/b.json': {
        ...type('b'),
        collectionName: 'bs',
        info: { ...type('b').info, pluralName: 'things' },
      },
    })
    expect(uids(await open(folder))).to.deep.equal(['api::a.a'])
    const file = (name: string) => path.join(folder, 'content-types', name)
    expect(warnings.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      `${file('b.json')}: info.pluralName: "/api/things" is the endpoint of api::a.a (${file('a.json')}), so this type gets no endpoint. Relations to it still work`,
    ])
    await removeFolder(folder)
  })

  it('warns of patterns that need backtracking, and serves them', async () => {
    const attributes = {
      plain: { type: 'string', regex: '^(a+)+$' },
      ahead: { type: 'string', regex: '^(?=a)' },
    }
    const folder = await makeFolder({
      'content-types/note.json': type('note', attributes),
      'components/shared/link.json': { attributes: { href: { type: 'text', regex: '(.)\\1' } } },
    })
    expect(uids(await open(folder))).to.deep.equal(['api::note.note'])
    const after =
      'so matching can be slow. It runs in a separate thread, and a value that takes longer than a second is refused'
    const message = (file: string, place: string) =>
      `${path.join(folder, file)}: ${place}, ${after}`
    expect(warnings.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.have.members([
      message('content-types/note.json', 'attributes.ahead.regex has a look-ahead'),
      message('components/shared/link.json', 'attributes.href.regex has a back-reference'),
    ])
    await removeFolder(folder)
  })

  it('names the searched folder if it contains no content types', async () => {
    const empty = await makeFolder({ 'content-type/note.json': type('note') })
    const failure = await open(empty).catch((error: unknown) => error)
    expect((failure as Error).message).to.include(`no definitions in ${empty}. It must be`)
    await removeFolder(empty)
  })

  it('stores the definitions of files in the database', async () => {
    const registry = await open()
    expect(uids(registry)).to.deep.equal(['api::note.note'])
    expect(registry.version).to.equal(1)
    const definitions = { $or: [{ source: 'file' }, { _id: 'version' }] }
    expect(await schemas().find(definitions).sort({ _id: 1 }).toArray()).to.deep.equal([
      { _id: 'api::note.note', kind: 'content-type', definition: type('note'), source: 'file' },
      {
        _id: 'shared.link',
        kind: 'component',
        definition: { attributes: { href: { type: 'string' } } },
        source: 'file',
      },
      { _id: 'version', value: 1 },
    ])
  })

  it('creates the indexes of all types, including built-in ones', async () => {
    await open()
    for (const collection of ['notes', 'users', 'upload_files'])
      expect(await db.collection(collection).indexExists('quire_documentId+locale:unique')).to.be
        .true
  })

  it('keeps the version if nothing changed', async () => {
    await open()
    expect((await open()).version).to.equal(1)
  })

  it('raises the version once for all changes, including the order of attributes', async () => {
    const [a, b] = [{ type: 'string' }, { type: 'text' }]
    await writeFiles(schemaDir, { 'content-types/note.json': type('note', { a, b }) })
    await open()
    await writeFiles(schemaDir, {
      'content-types/note.json': type('note', { b, a }),
      'content-types/memo.json': type('memo'),
    })
    const registry = await open()
    expect(registry.version).to.equal(2)
    expect([
      ...(registry.contentTypes.get('api::note.note')?.attributes.keys() ?? []),
    ]).to.deep.equal(['b', 'a'])
    expect((await open()).version).to.equal(2)
  })

  it('stops serving a type whose file was removed, keeps its entries and warns', async () => {
    await writeFiles(schemaDir, { 'content-types/memo.json': type('memo') })
    await open()
    await db.collection('memos').insertOne({ title: 'kept' })
    await rm(path.join(schemaDir, 'content-types/memo.json'))
    const registry = await open()
    expect(uids(registry)).to.deep.equal(['api::note.note'])
    expect(registry.version).to.equal(2)
    expect(await schemas().countDocuments({ _id: 'api::memo.memo' })).to.equal(0)
    expect(await db.collection('memos').countDocuments()).to.equal(1)
    expect(warnings.join()).to.include('api::memo.memo').and.include('its entries stay')
  })

  it('serves types from the database alongside those from files', async () => {
    await schemas().insertOne({
      _id: 'api::memo.memo',
      kind: 'content-type',
      definition: type('memo'),
      source: 'database',
    })
    expect(uids(await open())).to.deep.equal(['api::note.note', 'api::memo.memo'])
    expect(uids(await open())).to.deep.equal(['api::note.note', 'api::memo.memo'])
  })

  it('gives a type from the database to the file that defines it', async () => {
    await schemas().insertOne({
      _id: 'api::note.note',
      kind: 'content-type',
      definition: type('note', {}),
      source: 'database',
    })
    await open()
    expect(await schemas().findOne({ _id: 'api::note.note' })).to.include({ source: 'file' })
  })

  it('serves the types in the database without SCHEMA_DIR', async () => {
    await open()
    const store = await openSchemaStore({ db, schemaDir: undefined, log })
    expect(uids(store.registry())).to.deep.equal(['api::note.note'])
  })

  it('contains only the built-in types if there are no definitions', async () => {
    const store = await openSchemaStore({ db, schemaDir: undefined, log })
    expect(store.registry().contentTypes.size).to.equal(5)
    expect(store.registry().version).to.equal(0)
  })

  it('writes nothing if a definition is wrong, and names the file', async () => {
    await open()
    await writeFiles(schemaDir, {
      'content-types/note.json': type('note', { a: { type: 'strng' } }),
      'content-types/memo.json': type('memo'),
    })
    const before = await schemas().find().toArray()
    const failure = await open().catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(SchemaError)
    expect((failure as SchemaError).problems).to.deep.equal([
      {
        source: path.join(schemaDir, 'content-types/note.json'),
        path: 'attributes.a.type',
        message: 'there is no attribute type "strng"; did you mean "string"?',
      },
    ])
    expect(await schemas().find().toArray()).to.deep.equal(before)
    expect(await db.listCollections({ name: 'memos' }).toArray()).to.be.empty
  })

  it('names the document of a wrong definition in the database', async () => {
    await schemas().insertOne({
      _id: 'api::memo.memo',
      kind: 'content-type',
      definition: type('memo', { a: { type: 'component', component: 'shared.gone' } }),
      source: 'database',
    })
    const failure = await open().catch((error: unknown) => error)
    expect((failure as Error).message).to.include(
      '_schemas/api::memo.memo: attributes.a.component: there is no component "shared.gone"',
    )
  })

  it('gives a new database storage format 3, and rejects any other format', async () => {
    await open()
    const settings = db.collection<Stored>('_settings')
    expect(await settings.findOne({ _id: 'format' })).to.deep.equal({ _id: 'format', version: 3 })
    for (const version of [1, 2, 4, '3', null]) {
      await settings.updateOne({ _id: 'format' }, { $set: { version } })
      const failure = await open().catch((error: unknown) => error)
      expect((failure as Error).message).to.equal(
        `The database "${db.databaseName}" has storage format ${version}, but this version of Quire reads only 3. See docs/upgrading.md`,
      )
    }
    await settings.updateOne({ _id: 'format' }, { $set: { version: 3 } })
    expect(uids(await open())).to.deep.equal(['api::note.note'])
  })

  it('can be opened by two processes at the same time', async () => {
    const registries = await Promise.all([open(), open()])
    expect(registries.map(uids)).to.deep.equal([['api::note.note'], ['api::note.note']])
    expect((await open()).version).to.equal(1)
  })
})
