import { expect } from 'chai'
import { createDocument, updateDocument } from '../../../engine/write.js'
import { contentType } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, plain, published, refusal, startWriting } from './start-writing.js'

const attributes = {
  name: { type: 'string', required: true, minLength: 2, maxLength: 5 },
  color: { type: 'string', regex: '^#[0-9a-f]{6}$' },
  mail: { type: 'email' },
  slug: { type: 'uid' },
  code: { type: 'string', unique: true },
  count: { type: 'integer', min: 0, max: 9, default: 3 },
  big: { type: 'biginteger', max: '9' },
  price: { type: 'decimal', min: 1 },
  kind: { type: 'enumeration', enum: ['a', 'b'], default: 'a' },
  flag: { type: 'boolean', default: true },
  hidden: { type: 'string', private: true },
}

describe('draft', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting([contentType('item', attributes, { drafts: true })])
  })
  after(() => writing.stop())
  beforeEach(() => writing.clear())

  const create = (data: unknown, scope = draft) =>
    createDocument(writing.context, writing.type('item'), scope, data)
  const stored = async () => plain((await writing.stored('items.draft'))[0])
  const messages = async (write: Promise<unknown>) => {
    const { message, details } = await refusal(write)
    const { errors } = (details ?? {}) as { errors?: { message: string }[] }
    return errors?.map((error) => error.message) ?? [message as string]
  }

  it('skips publishing rules, which publishing then reports all at once', async () => {
    await create({ name: 'ok', code: 'taken' }, published)
    await writing.db.collection('items.draft').deleteMany({})
    const data = { name: 'x', color: 'red', mail: 'x', slug: 'a b', code: 'taken' }
    const numbers = { count: -1, big: 10, price: 0.5 }
    const { documentId } = await create({ ...data, ...numbers })
    expect(await stored()).to.deep.include(data)
    const publish = updateDocument(writing.context, writing.type('item'), documentId, published, {})
    expect(await messages(publish)).to.deep.equal([
      'name must be at least 2 characters',
      'color must match the following: "/^#[0-9a-f]{6}$/"',
      'mail must be a valid email',
      'slug must match the following: "/^[A-Za-z0-9-_.~]*$/"',
      'This attribute must be unique',
      'count must be greater than or equal to 0',
      'big must be less than or equal to 9',
      'price must be greater than or equal to 1',
    ])
    expect((await writing.stored('items')).length).to.equal(1)
  })

  it('rejects wrong types, unknown enumeration values and strings that are too long', async () => {
    const wrong = {
      name: 'longer',
      color: 5,
      count: 1.5,
      big: 'x',
      price: '',
      kind: 'c',
      flag: 't',
    }
    const expected = [
      'name must be at most 5 characters',
      'color must be a `string` type, but the final value was: `5`.',
      'count must be an integer',
      'big must be a valid integer',
      'price must be a `number` type, but the final value was: `NaN` (cast from the value `""`).',
      'kind must be one of the following values: a, b, ',
      'flag must be a `boolean` type, but the final value was: `"t"`.',
    ]
    for (const scope of [draft, published])
      expect(await messages(create(wrong, scope))).to.deep.equal(expected)
    expect(await messages(create({ kind: '', nope: 1 }))).to.deep.equal([
      'Invalid key nope',
      expected[5],
    ])
    expect(await messages(create({ kind: '' }))).to.deep.equal([expected[5]])
    expect(await writing.stored('items.draft')).to.deep.equal([])
  })

  it('sets defaults for attributes that a create omits, but keeps null', async () => {
    const { documentId } = await create({ hidden: 'h' })
    expect(await stored()).to.include({ count: 3, kind: 'a', flag: true, name: null, hidden: 'h' })
    const update = (data: unknown) =>
      updateDocument(writing.context, writing.type('item'), documentId, draft, data)
    await update({ count: null, kind: null, flag: null })
    expect(await stored()).to.include({ count: null, kind: null, flag: null, hidden: 'h' })
    await update({ name: 'ok' })
    expect(await stored()).to.include({ count: null, kind: null, flag: null, name: 'ok' })
    await writing.clear()
    await create({ count: null, flag: 'false', kind: 'b' })
    expect(await stored()).to.include({ count: null, flag: false, kind: 'b' })
  })
})
