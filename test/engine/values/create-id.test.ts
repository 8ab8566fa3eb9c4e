import { expect } from 'chai'
import { createId } from '../../../engine/values/create-id.js'

describe('An id', () => {
  it('is 24 characters, a letter and then letters and digits, and each time another one', () => {
    const ids = Array.from({ length: 10_000 }, createId)
    for (const id of ids) expect(id).to.match(/^[a-z][a-z0-9]{23}$/)
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('takes every character as often as any other', () => {
    const counts = new Map<string, number>()
    for (let n = 0; n < 5000; n += 1)
      for (const character of createId().slice(1))
        counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).to.equal(36)
    // 3,194 each; six times the standard deviation of 56 to either side.
    for (const [character, count] of counts) expect(count, character).to.be.within(2858, 3530)
  })
})
