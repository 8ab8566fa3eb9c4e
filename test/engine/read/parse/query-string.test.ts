import { expect } from 'chai'
import fc from 'fast-check'
import qs from 'qs'
import { ApiError } from '../../../../engine/errors.js'
import { parseQueryString } from '../../../../engine/read/parse/query-string.js'
import { runs } from '../../../support/properties.js'

const level = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('[a]', '[b]', '[0]', '[1]', '[2]', '[]') },
  fc.constantFrom('[7]', '[8]', '[01]', '[-1]', '[[a]]', '[[]', '[a', ']', 'x', '[.]', '[ ]'),
)
const key = fc
  .tuple(fc.constantFrom('a', 'b', ''), fc.array(level, { maxLength: 4 }))
  .map(([head, levels]) => head + levels.join(''))
const value = fc.constantFrom('=1', '=2', '=', '', '=x%20y', '=a+b', '=%C3%A9', '=a]=b', '=b=c')
const search = fc
  .array(fc.tuple(key, value), { maxLength: 9 })
  .map((pairs) => pairs.map(([name, text]) => name + text).join('&'))

const limit = 8

function byQs(text: string): unknown {
  try {
    return qs.parse(text, {
      ...{ depth: 20, strictDepth: true, arrayLimit: limit, throwOnLimitExceeded: true },
      ...{ strictNullHandling: true, plainObjects: true },
    })
  } catch (error) {
    if (error instanceof RangeError) return 'refused'
    throw error
  }
}

function byQuire(text: string): unknown {
  try {
    return parseQueryString(text, limit)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'limit-exceeded') return 'refused'
    throw error
  }
}

describe('parseQueryString', () => {
  it('returns the same as qs for random query strings', () => {
    fc.assert(
      fc.property(search, (text) => {
        expect(JSON.stringify(byQuire(text))).to.equal(JSON.stringify(byQs(text)))
      }),
      { numRuns: runs(3000) },
    )
  })

  it('rejects percent-encoding that is not valid UTF-8', () => {
    for (const text of ['a=%', 'a=%zz', '%E0%A4%A=1', 'a=%ED%A0%80', 'a=%ff']) {
      expect(() => parseQueryString(text, limit))
        .to.throw(ApiError, 'Invalid percent-encoding in the query string')
        .that.includes({ status: 400 })
    }
  })
})
