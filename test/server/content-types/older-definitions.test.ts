import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { pino } from 'pino'
import { SchemaError } from '../../../engine/schema/schema-error.js'
import type { SchemaStoreOptions } from '../../../server/content-types/store.js'
import { openSchemaStore } from '../../../server/content-types/store.js'
import { testDatabaseUri } from '../../support/database.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'
import type { TestDatabase } from './test-database.js'
import { startTestDatabase } from './test-database.js'

type Attributes = Readonly<Record<string, object>>

const definition = (attributes: Attributes) => ({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: false },
  attributes,
})
const title = { type: 'string' }
const older = { title }
const newer = { title, code: { type: 'string', unique: true }, views: { type: 'integer' } }

describe('definitions older than those in the database', function () {
  let database: TestDatabase
  let db: Db
  let warnings: string[]
  let folders: string[]

  before(async () => {
    database = await startTestDatabase()
  })
  after(() => database.stop())
  beforeEach(() => {
    db = database.db()
    warnings = []
    folders = []
  })
  afterEach(() => Promise.all(folders.map(removeFolder)))

  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
  const open = async (attributes: Attributes, onOlder?: SchemaStoreOptions['onOlder']) => {
    const schemaDir = await makeFolder({ 'content-types/note.json': definition(attributes) })
    folders.push(schemaDir)
    const store = await openSchemaStore({ db, schemaDir, log, onOlder })
    return [...(store.registry().contentTypes.get('api::note.note')?.attributes.keys() ?? [])]
  }
  const schemas = () => db.collection<Document & { _id: string }>('_schemas')
  const uniqueOfCode = async () =>
    (await db.collection('notes').listIndexes().toArray()).filter(
      ({ name, unique }) => unique === true && String(name).includes('code'),
    ).length
  const text = async (promise: Promise<unknown>) =>
    promise.then(
      () => '',
      (error: unknown) => String((error as Error).message),
    )

  it('leave the newer ones and their indexes in use, with a warning', async () => {
    await open(older)
    await open(newer)
    const before = await schemas().find().toArray()
    expect(await uniqueOfCode()).to.equal(1)
    expect(await open(older)).to.deep.equal(['title', 'code', 'views'])
    expect(warnings.join())
      .to.include('newer definitions')
      .and.include('npm run schema -- --go-back')
    expect(await uniqueOfCode()).to.equal(1)
    expect(await schemas().find().toArray()).to.deep.equal(before)
    expect(await open(newer)).to.deep.equal(['title', 'code', 'views'])
  })

  it('stop the start with schema.onOlder=refuse', async () => {
    await open(older)
    await open(newer)
    expect(await text(open(older, 'refuse'))).to.include('newer definitions')
    expect(await uniqueOfCode()).to.equal(1)
    expect(await open(newer, 'refuse')).to.have.length(3)
  })

  it('become the newest with schema.onOlder=adopt', async () => {
    await open(older)
    await open(newer)
    expect(await open(older, 'adopt')).to.deep.equal(['title'])
    expect(await uniqueOfCode()).to.equal(0)
    expect(await open(newer)).to.deep.equal(['title'])
    const chain = await schemas().findOne({ _id: 'chain' })
    expect(chain?.['hashes']).to.have.length(2)
  })

  it('are recognized in a database without a chain', async () => {
    await open(older)
    await schemas().deleteMany({ _id: { $in: ['chain', 'former'] } })
    await open(newer)
    expect(await open(older)).to.have.length(3)
  })

  it('cannot give an attribute a type that its stored values do not have', async () => {
    await open(newer)
    await db.collection('notes').insertOne({ documentId: 'a', locale: null, views: 1 })
    await open(older)
    const asText = { title, views: { type: 'string' } }
    const refused = async () => text(open(asText, 'adopt'))
    expect(await refused()).to.include('cannot change from integer to string')
    // The change is still rejected after going back deliberately, and after an older version of Quire removed the
    // attribute.
    await open(older, 'adopt')
    expect(await refused()).to.include('cannot change from integer to string')
    await schemas().updateOne(
      { _id: 'api::note.note' },
      { $set: { definition: definition({ title }) } },
    )
    expect(await refused()).to.include('cannot change from integer to string')
    await db.collection('notes').deleteMany({})
    expect(await refused()).to.equal('')
  })

  it('keep their indexes if the newer ones cannot be served', async () => {
    await open({ title: { type: 'string', index: true } })
    const before = await db.collection('notes').listIndexes().toArray()
    await db.collection('notes').insertMany([
      { documentId: 'a', locale: null, code: 'x' },
      { documentId: 'b', locale: null, code: 'x' },
    ])
    expect(await text(open(newer))).to.include('cannot be unique')
    expect(await db.collection('notes').listIndexes().toArray()).to.deep.equal(before)
  })

  it('lose to newer ones that start at the same time, in any order', async () => {
    await open(older)
    const starts = Array.from({ length: 20 }, (_, at) => open(at % 2 === 0 ? newer : older))
    const served = await Promise.all(starts)
    expect(served.at(0)).to.have.length(3)
    expect(await uniqueOfCode()).to.equal(1)
    expect(await open(older)).to.have.length(3)
    expect(await open(newer)).to.have.length(3)
    expect(await schemas().findOne({ _id: 'lock' })).to.equal(null)
  })

  it('lose to one of two new states that start at the same time', async () => {
    await open(older)
    const other = { title, rank: { type: 'integer', unique: true } }
    await Promise.all([open(newer), open(other)])
    const served = await open(older)
    expect(served).to.be.deep.oneOf([Object.keys(newer), Object.keys(other)])
    expect(await uniqueOfCode()).to.equal(served.includes('code') ? 1 : 0)
  })

  it('are replaced after the lock of a stopped process has expired', async () => {
    const until = new Date(Date.now() + 300)
    await schemas().insertOne({ _id: 'lock', owner: 'gone', until })
    expect(await open(newer)).to.have.length(3)
  })

  it('keep an attribute unique in a service that starts while a newer one runs', async () => {
    const databaseUri = await testDatabaseUri()
    const start = (attributes: Attributes) =>
      startApp({ databaseUri, schema: { 'content-types/note.json': definition(attributes) } })
    const apps: TestApp[] = []
    try {
      apps.push(await start(older), await start(newer))
      const [first, second] = apps as [TestApp, TestApp]
      await first.stop()
      apps[0] = await start(older)
      const statuses = await Promise.all(
        Array.from({ length: 30 }, async (_, at) => {
          const app = at % 2 === 0 ? second : (apps[0] as TestApp)
          const body = { data: { title: `${at}`, code: 'same' } }
          return (await app.request('POST', '/api/notes', { token: app.token, body })).status
        }),
      )
      expect(statuses.sort()).to.deep.equal([201, ...Array.from({ length: 29 }, () => 400)])
      apps.push(await start(newer))
    } finally {
      for (const app of apps) await app.stop()
    }
  })

  it('are rejected if they are invalid', async () => {
    await open(newer)
    const failure = await open({ title: { type: 'strng' } }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(SchemaError)
  })
})
