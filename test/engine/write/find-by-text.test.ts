import { expect } from 'chai'
import fc from 'fast-check'
import type { Db, Document } from 'mongodb'
import { MongoClient, MongoServerError } from 'mongodb'
import { oneByOne } from '../../../engine/database/unit-of-work.js'
import { type TextKey, findByText } from '../../../engine/write/load/find-by-value.js'
import type { Writing } from './start-writing.js'
import { startWriting } from './start-writing.js'

const documentIds = ['a', 'b', 'c', 'd']
const locales = ['en', 'fr']

type Version = Document & { _id: number; documentId: string; locale: string | null; slug: string }

/**
 * `one` and `other` have locales. `plain` has none, except that its later versions have `en` already. All contain the
 * same strings.
 */
const stored: Readonly<Record<string, readonly Version[]>> = Object.fromEntries(
  ['plain', 'one', 'other'].map((collection, at) => [
    collection,
    documentIds.flatMap((documentId, n) =>
      (collection === 'plain' ? [n < 2 ? null : 'en'] : locales.slice(0, 1 + (n % 2))).map(
        (locale, place) => ({
          ...{ _id: 100 * at + 10 * n + place, documentId, locale },
          slug: documentIds[(n + at) % 3] ?? '',
        }),
      ),
    ),
  ]),
)

describe('findByText', () => {
  let writing: Writing
  let client: MongoClient
  const sent: string[] = []
  before(async () => {
    writing = await startWriting([])
    for (const [name, versions] of Object.entries(stored))
      await writing.db.collection<Version>(name).insertMany([...versions])
    client = new MongoClient(writing.uri, { monitorCommands: true })
    client.on('commandStarted', ({ commandName, command }) => {
      sent.push(`${commandName} ${String(command[commandName])}`)
    })
    await client.connect()
  })
  after(async () => {
    await client.close()
    await writing.stop()
  })
  beforeEach(() => sent.splice(0))
  const database = () => client.db(writing.db.databaseName)

  it('finds the matching versions when look-ups in several fields and collections are combined', async () => {
    const keyOf = (collections: readonly string[], among: readonly (string | null)[]) =>
      fc
        .record({
          collection: fc.constantFrom(...collections),
          field: fc.constantFrom('documentId', 'slug'),
          text: fc.constantFrom(...documentIds, 'nobody'),
          locale: fc.constantFrom(undefined, ...among),
        })
        .map(({ locale, ...key }): TextKey => (locale === undefined ? key : { ...key, locale }))
    const key = fc.oneof(keyOf(['plain'], [null]), keyOf(['one', 'other'], locales))
    const isMuch = fc.boolean()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(key, isMuch), { maxLength: 12 }), async (keys) => {
        const unit = oneByOne(database())
        const found = await Promise.all(keys.map(([key, isMuch]) => findByText(unit, key, isMuch)))
        const idsOf = (versions: readonly Document[] = []) =>
          versions.map(({ _id }) => _id as number).toSorted((a, b) => a - b)
        const expected = keys.map(([{ collection, field, text, locale }]) =>
          stored[collection]?.filter(
            (one) => one[field] === text && ((locale ?? null) === null || one.locale === locale),
          ),
        )
        expect(found.map(idsOf)).to.deep.equal(expected.map(idsOf))
      }),
    )
  })

  it('sends one command for long texts and large look-ups, and one for all others', async () => {
    const unit = oneByOne(database())
    const texts = Array.from({ length: 3000 }, (_, n) => `${n}`.padEnd(300, 'x'))
    const keyOf = (text: string, collection = 'one') => ({ collection, field: 'documentId', text })
    await Promise.all([
      ...texts.map((text) => findByText(unit, keyOf(text))),
      ...documentIds.map((text) => findByText(unit, keyOf(text), true)),
      findByText(unit, keyOf('a', 'plain')),
      findByText(unit, keyOf('a', 'other')),
    ])
    expect(sent.toSorted()).to.deep.equal(['aggregate plain', 'find one'])
  })

  it('splits a look-up into several commands if its texts exceed the size of one', async () => {
    const unit = oneByOne(database())
    const texts = Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(900_000, '€'))
    const keys = [...texts, 'a'].map((text) => ({ collection: 'plain', field: 'slug', text }))
    const found = await Promise.all(keys.map((key) => findByText(unit, key, true)))
    expect(found.map(({ length }) => length)).to.deep.equal([...texts.map(() => 0), 2])
    expect(sent).to.have.length(20)
  })

  it('returns the other results if the database rejects the look-up in one collection', async () => {
    const db = database()
    const refuses = (command: Document): boolean =>
      'aggregate' in command || command['find'] === 'one'
    const picky = Object.create(db, {
      command: {
        value: (command: Document, options: object) =>
          refuses(command)
            ? Promise.reject(new MongoServerError({ code: 13, errmsg: 'not authorized' }))
            : db.command(command, options),
      },
    }) as Db
    const unit = oneByOne(picky)
    const outcomes = await Promise.allSettled(
      ['one', 'plain', 'other'].map((collection) =>
        findByText(unit, { collection, field: 'documentId', text: 'a' }),
      ),
    )
    const results = outcomes.map((one) =>
      one.status === 'fulfilled' ? one.value.length : (one.reason as Error).message,
    )
    expect(results).to.deep.equal(['not authorized', 1, 1])
  })
})
