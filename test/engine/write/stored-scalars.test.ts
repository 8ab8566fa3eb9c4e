import { expect } from 'chai'
import { Decimal128, Long } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import type { ScalarAttribute } from '../../../engine/schema/attribute.js'
import { storeScalar, viewScalar } from '../../../engine/write/change/store-scalar.js'
import { StoredSecret } from '../../../engine/write/body/passwords.js'
import { attributeOf, contentType, define } from '../schema/define.js'

const kinds = [
  ...['string', 'integer', 'float', 'biginteger', 'decimal', 'date', 'time', 'datetime'],
  ...['timestamp', 'json', 'blocks', 'password', 'boolean'],
] as const
const registry = define(
  contentType(Object.fromEntries(kinds.map((type) => [`a_${type}`, { type }]))),
)
const of = (type: (typeof kinds)[number]) => attributeOf(registry, `a_${type}`) as ScalarAttribute

const hashes = new Map([
  ['secret', 'hash of secret'],
  ['other', 'hash of other'],
])
const stored = (type: (typeof kinds)[number], value: unknown) =>
  storeScalar(of(type), value, { hashes })
const viewed = (type: (typeof kinds)[number], value: unknown) => viewScalar(of(type), value, hashes)

function refusal(type: (typeof kinds)[number], value: unknown, path?: readonly string[]) {
  try {
    storeScalar(of(type), value, { hashes }, path)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error
  }
}

describe('storeScalar', () => {
  it('returns null for null and undefined, whatever the type', () => {
    for (const type of kinds) {
      expect(stored(type, null), type).to.equal(null)
      expect(stored(type, undefined), type).to.equal(null)
    }
  })

  it('returns strings, booleans and plain numbers unchanged', () => {
    for (const [type, value] of [
      ...([
        ['string', 'a'],
        ['integer', 7],
        ['boolean', false],
        ['float', 0.5],
      ] as const),
    ])
      expect(stored(type, value)).to.equal(value)
  })

  it('keeps all digits of large numbers, and returns datetimes as dates', () => {
    expect(stored('biginteger', '9007199254740993')).to.deep.equal(
      Long.fromString('9007199254740993'),
    )
    expect(String(stored('decimal', '0.10'))).to.equal('0.1')
    expect(stored('datetime', '2024-01-15T10:00:00Z')).to.deep.equal(new Date(1_705_312_800_000))
    expect(stored('timestamp', '2024-01-15T10:00:00Z')).to.deep.equal(new Date(1_705_312_800_000))
    expect(stored('date', '2024-01-15')).to.equal('2024-01-15')
    expect(stored('time', '10:00:00')).to.equal('10:00:00.000')
  })

  it('rejects a value in the wrong format and reports its path', () => {
    const error = refusal('date', 'yesterday', ['seo', 'at'])
    expect(error?.status).to.equal(400)
    const [detail] = (error?.details as { errors: object[] }).errors
    expect(detail).to.deep.include({ path: ['seo', 'at'], value: 'yesterday' })
    expect((detail as { message: string }).message).to.equal(error?.message)
    for (const type of ['biginteger', 'decimal', 'time', 'datetime'] as const)
      expect(refusal(type, 'x')?.details, type).to.have.nested.property(
        'errors[0].path.0',
        `a_${type}`,
      )
  })

  it('parses JSON strings, keeps strings that are not JSON, and rejects deep nesting', () => {
    expect(stored('json', '{"a":[1]}')).to.deep.equal({ a: [1] })
    expect(stored('json', '7')).to.equal(7)
    expect(stored('json', 'plain')).to.equal('plain')
    expect(stored('json', '')).to.equal('')
    expect(stored('json', { a: 1 })).to.deep.equal({ a: 1 })
    const deep = `${'['.repeat(101)}${']'.repeat(101)}`
    expect(refusal('json', deep)?.status).to.equal(400)
  })

  it('replaces a password with its hash, and keeps a hash that was already stored', () => {
    expect(stored('password', 'secret')).to.equal('hash of secret')
    expect(stored('password', new StoredSecret('hash that is there'))).to.equal(
      'hash that is there',
    )
  })
})

describe('viewScalar', () => {
  it('converts stored numbers to the form of responses', () => {
    expect(viewed('biginteger', Long.fromString('9007199254740993'))).to.equal('9007199254740993')
    expect(viewed('biginteger', 7)).to.equal('7')
    expect(viewed('integer', 7)).to.equal(7)
    expect(viewed('decimal', Decimal128.fromString('1.50'))).to.equal(1.5)
    expect(viewed('decimal', Decimal128.fromString('1E+3'))).to.equal(1000)
    expect(viewed('string', 'a')).to.equal('a')
    for (const type of kinds) expect(viewed(type, undefined), type).to.equal(null)
  })

  it('returns the sent password for a known hash, and an opaque secret for another', () => {
    expect(viewed('password', 'hash of other')).to.equal('other')
    expect(viewed('password', 'hash of secret')).to.equal('secret')
    const unknown = viewed('password', 'hash that is there')
    expect(unknown).to.be.instanceOf(StoredSecret)
    expect(unknown).to.have.property('hash', 'hash that is there')
    expect(viewed('password', null)).to.equal(null)
    expect(viewed('string', 'hash of other')).to.equal('hash of other')
  })
})

describe('storeScalar for blocks', () => {
  const signature = 'abcdefghijklmnopqrstuvwxyz-_0123'
  const signed = (name: string) => `/uploads/${name}?expires=1700000000&signature=${signature}`

  it('removes link signatures from image URLs and their formats', () => {
    const image = (of: (name: string) => string) => ({
      ...{ url: of('a.png'), name: 'a', width: 9 },
      formats: { small: { url: of('s.png'), width: 1 }, none: null },
    })
    const text = { type: 'paragraph', children: [{ url: signed('x') }], url: signed('x') }
    expect(
      stored('blocks', [{ type: 'image', image: image(signed) }, text, null, 'x']),
    ).to.deep.equal([
      { type: 'image', image: image((name) => `/uploads/${name}`) },
      ...[text, null, 'x'],
    ])
    const bare = [{ image: { name: 'a' } }, { image: null }, { image: signed('x') }]
    expect(stored('blocks', bare)).to.deep.equal(bare)
    const [listed, plain] = [signed, (name: string) => `/uploads/${name}`].map((of) => [
      { image: { formats: [{ url: of('s.png') }, null] } },
    ])
    expect(stored('blocks', listed)).to.deep.equal(plain)
    const odd = [{ image: { url: 7, formats: 'x' } }]
    expect(stored('blocks', odd)).to.deep.equal(odd)
  })

  it('keeps URLs without a complete signature unchanged', () => {
    const of = (url: string) => stored('blocks', [{ image: { url } }])
    for (const url of [
      ...['/uploads/a.png', '/uploads/a.png?expires=1', `/a?signature=${signature}`],
      ...[`${signed('a')}x`, `${signed('a')}&x=1`, `/a?expires=x&signature=${signature}`],
      ...[`/a?expires=123456789012&signature=${signature}`, signed('a').slice(0, -1)],
      `/a?expires=1&signature=${signature.slice(1)}.`,
    ]) {
      expect(of(url), url).to.deep.equal([{ image: { url } }])
    }
    expect(of(`/a?expires=7&signature=${signature}`)).to.deep.equal([{ image: { url: '/a' } }])
    expect(stored('blocks', 'text')).to.equal('text')
  })
})
