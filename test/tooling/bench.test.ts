import { expect } from 'chai'
import { parseOptions } from '../../scripts/bench/options.js'
import type { LanePoint } from '../../scripts/bench/lane-points.js'
import { thresholdOf } from '../../scripts/bench/run-lanes.js'
import { relativeDifference } from '../../scripts/bench/relative-difference.js'

describe('The benchmark', () => {
  it('says by how much one costs more than another, and how sure that is', () => {
    const { mean, low, high } = relativeDifference([11, 12, 13, 14, 15], [10, 10, 10, 10, 10])
    expect(mean).to.be.closeTo(0.3, 1e-9)
    // 2.776 × √(2.5 / 5), by any table of Student's t.
    expect(high - mean).to.be.closeTo(0.1963, 0.002)
    expect(mean - low).to.be.closeTo(0.1963, 0.002)
    expect(() => relativeDifference([1], [1])).to.throw('too few')
  })

  it('divides queries by the cost from which they take more than 10 ms of the main thread', () => {
    const zero = { inline: 0, pooled: 0 }
    const points = (times: readonly (readonly [cost: number, mainMs: number])[]): LanePoint[] =>
      times.map(([cost, mainMs]) => ({
        ...{ populate: 'deep', rows: 1, cost, kilobytes: 1, mainMs },
        ...{ alone: zero, inline: { query: 0, single: 0 }, pooled: { query: 0, single: 0 } },
      }))
    expect(
      thresholdOf(
        points([
          [10, 1],
          [400, 5],
          [900, 20],
          [100, 3],
        ]),
      ),
    ).to.equal(600)
    const outlier = points([
      [10, 1],
      [20, 11],
      [400, 5],
      [900, 20],
      [1000, 30],
    ])
    expect(thresholdOf(outlier), 'one that is off').to.equal(600)
    expect(
      thresholdOf(
        points([
          [10, 1],
          [400, 5],
        ]),
      ),
      'none is heavy',
    ).to.equal(800)
  })

  it('names an option that it cannot use', () => {
    expect(() => parseOptions(['--size', 'many'])).to.throw('--size must be a whole number from 50')
    expect(() => parseOptions(['--only', 'one,two'])).to.throw('--only does not know "two"')
    expect(() => parseOptions(['faster'])).to.throw('There is no faster')
  })
})
