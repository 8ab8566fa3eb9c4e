import { expect } from 'chai'
import { Decimal128, Long, type Db, type Document } from 'mongodb'
import { pino } from 'pino'
import { openSchemaStore } from '../../../server/content-types/store.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'
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
const component = (name: string, attributes: Given) => ({
  [`components/shared/${name}.json`]: { attributes },
})
const text = { type: 'string' }
const drafts = { options: { draftAndPublish: true } }
const i18n = { i18n: { localized: true } }

describe('effect report of a schema change', () => {
  let database: TestDatabase
  let db: Db

  before(async () => {
    database = await startTestDatabase()
  })
  after(() => database.stop())
  beforeEach(() => {
    db = database.db()
  })

  const start = async (files: Given): Promise<readonly string[]> => {
    const lines: string[] = []
    const folder = await makeFolder(files)
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
    try {
      const store = await openSchemaStore({ db, schemaDir: folder, log, onOlder: 'adopt' })
      await store.stop()
    } finally {
      await removeFolder(folder)
    }
    return lines.map((line) =>
      (JSON.parse(line) as { msg: string }).msg.replaceAll(`${folder}/`, ''),
    )
  }
  const refusal = (files: Given): Promise<string> =>
    start(files).then(
      () => '',
      (error: unknown) => (error as Error).message.replaceAll(/\S*quire-schema-\w+\//g, ''),
    )
  let count = 0
  const store = (entry: Document, collection = 'notes') => {
    count += 1
    return db
      .collection<Document & { _id: number }>(collection)
      .insertOne({ _id: count, documentId: `d${count}`, locale: null, ...entry })
  }

  it('names a removed attribute, its entries and the line that keeps its values', async () => {
    await start(note({ title: text, details: { type: 'text' } }))
    await store({ documentId: 'a', title: 'a', details: 'x' })
    await store({ documentId: 'a', locale: 'de', title: 'a', details: 'y' })
    await store({ title: 'b', details: null })
    const after = note({ title: text, summary: { type: 'richtext' }, views: { type: 'integer' } })
    expect(await start(after)).to.deep.equal([
      'content-types/note.json: attributes.details: it is removed, and 1 entry has a value in it, which stays in the database but is not shown. If "summary" is its new name, add there: "renamedFrom": "details"',
    ])
    expect(await start(after), 'at the next start').to.deep.equal([])
    const renamed = { type: 'richtext', renamedFrom: 'details' }
    expect(await start(note({ title: text, summary: renamed }))).to.deep.equal([])
  })

  it('names an unknown renamedFrom once, but not in a new database', async () => {
    const misspelt = (from: string) =>
      note({ title: text, summary: { ...text, renamedFrom: from } })
    expect(await start(misspelt('detials')), 'in a new database').to.deep.equal([])
    await start(note({ title: text, details: text }))
    const unknown = (name: string, rest: string) =>
      `content-types/note.json: attributes.summary.renamedFrom: the previous definitions have no attribute "${name}"${rest} This line has no effect`
    expect(await start(misspelt('detalis'))).to.deep.equal([
      unknown('detalis', '; did you mean "details"?'),
    ])
    expect(await start({ ...misspelt('detalis'), ...component('link', {}) })).to.deep.equal([])
    expect(await start(misspelt('elsewhere'))).to.deep.equal([unknown('elsewhere', '.')])
    expect(await start(misspelt('details'))).to.deep.equal([])
    const memo = (from: string) => ({
      'content-types/memo.json': {
        info: { singularName: 'memo', pluralName: 'memos', displayName: 'Memo' },
        ...{ renamedFrom: from, attributes: { title: text } },
      },
    })
    expect(await start(memo('api::note.noet'))).to.include(
      'content-types/memo.json: renamedFrom: the previous definitions have no content-type "api::note.noet"; did you mean "api::note.note"? This line has no effect',
    )
    expect((await start(memo('api::note.note'))).join()).to.not.include('there is no content-type')
  })

  it('omits a removed attribute without values', async () => {
    await start(note({ title: text, tags: { type: 'json' }, old: text }))
    await store({ title: 'a', tags: null, old: null })
    expect(await start(note({ title: text }))).to.deep.equal([])
  })

  it('names an attribute that another one shows now, or that is stored elsewhere', async () => {
    await start(note({ title: text, price: { type: 'integer' } }))
    await store({ title: 'a', price: 1 })
    await store({ title: 'b', price: 2 })
    const moved = { type: 'decimal', storedAs: 'price_2' }
    expect(await start(note({ name: { ...text, storedAs: 'title' }, price: moved }))).to.deep.equal(
      [
        'content-types/note.json: attributes.name: it was renamed from "title", and 2 entries have a value in it, which is still shown',
        'content-types/note.json: attributes.price: it is stored as "price_2" now, and 2 entries have a value in "price", which stays in the database but is not shown. To show it: "storedAs": "price"',
      ],
    )
  })

  it('names a relation that the other side stores now', async () => {
    const relation = { type: 'relation', relation: 'oneToOne', target: 'api::note.note' }
    const owner = (name: string) => ({ ...relation, inversedBy: name })
    const inverse = (name: string) => ({ ...relation, mappedBy: name })
    await start(note({ menu: owner('dish'), dish: inverse('menu') }))
    await store({ menu: { documentId: 'd', order: 1 } })
    expect(await refusal(note({ menu: inverse('dish'), dish: owner('menu') }))).to.include(
      'content-types/note.json: attributes.menu: it has "mappedBy" now, which stores nothing, and 1 entry has a value in it, which stays in the database but is not shown. To show it, remove "mappedBy"',
    )
  })

  it('counts entries of all types that use a component, also in lists and zones', async () => {
    const uses = {
      link: { type: 'component', component: 'shared.link' },
      links: { type: 'component', component: 'shared.link', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shared.link', 'shared.menu'] },
    }
    const menu = component('menu', {
      links: { type: 'component', component: 'shared.link', repeatable: true },
    })
    const link = (attributes: Given) => ({ ...menu, ...component('link', attributes) })
    await start({ ...note(uses), ...link({ to: text, label: text }) })
    await store({ link: { id: 1, to: 'x' }, links: [] })
    await store({ links: [{ id: 2 }, { id: 3, to: 'y' }], link: { id: 9, to: 'z' } })
    await store({ zone: [{ __component: 'shared.menu', id: 4, links: [{ id: 5, to: 'x' }] }] })
    await store({ zone: [{ __component: 'shared.menu', id: 6, links: [] }] })
    await store({ links: [{ id: 7, to: null }] })
    const after = { label: { ...text, required: true } }
    expect(await start({ ...note(uses), ...link(after) })).to.deep.equal([
      'components/shared/link.json: attributes.to: it is removed, and 3 entries have a value in it, which stays in the database but is not shown. To show it in another attribute, add there: "renamedFrom": "to"',
      'components/shared/link.json: attributes.label: it is required now, and 4 entries have no value in it. They stay unchanged until a write sends "label"',
    ])
  })

  it('names a component removed from a dynamic zone', async () => {
    const parts = { ...component('hero', { a: text }), ...component('quote', { a: text }) }
    const zone = (...names: string[]) =>
      note({ zone: { type: 'dynamiczone', components: names } }, drafts)
    await start({ ...parts, ...zone('shared.hero', 'shared.quote') })
    await store({ zone: [{ __component: 'shared.quote', id: 1 }] }, 'notes.draft')
    await store({ zone: [{ __component: 'shared.hero', id: 2 }] }, 'notes.draft')
    const line =
      'content-types/note.json: attributes.zone: it no longer allows shared.quote, and 1 entry has one there. It is not shown, and stays in the database until the entry is next saved with this attribute. To show it, name it in "components"'
    expect(await start({ ...parts, ...zone('shared.hero') })).to.deep.equal([line])
    await start({ ...parts, ...zone('shared.hero', 'shared.quote') })
    const withoutFile = { ...component('hero', { a: text }), ...zone('shared.hero') }
    const defineAgain =
      'define shared.quote again with this uid, and name it in "components": the uid of a component cannot change, only its "displayName"'
    expect(await start(withoutFile)).to.deep.equal([
      line.replace('name it in "components"', defineAgain),
    ])
  })

  it('names the previous uid of a component whose file was renamed', async () => {
    const files = (name: string) => ({
      ...note({ part: { type: 'component', component: `shared.${name}` } }),
      ...component(name, { a: text }),
    })
    await start(files('hero'))
    await store({ part: { id: 1, a: 'x' } })
    expect(await refusal(files('banner'))).to.include(
      'entries of api::note.note have a value in "part". If shared.banner is the new name of shared.hero, change it back: the uid of a component cannot change, only its "displayName". If it is not, name the attribute differently, or ',
    )
  })

  it('names attributes that become required, with the number of entries without a value', async () => {
    const target = { type: 'relation', relation: 'manyToOne', target: 'api::note.note' }
    await start(note({ a: text, parent: target, mood: text }, drafts))
    await store({ a: 'x', parent: { documentId: 'd', order: 1 }, mood: 'm' })
    await store({ a: null, parent: null })
    await store({ mood: 'm' })
    const required = { required: true }
    const attributes = {
      a: { ...text, ...required },
      parent: { ...target, ...required },
      added: { ...text, ...required },
      mood: { ...text, ...required, conditions: { visible: { '==': [{ var: 'a' }, 'x'] } } },
    }
    const lacks = (name: string, entries: string) =>
      `content-types/note.json: attributes.${name}: it is required now, and ${entries} no value in it. They stay unchanged until they are published again or a write sends "${name}"`
    expect(await start(note(attributes, drafts))).to.deep.equal([
      lacks('a', '2 entries have'),
      lacks('parent', '2 entries have'),
      lacks('added', '3 entries have'),
    ])
  })

  it('counts values outside stricter limits, but none for wider limits', async () => {
    const files = (bounds: Readonly<Record<string, Given>>) => {
      const attribute = (name: string, given: Given) => ({ [name]: { ...given, ...bounds[name] } })
      const parts = { type: 'component', component: 'shared.part', repeatable: true }
      return {
        ...note({
          ...attribute('price', { type: 'decimal' }),
          ...attribute('big', { type: 'biginteger' }),
          ...attribute('views', { type: 'integer' }),
          ...attribute('title', { type: 'text' }),
          ...attribute('code', text),
          ...attribute('parts', parts),
        }),
        ...component('part', attribute('label', text)),
      }
    }
    await start(files({ views: { min: 1 } }))
    await store({
      ...{ price: Decimal128.fromString('0.1'), big: Long.fromString('9007199254740993') },
      ...{ views: 1, title: 'ab', code: 'x', parts: [{ id: 1, label: 'long' }] },
    })
    await store({
      ...{ price: Decimal128.fromString('0.3'), big: Long.fromNumber(3), views: 5 },
      ...{
        title: '😀😀',
        code: null,
        parts: [
          { id: 2, label: 'a' },
          { id: 3, label: null },
        ],
      },
    })
    await store({ title: 'abcd', parts: [] })
    const lines = await start(
      files({
        ...{ price: { min: 0.1, max: '0.2' }, big: { max: '9007199254740992' }, views: { min: 2 } },
        ...{ title: { minLength: 4 }, code: { regex: '^(a+)+$' }, parts: { min: 2, max: 1 } },
        label: { maxLength: 3 },
      }),
    )
    const line = (path: string, rest: string) => {
      const [name = '', option] = path.split('.')
      const of = name === 'label' ? 'components/shared/part.json' : 'content-types/note.json'
      return `${of}: attributes.${name}.${option}: ${rest}. It stays unchanged until a write sends "${name}"`
    }
    expect(lines.filter((one) => one.includes('It stays unchanged'))).to.deep.equal([
      line('price.max', '1 entry has a value above 0.2'),
      line('big.max', '1 entry has a value above 9007199254740992'),
      line('views.min', '1 entry has a value below 2'),
      line('title.minLength', '1 entry has a value of fewer than 4 characters'),
      line('code.regex', '1 entry has a value in it. Whether it matches is not counted'),
      line('parts.min', '1 entry has fewer than 2 items in it'),
      line('parts.max', '1 entry has more than 1 item in it'),
      line('label.maxLength', '1 entry has a value of more than 3 characters'),
    ])
    const wider = files({ price: { min: 0 }, title: { minLength: 1 }, label: { maxLength: 5 } })
    expect(await start(wider)).to.deep.equal([])
    const short = await start(files({ title: { type: 'string', maxLength: 3 } }))
    expect(short.join()).to.include('title.maxLength: 2 entries have a value of more than 3')
  })

  it('names the values removed from an enumeration', async () => {
    const colours = (...values: string[]) => ({
      ...note({
        mood: { type: 'enumeration', enum: values },
        parts: { type: 'component', component: 'shared.part', repeatable: true },
      }),
      ...component('part', { colour: { type: 'enumeration', enum: values } }),
    })
    await start(colours('red', 'green', 'blue'))
    await store({ mood: 'red', parts: [{ id: 1, colour: 'blue' }, { id: 2 }] })
    await store({ mood: 'green', parts: [{ id: 3, colour: 'red' }] })
    await store({ mood: 'red' })
    expect(await start(colours('blue'))).to.deep.equal([
      `content-types/note.json: attributes.mood.enum: 3 entries have a value that is no longer in the list: "green", "red". They stay unchanged until a write sends "mood"`,
      `components/shared/part.json: attributes.colour.enum: 1 entry has a value that is no longer in the list: "red". It stays unchanged until a write sends "colour"`,
    ])
    expect(await start(colours('blue', 'red'))).to.deep.equal([])
  })

  it('counts values in a component that becomes a list or stops being one', async () => {
    const files = (repeatable: boolean, label: Given, ...colours: string[]) => ({
      ...note({ parts: { type: 'component', component: 'shared.part', repeatable } }),
      ...component('part', {
        label: { ...text, ...label },
        colour: { type: 'enumeration', enum: colours },
      }),
    })
    const effectsOf = async (repeatable: boolean, parts: unknown) => {
      await start(files(!repeatable, {}, 'red', 'blue'))
      await store({ parts })
      const [, effects] = (await refusal(files(repeatable, { maxLength: 3 }, 'blue'))).split(
        'Other effects on stored content:\n',
      )
      await db.dropDatabase()
      return effects?.split('\n')
    }
    const expected = [
      '  components/shared/part.json: attributes.label.maxLength: 1 entry has a value of more than 3 characters. It stays unchanged until a write sends "label"',
      '  components/shared/part.json: attributes.colour.enum: 1 entry has a value that is no longer in the list: "red". It stays unchanged until a write sends "colour"',
    ]
    const part = { id: 1, label: 'long', colour: 'red' }
    expect(await effectsOf(false, [{ id: 2, label: 'a', colour: 'blue' }, part])).to.deep.equal(
      expected,
    )
    expect(await effectsOf(true, part)).to.deep.equal(expected)
  })

  it('explains how to free the stored field that another attribute uses', async () => {
    const abstract = { ...text, renamedFrom: 'summary' }
    await start(note({ details: text }))
    await store({ details: 'x' })
    await start(note({ summary: { ...text, renamedFrom: 'details' } }))
    for (const attributes of [
      { abstract, details: text },
      { details: text, abstract },
    ])
      expect(await refusal(note(attributes))).to.equal(
        'The schema has a problem:\n  content-types/note.json: attributes.details.storedAs: "abstract" is stored as "details". Store "details" in another field: "storedAs": "details_2"',
      )
    const details = { ...text, storedAs: 'details_2' }
    expect((await start(note({ abstract, details }))).join()).to.equal(
      'content-types/note.json: attributes.abstract: it was renamed from "summary", and 1 entry has a value in it, which is still shown',
    )
  })

  it('rejects unique values that several documents have, and names these documents', async () => {
    const localized = { pluginOptions: i18n }
    const title = { ...text, pluginOptions: i18n }
    const before = note({ title, code: { type: 'integer' } }, { ...localized, ...drafts })
    await start(before)
    for (const [documentId, locale, code] of [
      ['a', 'en', 1],
      ['b', 'en', 1],
      ['c', 'de', 1],
      ['d', 'en', 2],
      ['e', 'de', 2],
    ] as const)
      await store({ documentId, locale, title: `t${code}`, code })
    const schemas = await db.collection('_schemas').find().toArray()
    const unique = { unique: true }
    const after = note(
      { title: { ...title, ...unique }, code: { type: 'integer', ...unique } },
      { ...localized, ...drafts },
    )
    const advice = 'Change them, or remove "unique"'
    expect(await refusal(after)).to.equal(
      [
        'The schema has 2 problems:',
        `content-types/note.json: attributes.title.unique: it cannot be unique, because documents in "notes" have the same value: "t1" in locale en (a, b). ${advice}`,
        `content-types/note.json: attributes.code.unique: it cannot be unique, because documents in "notes" have the same value: 1 in locale en (a, b). ${advice}`,
      ].join('\n  '),
    )
    expect(await db.collection('_schemas').find().toArray()).to.deep.equal(schemas)
    await db.collection('notes').deleteOne({ documentId: 'b' })
    expect(await start(after)).to.deep.equal([])
  })

  it('includes other effects if a change is rejected', async () => {
    await start(note({ code: text, details: text }))
    await store({ documentId: 'a', code: 'x', details: 'y' })
    await store({ documentId: 'b', code: 'x' })
    const added = { ...text, required: true }
    expect(await refusal(note({ code: { ...text, unique: true }, added }))).to.equal(
      [
        'The schema has a problem:',
        '  content-types/note.json: attributes.code.unique: it cannot be unique, because documents in "notes" have the same value: "x" (a, b). Change them, or remove "unique"',
        'Other effects on stored content:',
        '  content-types/note.json: attributes.details: it is removed, and 1 entry has a value in it, which stays in the database but is not shown. If "added" is its new name, add there: "renamedFrom": "details"',
        '  content-types/note.json: attributes.added: it is required now, and 2 entries have no value in it. They stay unchanged until a write sends "added"',
      ].join('\n'),
    )
  })

  it('omits values of a private attribute', async () => {
    const hidden = { private: true }
    const mood = (...values: string[]) => ({ type: 'enumeration', enum: values, ...hidden })
    await start(note({ code: { ...text, ...hidden }, mood: mood('red', 'blue') }))
    await store({ documentId: 'a', code: 'secret', mood: 'red' })
    await store({ documentId: 'b', code: 'secret' })
    const unique = { ...text, ...hidden, unique: true }
    expect(await refusal(note({ code: unique, mood: mood('red', 'blue') }))).to.include(
      'have the same value: a private value (a, b). Change them',
    )
    expect(await start(note({ code: { ...text, ...hidden }, mood: mood('blue') }))).to.deep.equal([
      'content-types/note.json: attributes.mood.enum: 1 entry has a value that is no longer in the list. It stays unchanged until a write sends "mood"',
    ])
  })

  it('omits values in a private component', async () => {
    const files = (...values: string[]) => ({
      ...note({ part: { type: 'component', component: 'shared.part', private: true } }),
      ...component('part', { mood: { type: 'enumeration', enum: values } }),
    })
    await start(files('red', 'blue'))
    await store({ part: { id: 1, mood: 'red' } })
    expect((await start(files('blue'))).join()).to.include(
      'a value that is no longer in the list. It',
    )
  })

  it('names up to ten documents per value and up to ten values', async () => {
    await start(note({ code: text }))
    for (let at = 0; at < 12; at += 1) await store({ documentId: `d${at + 10}`, code: 'x' })
    for (let at = 0; at < 22; at += 1) await store({ documentId: `e${at}`, code: `y${at % 11}` })
    const text11 = await refusal(note({ code: { ...text, unique: true } }))
    expect(text11).to.include(
      '"x" (d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, and more); "y0" (e0, e11); ',
    )
    expect(text11).to.include('; and more. Change them')
    expect(text11.split(' (').length - 1).to.equal(10)
  })

  it('rejects a one-to-one relation if two entries share a target', async () => {
    const files = (relation: string) => ({
      ...note({
        of: { type: 'relation', relation, target: 'api::part.part', inversedBy: 'note' },
      }),
      'content-types/part.json': {
        info: { singularName: 'part', pluralName: 'parts', displayName: 'Part' },
        attributes: {
          note: {
            ...{ type: 'relation', target: 'api::note.note', mappedBy: 'of' },
            relation: relation === 'manyToOne' ? 'oneToMany' : relation,
          },
        },
      },
    })
    await start(files('manyToOne'))
    await store({ documentId: 'a', of: { documentId: 'p', order: 1 } })
    await store({ documentId: 'b', of: { documentId: 'p', order: 2 } })
    expect(await refusal(files('oneToOne'))).to.include(
      'content-types/note.json: attributes.of.relation: the relation cannot become oneToOne, because entries of api::note.note share a target of api::part.part: "p" is the target of a, b. Start with the former definitions and leave each target to one entry there, or let the relation be manyToOne',
    )
  })

  it('names duplicate values in components, which do not stop the start', async () => {
    const files = (slug: Given) => ({
      ...note({
        part: { type: 'component', component: 'shared.part' },
        zone: { type: 'dynamiczone', components: ['shared.part'] },
      }),
      ...component('part', { slug }),
    })
    await start(files(text))
    await store({ documentId: 'a', part: { id: 1, slug: 'x' } })
    await store({ documentId: 'b', zone: [{ __component: 'shared.part', id: 2, slug: 'x' }] })
    await store({ documentId: 'c', part: { id: 3, slug: 'y' } })
    expect(await start(files({ ...text, unique: true }))).to.deep.equal([
      'components/shared/part.json: attributes.slug.unique: it is unique now, but documents in "notes" have the same value: "x" (a, b). They stay as they are, and their entries can be saved as long as the value is not sent',
    ])
  })

  it('names a removed type, its entries, and the roles and tokens with permissions for it', async () => {
    const memo = (name: string) => ({
      [`content-types/${name}.json`]: {
        info: { singularName: name, pluralName: `${name}s`, displayName: name },
        attributes: { title: text },
      },
    })
    await start({ ...note({ title: text }), ...memo('memo') })
    await store({ title: 'x' }, 'memos')
    const permissions = ['api::memo.memo.find', 'api::note.note.find']
    await store({ name: 'Public', permissions }, 'roles')
    await store({ name: 'Editor', permissions: ['api::memo.memory.find'] }, 'roles')
    await store({ name: 'CI', permissions, accessKey: 'k' }, '_api_tokens')
    expect(await start({ ...note({ title: text }), ...memo('letter') })).to.deep.equal([
      'api::memo.memo: it is no longer served, and its entries stay in the collection "memos" (1 entry). If api::letter.letter is its new name, add there: "renamedFrom": "api::memo.memo"',
      'api::memo.memo: its permissions have no effect while it is not served: those of the role "Public", the API token "CI"',
    ])
  })

  it('counts up to 10000 entries, and runs no aggregation if no definition changed', async () => {
    await start(note({ title: text }))
    const entries = Array.from({ length: 10_001 }, (_, at) => ({
      documentId: `e${at}`,
      title: 'x',
    }))
    await db.collection('notes').insertMany(entries)
    const [line] = await start(note({ name: { type: 'integer' } }))
    expect(line).to.include('it is removed, and more than 10000 entries have a value in it')
    const commands = await database.commandsOf(async () => {
      expect(await start(note({ name: { type: 'integer' } }))).to.deep.equal([])
    })
    expect(commands).to.not.include('aggregate')
  })
})
