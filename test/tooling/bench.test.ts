import { expect } from 'chai'
import { parseOptions } from '../../scripts/bench/options.js'
import { ratiosOf } from '../../scripts/bench/ratio.js'
import { runRows } from '../../scripts/bench/run-rows.js'

describe('benchmark', () => {
  it('names an invalid option', () => {
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
    expect(ratiosOf(own, others)).to.deep.equal({ ms: { median: 2, least: 0.9, most: 3 } })
    expect(ratiosOf(own, others, true)).to.deep.equal({ ms: { median: 2, least: 0.2, most: 30 } })
    expect(ratiosOf([{ ms: NaN }], others), 'what is unknown').to.deep.equal({ ms: null })
  })

  it('measures all variants of a scenario in each round, in changing order', async () => {
    const measured: string[] = []
    const ways = ['a', 'b', 'c'].map((name) => ({
      name,
      measure: (round: number) => {
        measured.push(`${round}${name}`)
        return Promise.resolve({ round })
      },
    }))
    const rows = [{ name: 'one', title: 'One', ways }]
    const [result] = await runRows(rows, 3)
    expect(measured.join(' ')).to.equal('0a 0b 0c 1a 1c 1b 2c 2a 2b')
    expect(result?.ways['b']).to.deep.equal([{ round: 0 }, { round: 1 }, { round: 2 }])
  })
})
