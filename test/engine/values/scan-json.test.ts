import { expect } from 'chai'
import { array, assert, integer, jsonValue, property } from 'fast-check'
import { ApiError } from '../../../engine/errors.js'
import { checkJsonBounds, JsonScanner } from '../../../engine/values/scan-json.js'

/** Counts as a scanner does: containers, keys, and the values after the first of each container. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  const keys = Array.isArray(value) ? 0 : members.length
  const own = 1 + Math.max(0, members.length - 1) + keys
  return members.reduce((sum: number, member: unknown) => sum + countOf(member), own)
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('The bounds of a JSON text', () => {
  it('count the same values however the text is cut into chunks', () => {
    assert(
      property(jsonValue(), array(integer({ min: 1, max: 9 })), (value, sizes) => {
        const bytes = Buffer.from(JSON.stringify(value))
        const scanner = new JsonScanner()
        let at = 0
        for (const size of sizes) {
          scanner.push(bytes.subarray(at, at + size))
          at = Math.min(bytes.length, at + size)
        }
        scanner.push(bytes.subarray(at))
        expect(scanner.values).to.equal(countOf(value))
      }),
    )
  })

  it('allow 100 levels, and name the byte of one more', () => {
    checkJsonBounds(nested(100))
    checkJsonBounds(`["${'['.repeat(200)}\\"["]`)
    expect(() => checkJsonBounds(` ${nested(101)}`)).to.throw(
      ApiError,
      'The JSON is nested deeper than 100 levels at byte 101',
    )
  })

  it('allow two million values and keys', () => {
    const zeros = (count: number): string => `[0${',0'.repeat(count - 1)}]`
    checkJsonBounds(zeros(2_000_000))
    expect(() => checkJsonBounds(zeros(2_000_001))).to.throw(
      ApiError,
      'The number of values and keys in the JSON exceeds the limit of 2000000 (values)',
    )
  })

  it('refuse an item of a list that is too large, also before its end has arrived', () => {
    const itemLimit = { bytes: 20, bound: 'http.bodyLimit' }
    const scan = (...chunks: readonly string[]): void => {
      const scanner = new JsonScanner({ itemLimit })
      for (const chunk of chunks) scanner.push(Buffer.from(chunk))
    }
    const item = JSON.stringify({ data: '12345678' })
    expect(item.length).to.be.at.most(20)
    scan(`{"operations":[${item},${item}]}`)
    const tooLarge = 'request entity too large (http.bodyLimit)'
    for (const chunks of [
      ['{"operations":[{"data":"123456789012"}]}'],
      ['{"a":[{"b":', '"123456789012345'],
    ])
      expect(() => scan(...chunks), chunks.join()).to.throw(ApiError, tooLarge)
  })
})
