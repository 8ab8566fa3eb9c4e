import { expect } from 'chai'
import { inChains } from '../../../server/content/bulk/in-chains.js'
import { countTurns, holdLoop } from '../../support/count-turns.js'

describe('inChains', () => {
  it('yields to the event loop even if no task waits for anything', async () => {
    const tasks = Array.from({ length: 300 }, (_, at) => at)
    const run = (task: number): Promise<number> => {
      holdLoop(3)
      return Promise.resolve(task)
    }
    const [made, turns] = await countTurns(() => inChains(tasks, 100, () => undefined, run))
    expect(made).to.deep.equal(tasks)
    expect(turns).to.be.above(9)
  })
})
