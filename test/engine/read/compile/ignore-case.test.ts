import { expect } from 'chai'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { compileMatch } from '../../../../engine/read/compile/compile-match.js'
import type { ResolvedCondition } from '../../../../engine/read/plan/bound-query.js'
import { evaluate } from '../../../../engine/read/answer/evaluate.js'
import { testDatabaseUri } from '../../../support/database.js'

const condition = (how: 'equals' | 'contains', text: string): ResolvedCondition => ({
  ...{ kind: 'test', path: 't' },
  test: { op: 'match', how, insensitive: true, negated: false, texts: [text] },
})

const agrees = (letter: string, other: string, wanted: boolean): boolean =>
  evaluate(condition('equals', letter), { t: other }) === wanted

const letters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => /\p{Cased}|\p{Changes_When_Casemapped}/u.test(letter))

describe('case-insensitive filters', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = await new MongoClient(await testDatabaseUri()).connect()
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  it('match the same in the database and in components, for every letter of Unicode', async () => {
    const all = letters.join('')
    const documents = letters.map((letter, _id) => {
      const match = compileMatch(condition('contains', letter)) as {
        t: { $regex: string; $options: string }
      }
      return { _id, regex: match.t.$regex, options: match.t.$options }
    })
    await db.collection<{ _id: number }>('letters').insertMany(documents)
    const input = { input: all, regex: '$regex', options: '$options' }
    const found = await db
      .collection('letters')
      .aggregate<{ found: string[] }>([
        { $sort: { _id: 1 } },
        { $project: { found: { $map: { input: { $regexFindAll: input }, in: '$$this.match' } } } },
      ])
      .toArray()
    const byLetter = new Map(letters.map((letter, index) => [letter, found[index]?.found ?? []]))
    for (const [letter, cases] of byLetter) {
      const text = cases.join('')
      for (const other of cases) {
        // Letters that differ only in case must match each other in both directions, also in components.
        if (byLetter.get(other)?.join('') !== text) expect.fail(`${letter} and ${other}`)
        if (!agrees(letter, other, true)) expect.fail(`${letter} is not ${other} in components`)
      }
      expect(text).to.include(letter)
      for (const other of [letter.toLowerCase(), letter.toUpperCase(), 'x']) {
        if (!agrees(letter, other, cases.includes(other))) expect.fail(`${letter} is ${other}`)
      }
    }
  })

  it('ignore the case of letters and nothing else', async () => {
    const texts = [
      'ÉCLAIR (1)',
      'éclair (1)',
      'Éclair .1.',
      'STRASSE',
      'Straße',
      'STRAẞE',
      'ΣΊΣΥΦΟΣ',
    ]
    await db.collection<{ _id: number }>('texts').insertMany(texts.map((t, _id) => ({ _id, t })))
    for (const [how, text, expected] of [
      ['equals', 'éclair (1)', ['ÉCLAIR (1)', 'éclair (1)']],
      ['contains', 'É', ['ÉCLAIR (1)', 'éclair (1)', 'Éclair .1.']],
      ['equals', 'straße', ['Straße', 'STRAẞE']],
      ['equals', 'σίσυφος', ['ΣΊΣΥΦΟΣ']],
      ['equals', 'éclair .1.', ['Éclair .1.']],
    ] as const) {
      const found = await db
        .collection<{ t: string }>('texts')
        .find(compileMatch(condition(how, text)))
        .toArray()
      expect(found.map(({ t }) => t)).to.deep.equal(expected)
      const matching = texts.filter((t) => evaluate(condition(how, text), { t }))
      expect(matching).to.deep.equal(expected)
    }
  })

  it('match texts that are longer than a pattern may be', async () => {
    const text = 'θ'.repeat(4000)
    await db.collection('long').insertOne({ t: text.toUpperCase() })
    expect(
      await db.collection('long').countDocuments(compileMatch(condition('equals', text))),
    ).to.equal(1)
  })
})
