import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import { readPositionKeys } from '../../../../engine/write/body/position-keys.js'

type More = Readonly<{ strict?: boolean; beside?: readonly string[]; told?: string[] }>

/** What is read of it; the message of what refuses it. */
function read(position: unknown, { strict, beside: extraKeys, told }: More = {}): unknown {
  try {
    return readPositionKeys(position, {
      ...{ strict, path: ['makers', '0'] },
      ...(extraKeys && { extraKeys }),
      refuse: (key, known) => new RangeError(`${key}, not ${[...known].join(' ')}`),
      ...(told && { ignored: (path: string) => void told.push(path) }),
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

describe('The position of an item to connect', () => {
  it('is the end where it says nothing', () => {
    for (const position of [undefined, null, 'end']) expect(read(position)).to.equal(undefined)
  })

  it('names one place, where null and false name none', () => {
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

  it('is refused where it names several or none that there is, unless places need not be kept', () => {
    for (const position of [
      ...['start', 5, true, [], { before: 'k1', after: 'k2' }, { start: true, end: true }],
      ...[{ before: 'k1', start: true }, { start: 1 }, { end: 'true' }],
    ]) {
      expect(read(position)).to.deep.equal(refused)
      expect(read(position, { strict: true })).to.deep.equal(refused)
      expect(read(position, { strict: false })).to.equal(undefined)
    }
  })

  it('has other keys only where it is not strict, and they are told of', () => {
    const told: string[] = []
    const position = { start: true, foo: 1, __type: 'x' }
    expect(read(position, { told })).to.equal(position)
    expect(told).to.deep.equal(['data.makers.0.position.foo', 'data.makers.0.position.__type'])
    expect(read(position)).to.equal(position)
    expect(read(position, { strict: true })).to.equal('foo, not before after start end')
    expect(read({ ...position, foo: 1 }, { strict: false })).to.deep.equal(position)
    const beside = ['__type', 'foo']
    expect(read(position, { strict: true, beside })).to.equal(position)
    expect(read(position, { beside, told: [] })).to.equal(position)
  })
})
