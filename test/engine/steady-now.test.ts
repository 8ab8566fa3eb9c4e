import { expect } from 'chai'
import { aheadOf, preciseNow, monotonicNow } from '../../engine/monotonic-now.js'

describe('clock of a thread', () => {
  it('is set from another clock, even if the thread is suspended between two readings', () => {
    for (const waits of [
      [],
      [0],
      [0, 1, 2, 9, 14, 15],
      Array.from({ length: 15 }, (_, at) => at),
    ]) {
      let now = 100
      let readings = 0
      const ahead = (): number => now + 1000
      const behind = (): number => {
        if (waits.includes(readings)) now += 30
        readings += 1
        return now
      }
      expect(aheadOf(behind, ahead)).to.equal(1000)
    }
  })

  it('stays within about a millisecond of the millisecond clock', () => {
    const before = monotonicNow()
    const between = preciseNow()
    expect(between).to.be.within(before - 0.1, monotonicNow() + 1.1)
  })
})
