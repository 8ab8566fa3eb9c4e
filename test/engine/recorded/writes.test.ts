import { expect } from 'chai'
import { readLines } from './read-lines.js'
import { showWrite, writes } from './writing.js'

/** `recorded/writes.jsonl`, written by `node dist/test/engine/recorded/record.js`: its diff is what changes. */
describe('A write takes the steps that were recorded:', () => {
  const lines = readLines('writes')

  it('each of them is recorded', () => {
    expect(lines).to.have.length(Object.keys(writes).length)
  })

  for (const [at, name] of Object.keys(writes).entries()) {
    it(name, () => {
      const line = showWrite(name)
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
