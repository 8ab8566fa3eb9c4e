import { expect } from 'chai'
import {
  array,
  assert,
  constantFrom,
  integer,
  jsonValue,
  oneof,
  property,
  string,
} from 'fast-check'
import { ApiError } from '../../../engine/errors.js'
import { chunksOf } from '../../../engine/values/batches.js'
import { checkJsonBounds, JsonScanner } from '../../../engine/values/scan-json.js'

/** Counts a parsed value like the scanner: containers, keys, and all values of each container except its first. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  const keys = Array.isArray(value) ? 0 : members.length
  const own = 1 + Math.max(0, members.length - 1) + keys
  return members.reduce((sum: number, member: unknown) => sum + countOf(member), own)
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

function refusal(scan: () => void): Pick<ApiError, 'code' | 'message' | 'details'> | undefined {
  try {
    scan()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, details } = error
    return { code, message, details }
  }
}

describe('limits of a JSON text', () => {
  const marks = string({ unit: constantFrom('"', '\\', ',', ':', '[', ']', '{', '}', 'é') })

  it('count the same values however the text is split into chunks', () => {
    const values = oneof(jsonValue(), array(marks))
    assert(
      property(values, array(integer({ min: 1, max: 9 })), (value, sizes) => {
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

  it('allow the maximum depth, and report the byte of a deeper level', () => {
    const tooDeep = (levels: number, at: number) => ({
      code: 'validation',
      message: `The JSON is nested deeper than ${levels} levels at byte ${at}`,
      details: { path: null, source: 'body' },
    })
    for (const [text, levels, expected] of [
      [nested(100), undefined, undefined],
      [` ${nested(101)}`, undefined, tooDeep(100, 101)],
      [nested(200), 200, undefined],
      [nested(201), 200, tooDeep(200, 200)],
      ['[{"a":{}}]', 3, undefined],
      ['[{"a":{}}]', 2, tooDeep(2, 6)],
      [`[${'[],{},'.repeat(200)}0]`, 2, undefined],
      [`["${'['.repeat(200)}\\"["]`, undefined, undefined],
    ] as const)
      expect(
        refusal(() => checkJsonBounds(text, levels)),
        text,
      ).to.deep.equal(expected)
    const scanner = new JsonScanner({ maxDepth: 2 })
    scanner.push(Buffer.from('[['))
    expect(
      refusal(() => scanner.push(Buffer.from(' ['))),
      'a later chunk',
    ).to.deep.equal(tooDeep(2, 3))
  })

  it('allow two million values and keys', () => {
    const zeros = (count: number): string => `[0${',0'.repeat(count - 1)}]`
    expect(refusal(() => checkJsonBounds(zeros(2_000_000)))).to.equal(undefined)
    expect(refusal(() => checkJsonBounds(zeros(2_000_001)))).to.deep.equal({
      code: 'limit-exceeded',
      message: 'The number of values and keys in the JSON exceeds the limit of 2000000 (values)',
      details: undefined,
    })
  })

  it('reject a list item that is too large, even before its end has arrived', () => {
    const tooLarge = {
      code: 'payload-too-large',
      message: 'request entity too large (http.bodyLimit)',
      details: undefined,
    }
    const scan = (text: string, chunkSize: number) =>
      refusal(() => {
        const scanner = new JsonScanner({ itemLimit: { bytes: 20, bound: 'http.bodyLimit' } })
        const bytes = Buffer.from(text)
        for (const chunk of chunksOf([...bytes], chunkSize)) scanner.push(Buffer.from(chunk))
      })
    const largest = `{"a":"${'x'.repeat(12)}"}`
    const larger = `{"a":"${'x'.repeat(13)}"}`
    const long = `"${'x'.repeat(40)}"`
    for (const [text, expected] of [
      [`{"operations":[${largest},${largest}]}`, undefined],
      [`{"operations":[${larger}]}`, tooLarge],
      [`{"operations":[${largest}, ${larger}]}`, tooLarge],
      ['{"operations":[{"a":[[],[],[],[],[]]}]}', tooLarge],
      [`{"operations":[[${long}]]}`, tooLarge],
      [`{"operations":[${long}],"more":${long}}`, undefined],
      [`{"operations":[{}, ${long}],"more":${long}}`, undefined],
      [`{"operations":[${largest.slice(0, -1)} `, undefined],
      [`{"operations":[${larger.slice(0, -1)} `, tooLarge],
    ] as const)
      for (const size of [text.length, 1, 7])
        expect(scan(text, size), `${text} by ${size} bytes`).to.deep.equal(expected)
  })
})
