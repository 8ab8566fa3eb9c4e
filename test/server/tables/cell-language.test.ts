import { expect } from 'chai'
import { cellLanguage } from '../../../server/tables/cell-language.js'
import { fromCell } from '../../../server/tables/cells.js'
import type { CellKind } from '../../../server/tables/columns.js'

const read = (locale: string, kind: CellKind, cell: string): unknown =>
  fromCell(cell, kind, cellLanguage(locale))

describe('cells of a spreadsheet in a language', () => {
  it('are read as numbers with its decimal comma and digit groups', () => {
    expect(read('de', 'number', '4,50')).to.equal(4.5)
    expect(read('de', 'number', '-1.234.567,5')).to.equal(-1_234_567.5)
    expect(read('fr', 'number', '1 234,5')).to.equal(1234.5)
    expect(read('de-CH', 'number', '1’234.5')).to.equal(1234.5)
    expect(read('en', 'number', '1,234.5')).to.equal(1234.5)
    expect(read('de', 'integer', '1.234')).to.equal(1234)
    expect(read('de', 'integer-text', '1.234.567')).to.equal('1234567')
  })

  it('are rejected if they are ambiguous numbers', () => {
    expect(() => read('de', 'number', '1.234')).to.throw('1.234 is ambiguous. Write 1234 or 1,234')
  })

  it('are read as booleans in its words', () => {
    expect(read('de', 'boolean', 'WAHR')).to.equal(true)
    expect(read('de', 'boolean', 'ja')).to.equal(true)
    expect(read('de', 'boolean', 'nein')).to.equal(false)
    expect(read('fr', 'boolean', 'faux')).to.equal(false)
    expect(read('de', 'boolean', 'vielleicht')).to.equal('vielleicht')
  })

  it('are read as dates in its order, or as day numbers', () => {
    expect(read('de', 'date', '31.12.2024')).to.equal('2024-12-31')
    expect(read('de', 'date', '1.2.24')).to.equal('2024-02-01')
    expect(read('de', 'date', '1.2.30')).to.equal('1930-02-01')
    expect(read('en-US', 'date', '12/31/2024')).to.equal('2024-12-31')
    expect(read('en-GB', 'date', '31/12/2024')).to.equal('2024-12-31')
    expect(read('de', 'date', '31.12.2024 14:30')).to.equal('2024-12-31T14:30:00.000Z')
    expect(read('de', 'date', '45657')).to.equal('2024-12-31T00:00:00.000Z')
    expect(read('de', 'date', '45657,5')).to.equal('2024-12-31T12:00:00.000Z')
  })

  it('may have the format of the API', () => {
    for (const [kind, cell, value] of [
      ['number', '4.5', 4.5],
      ['number', '1e21', 1e21],
      ['boolean', 'TRUE', true],
      ['date', '2024-12-31', '2024-12-31'],
      ['date', '2024-12-31T14:30:00.000Z', '2024-12-31T14:30:00.000Z'],
      ['text', '31.12.2024', '31.12.2024'],
    ] as const)
      expect(read('de', kind, cell)).to.equal(value)
  })

  it('are read in the format of the API if the language is unknown', () => {
    for (const locale of ['*', 'not a locale', 'xx_1']) {
      expect(cellLanguage(locale)).to.equal(undefined)
      expect(read(locale, 'number', '4,50')).to.equal('4,50')
    }
  })
})

it('reads an empty cell of a list as an empty list', () => {
  expect(fromCell('', 'list')).to.deep.equal([])
  expect(fromCell('', 'json')).to.equal(null)
})
