import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import * as fc from 'fast-check'
import { ApiError } from '../../../engine/errors.js'
import { NumberText } from '../../../engine/values/number-text.js'
import { fromCell, toCell } from '../../../server/tables/cells.js'

const awkward = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', 'a', ''),
  }),
)
const kinds = {
  text: fc.option(awkward),
  boolean: fc.option(fc.boolean()),
  number: fc.option(
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
  ),
  'integer-text': fc.option(fc.bigInt().map(String)),
  // Bodies must not contain `__proto__`.
  json: fc.option(
    fc.oneof(
      fc.array(awkward),
      fc.jsonValue().filter((value) => !/^null$|"__proto__":/.test(JSON.stringify(value))),
    ),
  ),
} as const

describe('table cells', () => {
  for (const [kind, values] of Object.entries(kinds))
    it(`keep ${kind} values through CSV with any delimiter`, () => {
      const of = kind as keyof typeof kinds
      fc.assert(
        fc.property(
          fc.array(values as fc.Arbitrary<unknown>, { minLength: 2 }),
          fc.constantFrom(',', ';', '\t', '|'),
          (row, delimiter) => {
            const csv = stringify([row.map((value) => toCell(value, of))], { delimiter })
            const [cells = []] = parse(csv, { delimiter })
            // `row` is converted to JSON and back, because JSON does not distinguish -0 from 0.
            expect(cells.map((cell) => fromCell(cell, of))).to.deep.equal(
              JSON.parse(JSON.stringify(row)),
            )
          },
        ),
      )
    })

  it('are rejected if their JSON is nested too deep', () => {
    expect(() => fromCell('['.repeat(1_000_000), 'json')).to.throw(
      ApiError,
      'The JSON is nested deeper than 100 levels at byte 100',
    )
    expect(fromCell('[not JSON', 'json')).to.equal('[not JSON')
  })

  it('never start with a spreadsheet formula if they are text', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        expect(toCell(text, 'text')).to.not.match(/^[=+\-@\t\r\n]/)
      }),
    )
    expect(toCell('=HYPERLINK("x")', 'text')).to.equal(`'=HYPERLINK("x")`)
    expect(toCell(-5, 'number')).to.equal('-5')
  })

  it('keep the digits of a decimal that a double would lose', () => {
    const exact = '12345678901234567890.123456789'
    expect(fromCell(exact, 'number')).to.deep.equal(new NumberText(exact))
    expect(toCell(new NumberText(exact), 'number')).to.equal(exact)
    expect(fromCell(`{"price":${exact}}`, 'json')).to.deep.equal({ price: new NumberText(exact) })
    expect(toCell({ price: new NumberText(exact) }, 'json')).to.equal(`{"price":"${exact}"}`)
  })

  it('stay text if they are not a value of their kind, so that the API validates them', () => {
    expect(fromCell('many', 'number')).to.equal('many')
    expect(fromCell('{', 'json')).to.equal('{')
    expect(fromCell('TRUE', 'boolean')).to.equal(true)
    expect(fromCell('maybe', 'boolean')).to.equal('maybe')
  })
})
