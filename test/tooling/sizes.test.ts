import { expect } from 'chai'
import { countCode } from '../../scripts/sizes/count-code.js'
import { formatSizes } from '../../scripts/sizes/format-sizes.js'

const count = (...lines: readonly string[]) => countCode(lines.map((line) => `${line}\n`).join(''))

describe('countCode', () => {
  it('does not count comments and blank lines as code', () => {
    const text = ['/** Adds. */', '', 'const sum = a + b // both', '/* three', 'lines */ f()', '']
    expect(count(...text)).to.deep.equal({ lines: 6, codeLines: 2, tokens: 6 + 3 })
  })

  it('counts the parts of a template literal and the code after it', () => {
    // The tokens of the first line are `const`, `text`, `=`, `a${`, `b` and `}c`, those of the second `f`, `(` and `)`.
    expect(count('const text = `a${b}c`', 'f()')).to.include({ codeLines: 2, tokens: 6 + 3 })
  })

  it('counts a template literal of several lines as one token, and each line as code', () => {
    expect(count('`a', '', '// no comment', 'b`')).to.include({ codeLines: 4, tokens: 1 })
  })

  it('counts a regular expression as one token', () => {
    expect(count('f(/["`/*]+/)')).to.include({ tokens: 4 })
  })

  it('counts brackets of type arguments one by one', () => {
    expect(count('type Rows = Array<Array<number>>')).to.include({ tokens: 3 + 7 })
  })

  it('returns zeros for an empty text', () => {
    expect(count()).to.deep.equal({ lines: 0, codeLines: 0, tokens: 0 })
  })
})

describe('formatSizes', () => {
  it('sums up the files of each folder, of its subfolders, and of all folders', () => {
    const size = { lines: 3, codeLines: 2, tokens: 1000 }
    const files = ['engine/errors.ts', 'engine/read/a.ts', 'engine/read/deep/b.ts', 'cli/c.ts']
    const table = formatSizes(files.map((file) => ({ file, ...size })))
    expect(table.split('\n').map((line) => line.trim().split(/ {2,}/))).to.deep.equal([
      ['files', 'lines', 'code lines', 'tokens'],
      ['-------------', '-----', '-----', '----------', '------'],
      ['cli', '1', '3', '2', '1,000'],
      ['engine', '3', '9', '6', '3,000'],
      ['engine/read', '2', '6', '4', '2,000'],
      ['total', '4', '12', '8', '4,000'],
    ])
  })
})
