import { expect } from 'chai'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import { pino } from 'pino'
import { openSchemaStore } from '../../../server/content-types/store.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'
import type { TestDatabase } from './test-database.js'
import { startTestDatabase } from './test-database.js'

type Given = Readonly<Record<string, unknown>>

const note = (attributes: Given, component: Given = {}) => ({
  'content-types/note.json': {
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { ...attributes, part: { type: 'component', component: 'shared.part' } },
  },
  'components/shared/part.json': { attributes: { fixed: text, ...component } },
})
const text = { type: 'string' }
const from = (renamedFrom: string, more: Given = {}) => ({ ...text, renamedFrom, ...more })

describe('renamedFrom of an attribute', () => {
  let database: TestDatabase
  let db: Db

  before(async () => {
    database = await startTestDatabase()
  })
  after(() => database.stop())
  beforeEach(() => {
    db = database.db()
  })

  /** Returns the stored field of each attribute by name. */
  const start = async (attributes: Given, component: Given = {}) => {
    const folder = await makeFolder(note(attributes, component))
    try {
      const log = pino({ level: 'silent' })
      const store = await openSchemaStore({ db, schemaDir: folder, log, onOlder: 'adopt' })
      await store.stop()
      const { contentTypes, components } = store.registry()
      const all = [
        ...(contentTypes.get('api::note.note')?.attributes.values() ?? []),
        ...(components.get('shared.part')?.attributes.values() ?? []),
      ]
      return Object.fromEntries(
        all.flatMap(({ name, storedAs }) =>
          name === 'part' || name === 'fixed' ? [] : [[name, storedAs] as const],
        ),
      )
    } finally {
      await removeFolder(folder)
    }
  }

  it('reads the values of the previous name at every start', async () => {
    await start({ details: text })
    for (let at = 0; at < 2; at += 1)
      expect(await start({ summary: from('details') })).to.deep.equal({ summary: 'details' })
    expect(await start({ details: text }), 'and back').to.deep.equal({ details: 'details' })
  })

  it('works in components and for attributes stored under another name', async () => {
    await start({ 'og:title': text, price: { ...text, storedAs: 'price_2' } }, { a: text })
    const renamed = { title: from('og:title'), cost: from('price') }
    const fields = { title: 'og%3Atitle', cost: 'price_2', b: 'a' }
    expect(await start(renamed, { b: from('a') })).to.deep.equal(fields)
    const again = { heading: from('title'), worth: from('cost') }
    expect(await start(again, { b: from('a') })).to.deep.equal({
      ...{ heading: 'og%3Atitle', worth: 'price_2', b: 'a' },
    })
  })

  it('follows a chain of renames, even if the line is added later', async () => {
    await start({ a: text })
    await start({ b: from('a') })
    for (let at = 0; at < 2; at += 1)
      expect(await start({ c: from('b') })).to.deep.equal({ c: 'a' })
    expect(await start({ d: text })).to.deep.equal({ d: 'd' })
    expect(await start({ d: from('c') })).to.deep.equal({ d: 'a' })
  })

  it('keeps the values of a database without the previous name', async () => {
    expect(await start({ b: from('a') }), 'a new one').to.deep.equal({ b: 'a' })
    expect(await start({ b: from('a') })).to.deep.equal({ b: 'a' })
    db = database.db()
    await start({ b: text })
    for (let at = 0; at < 2; at += 1)
      expect(await start({ b: from('a') }), 'with the new name').to.deep.equal({ b: 'b' })
  })

  it('is rejected if the previous name is still in use or named twice', async () => {
    const refusal = (attributes: Given) =>
      start(attributes).then(
        () => '',
        (error: unknown) => (error as Error).message,
      )
    expect(await refusal({ a: text, b: from('a') })).to.include(
      'attributes.b.renamedFrom: there is still an attribute "a". Remove one of the two, or set "storedAs" in both, without "renamedFrom"',
    )
    expect(await refusal({ b: from('a'), c: from('a') })).to.include(
      'attributes.c.renamedFrom: "b" was renamed from "a", too',
    )
    expect(await refusal({ b: { ...text, renamedFrom: 1 } })).to.include('attributes.b.renamedFrom')
    await start({ a: text })
    await db.collection('notes').insertOne({ a: 'x' })
    expect(await refusal({ b: { type: 'integer', renamedFrom: 'a' } })).to.include(
      'attributes.b: api::note.note cannot change from string to integer: entries of api::note.note have a value in "a"',
    )
    expect(
      await start({ a: { ...text, storedAs: 'a_2' }, b: { ...text, storedAs: 'a' } }),
    ).to.deep.equal({ a: 'a_2', b: 'a' })
  })

  it('leads to the same field after any renames, restarts and reverts', async function () {
    this.timeout(60_000)
    const step = fc.constantFrom('rename', 'restart', 'back', 'forward')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        db = database.db()
        const states: Given[] = [{ n0: text }]
        let at = 0
        const field = async () => Object.values(await start(states[at] ?? {}))[0]
        const first = await field()
        for (const one of steps) {
          if (one === 'rename' && at === states.length - 1)
            states.push({ [`n${at + 1}`]: from(`n${at}`) })
          if (one === 'rename' || one === 'forward') at = Math.min(at + 1, states.length - 1)
          if (one === 'back') at = Math.max(at - 1, 0)
          expect(await field(), `${steps.join()} at n${at}`).to.equal(first)
        }
      }),
      { numRuns: 20 },
    )
  })
})
