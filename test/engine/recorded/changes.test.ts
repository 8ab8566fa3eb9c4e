import { expect } from 'chai'
import { showChange, writings } from './changes.js'
import { readLines } from './read-lines.js'
import { createShop } from './shop.js'

/** Compares with `recorded/changes.jsonl`. After a change, run `node dist/test/engine/recorded/record.js` and read the diff. */
describe('changes of a write', () => {
  const lines = readLines('changes')
  let shop: ReturnType<typeof createShop>
  before(() => {
    shop = createShop()
  })

  it('are recorded for every case', () => {
    expect(lines).to.have.length(writings.length)
  })

  for (const [at, writing] of writings.entries()) {
    const { of, to, there, ...more } = writing
    const name = `are as recorded: ${of} ${to}, ${there ?? 'nothing stored'}, ${JSON.stringify(more)}`
    it(name.length > 200 ? `${name.slice(0, 200)}… ${at}` : name, () => {
      const line = showChange(writing, shop)
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
