import { expect } from 'chai'
import { readLines } from './read-lines.js'
import { aims, showAim } from './targets.js'

/** `recorded/targets.jsonl`, written by `node dist/test/engine/recorded/record.js`: its diff is what changes. */
describe('A read is planned for its target, and costs, what was recorded:', () => {
  const lines = readLines('targets')

  it('each of them is recorded', () => {
    expect(lines).to.have.length(aims.length)
  })

  for (const [at, aim] of aims.entries()) {
    it(`${aim.of} ${aim.search} ${JSON.stringify(aim.target ?? {})}`, () => {
      const line = showAim(aim)
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
