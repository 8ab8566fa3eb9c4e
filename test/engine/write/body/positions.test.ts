import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import { readPositionKeys } from '../../../../engine/write/body/edge-keys.js'

type More = Readonly<{ strict?: boolean; extraKeys?: readonly string[]; reported?: string[] }>

function read(position: unknown, { strict, extraKeys, reported }: More = {}): unknown {
  try {
    return readPositionKeys(position, {
      ...{ strict, path: ['makers', '0'] },
      ...(extraKeys && { extraKeys }),
      refuse: (key, known) => new RangeError(`${key}, not ${[...known].join(' ')}`),
      ...(reported && { ignored: (path: string) => void reported.push(path) }),
    })
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.message, error.details]
    if (error instanceof RangeError) return error.message
    throw error
  }
}

const message =
  'The position of makers.0 must be an object with one of before, after, start and end'
const refused = [400, message, { path: 'makers.0', source: 'body' }]

describe('readPositionKeys', () => {
  it('returns undefined if the position is missing or "end"', () => {
    for (const position of [undefined, null, 'end']) expect(read(position)).to.equal(undefined)
  })

  it('accepts one place, ignoring keys with null or false', () => {
    const none = { start: false, end: null, after: undefined }
    for (const position of [
      ...[{ before: 'k1' }, { after: 7 }, { start: true }, { end: true }, {}, none],
      ...[
        { before: { id: 1 }, ...none },
        { start: true, end: false, before: null },
      ],
    ])
      expect(read(position)).to.equal(position)
  })

  it('rejects several or invalid places, or returns undefined if strict is false', () => {
    for (const position of [
      ...['start', 5, true, [], { before: 'k1', after: 'k2' }, { start: true, end: true }],
      ...[{ before: 'k1', start: true }, { start: 1 }, { end: 'true' }],
    ]) {
      expect(read(position)).to.deep.equal(refused)
      expect(read(position, { strict: true })).to.deep.equal(refused)
      expect(read(position, { strict: false })).to.equal(undefined)
    }
  })

  it('rejects unknown keys if strict, and otherwise reports them as ignored', () => {
    const reported: string[] = []
    const position = { start: true, foo: 1, __type: 'x' }
    expect(read(position, { reported })).to.equal(position)
    expect(reported).to.deep.equal(['data.makers.0.position.foo', 'data.makers.0.position.__type'])
    expect(read(position)).to.equal(position)
    expect(read(position, { strict: true })).to.equal('foo, not before after start end')
    expect(read({ ...position, foo: 1 }, { strict: false })).to.deep.equal(position)
    const extraKeys = ['__type', 'foo']
    expect(read(position, { strict: true, extraKeys })).to.equal(position)
    expect(read(position, { extraKeys, reported: [] })).to.equal(position)
  })
})
