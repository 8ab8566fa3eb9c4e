import { expect } from 'chai'
import { showChange, writings } from './changes.js'
import { readLines } from './read-lines.js'
import { createShop } from './shop.js'

/** `recorded/changes.jsonl`, written by `node dist/test/engine/recorded/record.js`: its diff is what changes. */
describe('A write changes what was recorded:', () => {
  const lines = readLines('changes')
  let shop: ReturnType<typeof createShop>
  before(() => {
    shop = createShop()
  })

  it('each of them is recorded', () => {
    expect(lines).to.have.length(writings.length)
  })

  for (const [at, writing] of writings.entries()) {
    const { of, to, there, ...more } = writing
    const name = `${of} ${to}, ${there ?? 'nothing there'}, ${JSON.stringify(more)}`
    it(name.length > 200 ? `${name.slice(0, 200)}… ${at}` : name, () => {
      const line = showChange(writing, shop)
      if (line !== lines[at])
        expect(JSON.parse(line)).to.deep.equal(JSON.parse(lines[at] ?? 'null'))
    })
  }
})
