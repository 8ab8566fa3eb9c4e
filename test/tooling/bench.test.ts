import { expect } from 'chai'
import { ratioOf } from '../../scripts/bench/figures.js'
import { parseOptions } from '../../scripts/bench/options.js'
import { runRows } from '../../scripts/bench/run-rows.js'

describe('The benchmark', () => {
  it('names an option that it cannot use', () => {
    expect(() => parseOptions(['--size', 'many'])).to.throw(
      /--size <n>.* 'many' is invalid. It must be a whole number from 50/,
    )
    expect(() => parseOptions(['--only', 'one,two'])).to.throw(/--only .*There is no "two"/)
    expect(() => parseOptions(['faster'])).to.throw(/'faster' is invalid/)
    expect(() => parseOptions(['--against', '/tmp'])).to.throw(
      /--against .*it has no dist\/server\/main.js/,
    )
  })

  it('compares two servers round by round, and two runs value by value', () => {
    const [own, others] = [
      [{ ms: 2 }, { ms: 30 }, { ms: 9 }],
      [{ ms: 1 }, { ms: 10 }, { ms: 10 }],
    ]
    expect(ratioOf('ms', own, others)).to.deep.equal({ median: 2, least: 0.9, most: 3 })
    expect(ratioOf('ms', own, others, true)).to.deep.equal({ median: 2, least: 0.2, most: 30 })
    expect(ratioOf('ms', [{ ms: null }], others), 'what is unknown').to.equal(null)
  })

  it('measures all ways of a scenario in each round, in another order every time', async () => {
    const measured: string[] = []
    const ways = ['a', 'b', 'c'].map((name) => ({
      name,
      measure: (round: number) => {
        measured.push(`${round}${name}`)
        return Promise.resolve({ round })
      },
    }))
    const rows = [{ name: 'one', title: 'One', ways }]
    const [result] = await runRows(rows, 3, { onProgress: () => undefined })
    expect(measured.join(' ')).to.equal('0a 0b 0c 1a 1c 1b 2c 2a 2b')
    expect(result?.ways['b']).to.deep.equal([{ round: 0 }, { round: 1 }, { round: 2 }])
  })
})
