import { expect } from 'chai'
import { readLines } from './read-lines.js'
import { aims, showAim } from './targets.js'

/** Compares with `recorded/targets.jsonl`. After a change, run `node dist/test/engine/recorded/record.js` and read the diff. */
describe('plan and cost of a read', () => {
  const lines = readLines('targets')

  it('are recorded for every case', () => {
    expect(lines).to.have.length(aims.length)
  })

  for (const [at, aim] of aims.entries()) {
    it(`are as recorded: ${aim.of} ${aim.search} ${JSON.stringify(aim.target ?? {})}`, () => {
      const line = showAim(aim)
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
