import { expect } from 'chai'
import { readLines } from './read-lines.js'
import { showWrite, writes } from './writing.js'

/** Compares with `recorded/writes.jsonl`. After a change, run `node dist/test/engine/recorded/record.js` and read the diff. */
describe('steps of a write', () => {
  const lines = readLines('writes')

  it('are recorded for every case', () => {
    expect(lines).to.have.length(Object.keys(writes).length)
  })

  for (const [at, name] of Object.keys(writes).entries()) {
    it(`are as recorded: ${name}`, () => {
      const line = showWrite(name)
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
