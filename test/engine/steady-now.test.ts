import { expect } from 'chai'
import { aheadOf, preciseNow, monotonicNow } from '../../engine/monotonic-now.js'

describe('The clock of a thread', () => {
  it('is set by another one, also where the thread has to wait between two looks at them', () => {
    for (const waits of [
      [],
      [0],
      [0, 1, 2, 9, 14, 15],
      Array.from({ length: 15 }, (_, at) => at),
    ]) {
      let now = 100
      let looks = 0
      const ahead = (): number => now + 1000
      const behind = (): number => {
        if (waits.includes(looks)) now += 30
        looks += 1
        return now
      }
      expect(aheadOf(behind, ahead)).to.equal(1000)
    }
  })

  it('goes with the one of whole milliseconds', () => {
    const before = monotonicNow()
    const between = preciseNow()
    expect(between).to.be.within(before - 0.1, monotonicNow() + 1.1)
  })
})
