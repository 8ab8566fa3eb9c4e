import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Work } from '../../../support/count-work.js'
import { countingFlags } from '../../../support/count-work.js'
import type { DeepQuery } from './deep-work.js'

type Outcome = Work & Readonly<{ outcome: unknown }>

const usual = 20_000_000

describe('deep populate tree of enormous size', () => {
  let child: ChildProcess
  before(() => {
    // With 50 types that all refer to each other, a tree of ten levels has 10^15 nodes.
    const execArgv = [...countingFlags, '--max-old-space-size=96']
    child = fork(fileURLToPath(new URL('./deep-work.js', import.meta.url)), { execArgv })
  })
  after(() => child.kill())

  const ask = async (options: Partial<DeepQuery>): Promise<Outcome> => {
    child.send({ of: 'types', many: 50, levels: 10, maxCost: usual, again: false, ...options })
    const [outcome] = (await once(child, 'message')) as [Outcome]
    return outcome
  }

  it('is rejected for its cost, with its most expensive branches in the error', async () => {
    const { outcome, steps } = await ask({})
    // Enough for the 12,000 distinct nodes and for ranking branches, but not for 10^15 nodes.
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

  it('takes work in proportion to the cost limit, not to its size', async () => {
    const small = await ask({ maxCost: 200_000 })
    expect(small.outcome).to.be.an('array')
    expect(small.steps).to.be.below(1_000_000)
    // The work ends when the limit is exceeded, so a deeper tree takes no more work.
    const deeper = await ask({ maxCost: 200_000, levels: 9 })
    expect(deeper.steps).to.be.below(1.5 * small.steps)
    expect(small.steps).to.be.below(1.5 * deeper.steps)
  }).timeout(120_000)

  it('takes almost no work when the query is repeated', async () => {
    const again = await ask({ maxCost: 200_000, again: true })
    expect(again.outcome).to.be.an('array')
    expect(again.steps).to.be.below(5000)
  })

  it('is rejected if it consists of nested components', async () => {
    const { outcome, steps } = await ask({ of: 'components', many: 30 })
    expect(outcome).to.be.an('array')
    expect(steps).to.be.below(400_000)
  })

  it('takes work only for its distinct nodes if it is accepted', async () => {
    // 8 types have 8,660 paths that visit no type twice, but only 1,016 combinations of a set of visited types and a
    // next type.
    const { outcome, steps } = await ask({ many: 8, levels: 9, maxCost: 0 })
    expect(outcome).to.equal('made')
    expect(steps).to.be.below(400_000)
  })
})
