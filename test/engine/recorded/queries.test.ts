import { expect } from 'chai'
import { cases } from './cases.js'
import { readLines } from './read-lines.js'
import { show } from './show.js'

/** Compares with `recorded/queries.jsonl`. After a change, run `node dist/test/engine/recorded/record.js` and read the diff. */
describe('plan and pipelines of a query', () => {
  const lines = readLines('queries')

  it('are recorded once for every case', () => {
    expect(new Set(cases.map((query) => JSON.stringify(query))).size).to.equal(cases.length)
    expect(lines).to.have.length(cases.length)
  })

  for (const [at, query] of cases.entries()) {
    it(`are as recorded: ${query.of} ${query.search} ${query.may?.join() ?? ''} ${query.purpose ?? ''}`, () => {
      const line = show(query)
      // Parses the lines, so that the failure shows which members differ.
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
