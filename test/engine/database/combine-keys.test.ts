import { expect } from 'chai'
import { combineKeys } from '../../../engine/database/combine-keys.js'

describe('combineKeys', () => {
  /** Returns a `find` whose commands end only when the test calls the functions in `ends`. */
  const start = (options: Readonly<{ maxKeys?: number; atOnce?: number; maxWaitMs?: number }>) => {
    const runs: number[][] = []
    const ends: (() => void)[] = []
    const find = combineKeys<number, number>(
      async (keys) => {
        runs.push([...keys])
        await new Promise<void>((resolve) => ends.push(resolve))
        return keys
      },
      { maxKeys: 100, ...options },
    )
    return { runs, ends, find }
  }
  const turn = () => new Promise(setImmediate)
  /** Waits until the requested keys are sent. */
  const turns = async () => {
    await turn()
    await turn()
  }

  it('combines the keys of two turns of the event loop', async () => {
    const { runs, ends, find } = start({})
    const found = [find(1)]
    await turn()
    found.push(find(2))
    await turn()
    expect(runs).to.deep.equal([[1, 2]])
    ends[0]?.()
    expect(await Promise.all(found)).to.deep.equal([1, 2])
  })

  it('keeps further keys until the running command ends', async () => {
    const { runs, ends, find } = start({})
    const first = find(1)
    await turns()
    const others = Promise.all([find(2), find(3)])
    await turns()
    expect(runs).to.deep.equal([[1]])
    ends[0]?.()
    expect(await first).to.equal(1)
    await turns()
    expect(runs).to.deep.equal([[1], [2, 3]])
    ends[1]?.()
    expect(await others).to.deep.equal([2, 3])
  })

  it('sends at most maxKeys per command, one command after another', async () => {
    const { runs, ends, find } = start({ maxKeys: 2 })
    const found = Promise.all([1, 2, 3, 4, 5].map(find))
    await turns()
    expect(runs).to.deep.equal([[1, 2]])
    for (const at of [0, 1, 2]) {
      ends[at]?.()
      await turns()
    }
    expect(runs).to.deep.equal([[1, 2], [3, 4], [5]])
    expect(await found).to.deep.equal([1, 2, 3, 4, 5])
  })

  it('runs up to atOnce commands at the same time', async () => {
    const { runs, ends, find } = start({ atOnce: 2 })
    const found = [find(1)]
    await turns()
    found.push(find(2))
    await turns()
    found.push(find(3))
    await turns()
    expect(runs).to.deep.equal([[1], [2]])
    ends[1]?.()
    await found[1]
    await turns()
    expect(runs).to.deep.equal([[1], [2], [3]])
    for (const end of ends) end()
    expect(await Promise.all(found)).to.deep.equal([1, 2, 3])
  })

  it('waits at most maxWaitMs for a command that does not end', async () => {
    const { ends, find } = start({ maxWaitMs: 1 })
    const stuck = find(1)
    await turns()
    const next = find(2)
    while (ends.length < 2) await turn()
    ends[1]?.()
    expect(await next).to.equal(2)
    ends[0]?.()
    expect(await stuck).to.equal(1)
  })
})
