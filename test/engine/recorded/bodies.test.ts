import { expect } from 'chai'
import { bodies } from './bodies.js'
import { readLines } from './read-lines.js'
import { showBody } from './show.js'

/** Compares with `recorded/bodies.jsonl`. After a change, run `node dist/test/engine/recorded/record.js` and read the diff. */
describe('outcome of a body', () => {
  const lines = readLines('bodies')

  it('is recorded for every case', () => {
    expect(lines).to.have.length(bodies.length)
  })

  for (const [at, sent] of bodies.entries()) {
    const text = JSON.stringify(sent.data) ?? 'nothing'
    it(`is as recorded: ${at} ${sent.to} ${text.slice(0, 100)}`, () => {
      const line = showBody(sent)
      // Parses the lines, so that the failure shows which members differ.
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
