import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'chai'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .slice(1)
  .filter(([, risk = '']) => !risk.startsWith('-'))

describe('docs/security.md', () => {
  it('has a row for each of the ten risks', () => {
    const numbers = rows.flatMap(([, risk = '']) => /^API(\d+) /.exec(risk)?.[1] ?? [])
    expect(numbers.map(Number)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('names existing tests, at least one in each row', () => {
    for (const [, risk, , tests = ''] of rows) {
      const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '')
      expect(files, risk).not.to.be.empty
      for (const file of files) expect(existsSync(new URL(file, root)), file).to.be.true
    }
  })
})
