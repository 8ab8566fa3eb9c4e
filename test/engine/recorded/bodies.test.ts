import { expect } from 'chai'
import { bodies } from './bodies.js'
import { readLines } from './read-lines.js'
import { showBody } from './show.js'

/** `recorded/bodies.jsonl`, written by `node dist/test/engine/recorded/record.js`: its diff is what changes. */
describe('A body becomes what was recorded:', () => {
  const lines = readLines('bodies')

  it('each of them is recorded', () => {
    expect(lines).to.have.length(bodies.length)
  })

  for (const [at, sent] of bodies.entries()) {
    const text = JSON.stringify(sent.data) ?? 'nothing'
    it(`${at} ${sent.to} ${text.slice(0, 100)}`, () => {
      const line = showBody(sent)
      // What differs is told by its members.
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
