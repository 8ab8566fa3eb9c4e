import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Work } from '../../../support/count-work.js'
import { countingFlags } from '../../../support/count-work.js'
import type { DeepAsked } from './deep-work.js'

type Outcome = Work & Readonly<{ outcome: unknown }>

const usual = 20_000_000

describe('A tree of deep populate that would be enormous', () => {
  let child: ChildProcess
  before(() => {
    // Of 50 types that all lead to one another the tree of ten levels has 10^15 nodes.
    const execArgv = [...countingFlags, '--max-old-space-size=96']
    child = fork(fileURLToPath(new URL('./deep-work.js', import.meta.url)), { execArgv })
  })
  after(() => child.kill())

  const ask = async (asked: Partial<DeepAsked>): Promise<Outcome> => {
    child.send({ of: 'types', many: 50, levels: 10, maxCost: usual, again: false, ...asked })
    const [answer] = (await once(child, 'message')) as [Outcome]
    return answer
  }

  it('is refused for its cost, with the dearest branches', async () => {
    const { outcome, steps } = await ask({})
    // Work for 12,000 parts that differ, and for telling which are dear; of 10^15.
    expect(steps).to.be.below(3_000_000)
    const [message, details] = outcome as [string, Record<string, unknown>]
    const { dearest, cost: least, ...rest } = details
    expect(message).to.equal(
      `The estimated cost of more than ${String(least)} exceeds the limit of 20000000 (api.rest.maxCost)`,
    )
    expect(least).to.be.within(usual, 1.01 * usual)
    expect(rest).to.deep.equal({ bound: 'api.rest.maxCost', limit: usual })
    const parts = dearest as readonly { part: string; cost: number }[]
    expect(parts.map(({ part }) => part)).to.deep.equal(
      [1, 2, 3, 4, 5].map((n) => `populate t${n}`),
    )
    for (const { cost } of parts) expect(cost).to.be.at.least(40 * 49)
  }).timeout(120_000)

  it('takes work for what it may cost, and none for what it would be', async () => {
    const small = await ask({ maxCost: 200_000 })
    expect(small.outcome).to.be.an('array')
    expect(small.steps).to.be.below(1_000_000)
    // Deeper is no more, once it is too much.
    const deeper = await ask({ maxCost: 200_000, levels: 9 })
    expect(deeper.steps).to.be.below(1.5 * small.steps)
    expect(small.steps).to.be.below(1.5 * deeper.steps)
  }).timeout(120_000)

  it('takes no work when it is asked for again', async () => {
    const again = await ask({ maxCost: 200_000, again: true })
    expect(again.outcome).to.be.an('array')
    expect(again.steps).to.be.below(5000)
  })

  it('is refused where it is of components, which are in every entry', async () => {
    const { outcome, steps } = await ask({ of: 'components', many: 30 })
    expect(outcome).to.be.an('array')
    expect(steps).to.be.below(400_000)
  })

  it('takes work for the parts that differ, where it is made', async () => {
    // 8 types: 8,660 ways that visit none twice, and 1,016 sets of types.
    const { outcome, steps } = await ask({ many: 8, levels: 9, maxCost: 0 })
    expect(outcome).to.equal('made')
    expect(steps).to.be.below(400_000)
  })
})
