import { expect } from 'chai'
import { cases } from './cases.js'
import { readLines } from './read-lines.js'
import { show } from './show.js'

/** `recorded/queries.jsonl`, written by `node dist/test/engine/recorded/record.js`: its diff is what changes. */
describe('A query becomes the plan and the pipelines that were recorded:', () => {
  const lines = readLines('queries')

  it('each of them is recorded, once', () => {
    expect(new Set(cases.map((asked) => JSON.stringify(asked))).size).to.equal(cases.length)
    expect(lines).to.have.length(cases.length)
  })

  for (const [at, asked] of cases.entries()) {
    it(`${asked.of} ${asked.search} ${asked.may?.join() ?? ''} ${asked.purpose ?? ''}`, () => {
      const line = show(asked)
      // What differs is told by its members.
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
