import { expect } from 'chai'
import { parseFileInfo } from '../../../server/upload/file-info.js'

describe('parseFileInfo', () => {
  it('accepts JSON text once per file, in the order of the files', () => {
    expect(parseFileInfo(['{"name":"a"}', '{"caption":null}'], 2)).to.deep.equal([
      { name: 'a' },
      { caption: null },
    ])
    expect(parseFileInfo('[{"name":"a"},{"name":"b"}]', 2)).to.deep.equal([
      { name: 'a' },
      { name: 'b' },
    ])
  })

  it('accepts an object from a JSON body', () => {
    expect(parseFileInfo({ alternativeText: 'x', focalPoint: { x: 10, y: 90 } }, 1)).to.deep.equal([
      { alternativeText: 'x', focalPoint: { x: 10, y: 90 } },
    ])
  })

  it('is optional', () => {
    expect(parseFileInfo(undefined, 2)).to.deep.equal([{}, {}])
  })

  for (const [what, value, message] of [
    ['text that is not JSON', '{', 'fileInfo must be valid JSON'],
    ['a number', 5, 'fileInfo must be an object'],
    ['a number as name', { name: 5 }, 'name must be a `string` type'],
    ['an empty name', { name: '' }, 'name must be at least 1 characters'],
    [
      'a name longer than 255 characters',
      { name: 'x'.repeat(256) },
      'name must be at most 255 characters',
    ],
    ['an unknown key', { nope: 1 }, 'Invalid key nope'],
    [
      'a focal point outside the picture',
      { focalPoint: { x: 101, y: 1 } },
      'focalPoint.x must be less than',
    ],
    ['more objects than files', ['{}', '{}'], 'fileInfo must be given once per file'],
  ] as const) {
    it(`rejects ${what}`, () => {
      expect(() => parseFileInfo(value, 1)).to.throw(message)
    })
  }
})
