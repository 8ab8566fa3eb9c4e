import { expect } from 'chai'
import { createId } from '../../../engine/values/create-id.js'

describe('createId', () => {
  it('returns a letter and 23 letters or digits, different each time', () => {
    const ids = Array.from({ length: 10_000 }, createId)
    for (const id of ids) expect(id).to.match(/^[a-z][a-z0-9]{23}$/)
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('uses every character equally often', () => {
    const counts = new Map<string, number>()
    for (let n = 0; n < 5000; n += 1)
      for (const character of createId().slice(1))
        counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).to.equal(36)
    // The expected count is 3,194 and its standard deviation 56. The range allows six of them on either side.
    for (const [character, count] of counts) expect(count, character).to.be.within(2858, 3530)
  })
})
