import { expect } from 'chai'
import { assert, asyncProperty, constantFrom, integer, jsonValue, string } from 'fast-check'
import { ApiError, fail } from '../../../../engine/errors.js'
import { parseInPieces } from '../../../../server/http/request/parse-in-pieces.js'
import { runs } from '../../../support/properties.js'

const parse = (text: string, length: number): Promise<unknown> =>
  parseInPieces(text, length, (piece) => {
    try {
      return JSON.parse(piece) as unknown
    } catch {
      throw fail('syntax', 'wrong')
    }
  })

/** JSON without `__proto__`, which the real parser rejects in each piece. */
const roots = jsonValue().filter(
  (value) =>
    typeof value === 'object' && value !== null && !JSON.stringify(value).includes('__proto__'),
)

describe('parseInPieces', () => {
  it('returns the same value as JSON.parse', async () => {
    const cases = asyncProperty(
      roots,
      integer({ min: 1, max: 40 }),
      constantFrom(undefined, 2, '\t'),
      async (value, length, space) => {
        const text = JSON.stringify(value, null, space)
        const made = await parse(text, length)
        expect(JSON.stringify(made)).to.equal(JSON.stringify(JSON.parse(text)))
      },
    )
    await assert(cases, { numRuns: runs(500) })
  })

  it('rejects the same texts as JSON.parse', async () => {
    const cases = asyncProperty(
      roots,
      integer({ min: 1, max: 40 }),
      integer({ min: 0, max: 200 }),
      constantFrom('', ',', '[', ']', '{', '}', ':', '"', '\\', '1', ' '),
      string({ maxLength: 1 }),
      async (value, length, position, token, character) => {
        const text = JSON.stringify(value)
        const at = 1 + (position % Math.max(1, text.length - 1))
        const changed = text.slice(0, at) + token + character + text.slice(at + 1)
        let expected: unknown
        try {
          expected = JSON.parse(changed)
        } catch {
          expected = undefined
        }
        const made = await parse(changed, length).catch((error: unknown) => {
          expect(error).to.be.instanceOf(ApiError)
          return undefined
        })
        expect(JSON.stringify(made)).to.equal(JSON.stringify(expected))
      },
    )
    await assert(cases, { numRuns: runs(2000) })
  })

  it('reports an early end, and the position of an unexpected character', async () => {
    for (const [text, message] of [
      ['[[1,2,3,4,5]', 'Unexpected end of JSON input'],
      ['[1,23,]', "Unexpected token ']' in JSON at position 6"],
      ['[1,2,3] x', 'Unexpected non-whitespace character after JSON at position 8'],
      ['{"a":[1,2,3]x}', "Unexpected token 'x' in JSON at position 12"],
    ] as const) {
      const error = await parse(text, 1).catch((thrown: unknown) => thrown)
      expect(error, text).to.be.instanceOf(ApiError).with.property('message', message)
    }
  })
})
