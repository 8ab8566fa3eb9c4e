import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { pino } from 'pino'
import { SchemaError } from '../../../engine/schema/schema-error.js'
import { openSchemaStore } from '../../../server/content-types/store.js'
import { makeFolder, removeFolder, writeFiles } from '../../support/temporary-folder.js'
import type { TestDatabase } from './test-database.js'
import { startTestDatabase } from './test-database.js'

type Given = Readonly<Record<string, unknown>>

const note = (attributes: Given, more: Given = {}) => ({
  'content-types/note.json': {
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
    ...more,
  },
})
const link = (attributes: Given) => ({ 'components/shared/link.json': { attributes } })
const box = {
  'components/shared/box.json': {
    attributes: { links: { type: 'component', component: 'shared.link', repeatable: true } },
  },
}
const text = { type: 'string' }
const number = { type: 'integer' }
const type = (name: string, more: Given) => ({
  [`content-types/${name}.json`]: {
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { text },
    ...more,
  },
})
const toNote = (more: Given) => ({ type: 'relation', target: 'api::note.note', ...more })
const localized = { pluginOptions: { i18n: { localized: true } } }
const draftAndPublish = { options: { draftAndPublish: true } }

describe('schema change', () => {
  let database: TestDatabase
  let db: Db
  let folder: string

  before(async () => {
    database = await startTestDatabase()
  })
  after(() => database.stop())
  beforeEach(async () => {
    db = database.db()
    folder = await makeFolder({})
  })
  afterEach(() => removeFolder(folder))

  /** Writes these files, and returns the problems that prevent the schema from opening. */
  const open = async (files: Given): Promise<readonly string[]> => {
    await writeFiles(folder, files)
    try {
      await openSchemaStore({
        db,
        schemaDir: folder,
        log: pino({ level: 'silent' }),
        onOlder: 'adopt',
      })
      return []
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      return error.problems.map(({ path, message }) => `${path}: ${message}`)
    }
  }
  const store = (entry: Document, collection = 'notes') =>
    db.collection(collection).insertOne({ documentId: 'a', locale: null, ...entry })
  const whole = 'it has entries, which would no longer be found'

  for (const [path, before, after, from, to] of [
    ['options.draftAndPublish', {}, draftAndPublish, 'false', 'true'],
    ['options.draftAndPublish', draftAndPublish, {}, 'true', 'false'],
    ['pluginOptions.i18n.localized', {}, localized, 'false', 'true'],
    ['pluginOptions.i18n.localized', localized, {}, 'true', 'false'],
    ['collectionName', {}, { collectionName: 'papers' }, 'notes', 'papers'],
    ['kind', {}, { kind: 'singleType' }, 'collectionType', 'singleType'],
  ] as const)
    it(`is rejected for ${path} to ${to} only if the type has entries`, async () => {
      expect(await open(note({ text }, before))).to.deep.equal([])
      expect(await open(note({ text }, after))).to.deep.equal([])
      expect(await open(note({ text }, before))).to.deep.equal([])
      await store({ text: 'x' })
      const schemas = await db.collection('_schemas').find().toArray()
      const refused = await open(note({ text }, after))
      expect(refused).to.have.length(1)
      expect(refused[0]).to.include(
        `${path}: api::note.note cannot change from ${from} to ${to}: ${whole}`,
      )
      expect(await db.collection('_schemas').find().toArray()).to.deep.equal(schemas)
      expect(await open(note({ text }, before))).to.deep.equal([])
    })

  it('names the command that converts entries, or what turning the option off would lose', async () => {
    const both = { ...draftAndPublish, ...localized }
    await open(note({ text }))
    await store({ text: 'x' })
    for (const problem of await open(note({ text }, both)))
      expect(problem).to.include(
        `${whole}. Convert them: npm run schema -- apply (services can keep running)`,
      )
    await db.collection('notes').deleteMany({})
    await open(note({ text }, both))
    await store({ text: 'x' })
    const [drafts, locales] = await open(note({ text }))
    expect(drafts).to.include(`${whole}, and unpublished changes in drafts would be lost`)
    expect(locales).to.include(`${whole}, and all locales of each entry except one would be lost`)
  })

  it('asks for two steps if a content type is renamed and an option is turned on', async () => {
    await open(note({ text }))
    await store({ text: 'x' })
    await removeFolder(`${folder}/content-types`)
    const renamed = type('paper', {
      ...draftAndPublish,
      collectionName: 'notes',
      renamedFrom: 'api::note.note',
    })
    expect(await open(renamed)).to.deep.equal([
      `options.draftAndPublish: api::paper.paper cannot change from false to true: ${whole}. Do this in two steps: rename the content-type and start once, then turn this on and convert them: npm run schema -- apply`,
    ])
  })

  it('is rejected if locales would share an attribute in which they differ', async () => {
    const inLocales = (more: Given) => note({ text: { ...text, ...more } }, localized)
    await open(inLocales(localized))
    await store({ text: 'x', locale: 'en' })
    await store({ text: 'x', locale: 'fr' })
    expect(await open(inLocales({}))).to.deep.equal([])
    expect(await open(inLocales(localized))).to.deep.equal([])
    await db.collection('notes').updateOne({ locale: 'fr' }, { $set: { text: null } })
    expect(await open(inLocales({}))).to.deep.equal([
      'attributes.text.pluginOptions.i18n.localized: api::note.note cannot change from true to false: ' +
        'entries have different values in their locales, and only one value would remain. Undo the change, or make the values equal first',
    ])
  })

  it('finds entries that exist only as drafts', async () => {
    await open(note({ text }, draftAndPublish))
    await store({ text: 'x' }, 'notes.draft')
    expect(await open(note({ text }))).to.have.length(1)
  })

  it('suggests renamedFrom if the target of a relation has a new uid', async () => {
    const to = (target: string) => note({ to: { type: 'relation', relation: 'oneToOne', target } })
    await open({ ...type('dish', {}), ...to('api::dish.dish') })
    await store({ to: { documentId: 'd', order: 1 } })
    await removeFolder(`${folder}/content-types`)
    const changed = await open({ ...type('meal', {}), ...to('api::meal.meal') })
    expect(changed).to.have.length(1)
    expect(changed[0]).to.match(
      /\. If api::meal\.meal is the new name of api::dish\.dish, add to its definition: "renamedFrom": "api::dish\.dish"$/,
    )
    expect(
      await open(type('meal', { collectionName: 'meals', renamedFrom: 'api::dish.dish' })),
    ).to.deep.equal([])
  })

  it('names the file, the type and a solution in the error that stops the start', async () => {
    await open(note({ text }))
    await store({ text: 'x' })
    await writeFiles(folder, note({ text: number }))
    const failure = await openSchemaStore({
      ...{ db, schemaDir: folder, onOlder: 'adopt' },
      log: pino({ level: 'silent' }),
    }).catch((error: unknown) => error)
    expect((failure as Error).message).to.equal(
      `The schema has a problem:\n  ${folder}/content-types/note.json: attributes.text: ` +
        'api::note.note cannot change from string to integer: entries of api::note.note have a value in "text". ' +
        'Name the attribute differently, or keep the name and store it in another field: "storedAs": "text_2"',
    )
  })

  for (const [what, before, after, value] of [
    ['text to a number', text, number, 'x'],
    ['a number to a biginteger', number, { type: 'biginteger' }, 1],
    ['json to text', { type: 'json' }, text, [[1]]],
    ['a relation to text', toNote({ relation: 'manyToOne' }), text, { documentId: 'a', order: 1 }],
    [
      'a list of relations to one',
      toNote({ relation: 'oneToMany' }),
      toNote({ relation: 'oneToOne' }),
      [{ documentId: 'a', order: 1 }],
    ],
    ['media to text', { type: 'media' }, text, { documentId: 'a', order: 1 }],
  ] as const)
    it(`is rejected for an attribute from ${what} only if it has values`, async () => {
      await open(note({ a: before }))
      await store({ a: null })
      await store({ a: [], documentId: 'b' }).catch(() => undefined)
      if (what !== 'json to text') {
        expect(await open(note({ a: after }))).to.deep.equal([])
        expect(await open(note({ a: before }))).to.deep.equal([])
      }
      await store({ a: value, documentId: 'c' })
      expect(await open(note({ a: after }))).to.have.length(1)
      expect(await open(note({ a: { ...after, storedAs: 'a_2' } }))).to.deep.equal([])
    })

  it('is accepted for an attribute whose values are read as before', async () => {
    await open(note({ a: text, b: number, c: { type: 'datetime' } }))
    await store({ a: 'x', b: 1, c: new Date() })
    const after = { a: { type: 'richtext' }, b: { type: 'float' }, c: { type: 'timestamp' } }
    expect(await open(note(after))).to.deep.equal([])
    expect(await open(note({ d: text }))).to.deep.equal([])
  })

  it('is rejected for a component if an entry holds a value at any depth', async () => {
    const attributes = {
      box: { type: 'component', component: 'shared.box' },
      zone: { type: 'dynamiczone', components: ['shared.link', 'shared.box'] },
    }
    await open({ ...note(attributes), ...box, ...link({ to: text, other: number }) })
    await store({ box: { id: 1, links: [{ id: 1, other: 1 }] }, zone: [] })
    expect(await open(link({ to: number, other: number }))).to.deep.equal([])
    expect(await open(link({ to: text, other: number }))).to.deep.equal([])

    const links = [
      { id: 1, to: null },
      { id: 2, to: 'x' },
    ]
    for (const [documentId, entry, field] of [
      ['b', { box: { id: 1, links } }, 'box.links.to'],
      ['c', { zone: [{ __component: 'shared.link', id: 1, to: 'x' }] }, 'zone.to'],
      ['d', { zone: [{ __component: 'shared.box', id: 1, links }] }, 'zone.links.to'],
    ] as const) {
      await store({ ...entry, documentId })
      const refused = await open(link({ to: number, other: number }))
      expect(refused.join()).to.include(
        `attributes.to: shared.link cannot change from string to integer: entries of api::note.note have a value in "${field}"`,
      )
      await db.collection('notes').deleteOne({ documentId })
    }
    expect(await open(link({ to: number, other: number }))).to.deep.equal([])
  })
})
