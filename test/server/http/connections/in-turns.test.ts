import { expect } from 'chai'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { inTurns } from '../../../../server/http/connections/in-turns.js'

describe('Requests that come in one turn of the event loop', () => {
  /** A service whose requests take 2 ms each to begin, of 5 ms in a turn, by a clock of its own. */
  const start = () => {
    const begun: string[] = []
    const turns: (() => void)[] = []
    let clock = 0
    const listener = inTurns(
      ({ url = '' }) => {
        begun.push(url)
        clock += 2
      },
      { maxMs: 5, turnsBetween: 2, now: () => clock, inNextTurn: (run) => turns.push(run) },
    )
    const ask = (url: string, remoteAddress = '127.0.0.1', destroyed = false): void =>
      listener(
        { url, socket: { remoteAddress, destroyed } } as IncomingMessage,
        {} as ServerResponse,
      )
    const nextTurn = (): void => turns.shift()?.()
    /** The end of a turn, and those that begin nothing. */
    const nextTurns = (): void => [1, 2, 3].forEach(nextTurn)
    return { ask, begun, turns, nextTurn, nextTurns }
  }

  it('are begun at once as long as that takes little', () => {
    const { ask, begun } = start()
    for (const url of ['a', 'b', 'c']) ask(url)
    expect(begun).to.deep.equal(['a', 'b', 'c'])
  })

  it('are begun in the turns that follow beyond it, in the order of their coming', () => {
    const { ask, begun, turns, nextTurn, nextTurns } = start()
    for (const url of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) ask(url)
    expect(begun).to.deep.equal(['a', 'b', 'c'])
    nextTurn()
    nextTurn()
    expect(begun).to.have.length(3)
    nextTurn()
    // Who comes now waits for those before.
    ask('i')
    expect(begun.slice(3)).to.deep.equal(['d', 'e', 'f'])
    nextTurns()
    expect(begun.slice(6)).to.deep.equal(['g', 'h', 'i'])
    nextTurns()
    ask('j')
    expect(begun.slice(9)).to.deep.equal(['j'])
    expect(turns).to.have.length(1)
  })

  it('are begun by address: who asks once does not wait for all that another has asked', () => {
    const { ask, begun, nextTurns } = start()
    for (let turn = 0; turn < 100; turn += 1) ask(`flood ${turn}`, '127.0.0.2')
    ask('reader')
    nextTurns()
    expect(begun.slice(3)).to.deep.equal(['flood 3', 'reader', 'flood 4'])
  })

  it('are not begun any more when their clients have gone', () => {
    const { ask, begun, nextTurns } = start()
    for (const url of ['a', 'b', 'c']) ask(url)
    ask('gone', '127.0.0.1', true)
    ask('d')
    nextTurns()
    expect(begun).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('wait for nobody when all that waited is begun', () => {
    const { ask, begun, turns, nextTurns } = start()
    for (const url of ['a', 'b', 'c', 'd']) ask(url)
    nextTurns()
    nextTurns()
    expect(turns).to.have.length(0)
    ask('e')
    expect(begun).to.deep.equal(['a', 'b', 'c', 'd', 'e'])
  })
})
