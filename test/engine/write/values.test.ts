import { verify } from '@node-rs/argon2'
import { expect } from 'chai'
import { Decimal128, Long } from 'mongodb'
import { createDocument, updateDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { plain, published, refusal, startWriting } from './start-writing.js'

describe('attribute values', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())
  beforeEach(() => writing.clear())

  const create = (data: unknown, type = 'record') =>
    createDocument(writing.context, writing.type(type), published, data)
  const messages = async (data: unknown) => {
    const error = await refusal(create(data))
    const { errors } = (error['details'] ?? { errors: [] }) as { errors: { message: string }[] }
    return errors.length > 0 ? errors.map(({ message }) => message) : [error['message'] as string]
  }

  it('are stored in an exact form that sorts correctly', async () => {
    await create({
      text: '',
      count: '1.0',
      big: '-9223372036854775808',
      ratio: 1e300,
      price: '12.50',
      flag: 'true',
      day: '2024-01-15T10:00:00Z',
      time: '10:30:00.1',
      at: '2024-01-02T03:04:05',
      meta: '{"a":1}',
      list: [1, 'x'],
      blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'hi', bold: true }] }],
      mail: 'A@B.CO',
      slug: 'UPPER_x-1.~',
      color: '#00ff00',
    })
    expect(plain((await writing.stored('records'))[0])).to.deep.equal({
      locale: null,
      text: '',
      count: 1,
      big: Long.MIN_VALUE,
      ratio: 1e300,
      price: Decimal128.fromString('12.5'),
      flag: true,
      day: '2024-01-15',
      time: '10:30:00.100',
      at: new Date('2024-01-02T03:04:05Z'),
      meta: { a: 1 },
      list: [1, 'x'],
      blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'hi', bold: true }] }],
      mail: 'A@B.CO',
      pin: null,
      slug: 'UPPER_x-1.~',
      color: '#00ff00',
    })
  })

  it('keep their exact number when another attribute is updated', async () => {
    const { documentId } = await create({ big: '12', price: 0.1 })
    await updateDocument(writing.context, writing.type('record'), documentId, published, {
      text: 'x',
    })
    const [version] = await writing.stored('records')
    expect(version).to.deep.include({
      big: Long.fromNumber(12),
      price: Decimal128.fromString('0.1'),
    })
  })

  it('are rejected with the messages of yup if they are wrong', async () => {
    expect(
      await messages({ text: 5, count: 1.5, big: '99999999999999999999', flag: 'yes' }),
    ).to.deep.equal([
      'text must be a `string` type, but the final value was: `5`.',
      'count must be an integer',
      'big must be a valid integer',
      'flag must be a `boolean` type, but the final value was: `"yes"`.',
    ])
    expect(await messages({ count: [1], ratio: '', mail: '' })).to.deep.equal([
      'count must be a `number` type, but the final value was: `[\n  "1"\n]`.',
      'ratio must be a `number` type, but the final value was: `NaN` (cast from the value `""`).',
      'mail cannot be empty',
    ])
    expect(await messages({ color: 'red', slug: 'a b' })).to.deep.equal([
      'slug must match the following: "/^[A-Za-z0-9-_.~]*$/"',
      'color must match the following: "/^#[0-9a-f]{6}$/"',
    ])
    await create({ color: '', slug: '', text: '' })
    expect(await messages({ blocks: [{ type: 'nope', children: [] }] })).to.deep.equal([
      'Block node is of invalid type',
    ])
  })

  it('are rejected if they are unsafe to store', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 101; level += 1) deep = [deep]
    for (const data of [
      { meta: deep },
      { meta: JSON.stringify(deep) },
      { meta: { 'a\0b': 1 } },
      { text: 'a\0b' },
      { text: '\ud800' },
      JSON.parse('{"meta":{"__proto__":{"x":1}}}'),
      JSON.parse('{"__proto__":1}'),
      { meta: [{ _bsontype: 'Long' }] },
      { meta: '{"_bsontype":"Long"}' },
      { meta: '{"a":[1e999]}' },
      { constructor: 1 },
      { at: 1e300 },
      { count: '1e999' },
    ] as unknown[])
      expect(await refusal(create(data)), JSON.stringify(data).slice(0, 60)).to.include({
        status: 400,
      })
    expect(await writing.stored('records')).to.deep.equal([])
  })

  it('are stored as argon2id hashes if they are passwords, after validating the plain text', async () => {
    const short = await refusal(create({ name: 'Ada', secret: 'short' }, 'author'))
    expect(short['message']).to.equal('secret must be at least 6 characters')
    const { documentId } = await create({ name: 'Ada', secret: 'long enough' }, 'author')
    const [author] = await writing.stored('authors')
    const hash = author?.['secret'] as string
    expect(hash).to.match(/^\$argon2id\$/)
    expect(await verify(hash, 'long enough')).to.equal(true)
    await updateDocument(writing.context, writing.type('author'), documentId, published, {
      name: 'B',
    })
    expect((await writing.stored('authors'))[0]?.['secret']).to.equal(hash)
  })

  it('are reported together with other errors if they must be unique but are not', async () => {
    await create({ name: 'Ada', email: 'ada@example.com' }, 'author')
    const error = await refusal(create({ email: 'ada@example.com' }, 'author'))
    expect(error).to.deep.equal({
      status: 400,
      name: 'ValidationError',
      message: '2 errors occurred',
      details: {
        errors: [
          {
            path: ['name'],
            message: 'name must be defined.',
            name: 'ValidationError',
            expected: 'a value',
            suggestion: 'Send a value: it is required',
          },
          {
            path: ['email'],
            message: 'This attribute must be unique',
            name: 'ValidationError',
            value: 'ada@example.com',
          },
        ],
      },
    })
  })

  it('are rejected for unknown and read-only keys, except a locale for a type without locales', async () => {
    expect(await refusal(create({ id: 1 }))).to.deep.include({
      message: 'Invalid key id',
      details: { key: 'id', source: 'body' },
    })
    expect(await refusal(create({ createdAt: 'x' }))).to.deep.include({
      details: { key: 'createdAt', path: 'createdAt', source: 'body' },
    })
    expect(await refusal(create({ localizations: [{}] }, 'article'))).to.deep.include({
      details: { key: 'localizations', path: 'localizations', source: 'body' },
    })
    expect(await refusal(create({ localizations: [] }))).to.deep.include({
      details: { key: 'localizations', path: null, source: 'body' },
    })
    expect(await refusal(create({ nope: 1 }))).to.deep.include({
      details: { key: 'nope', path: null, source: 'body' },
    })
    expect(await refusal(create({ publishedAt: null }))).to.deep.include({
      details: { key: 'publishedAt', path: null, source: 'body', parameter: 'status' },
    })
    await create({ text: 'x', locale: 'fr' })
    expect((await writing.stored('records'))[0]).to.include({ locale: null })
  })
})
