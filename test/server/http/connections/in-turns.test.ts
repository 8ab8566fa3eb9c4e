import { expect } from 'chai'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { inTurns } from '../../../../server/http/connections/in-turns.js'

describe('requests that arrive in one turn of the event loop', () => {
  /**
   * Starts a service with a fake clock. Each request takes 2 ms to start, and each turn may start requests for 5 ms.
   */
  const start = () => {
    const started: string[] = []
    const turns: (() => void)[] = []
    let clock = 0
    const listener = inTurns(
      ({ url = '' }) => {
        started.push(url)
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
    /** Runs two turns that start no requests (`turnsBetween`), and a third one that does. */
    const nextTurns = (): void => [1, 2, 3].forEach(nextTurn)
    return { ask, started, turns, nextTurn, nextTurns }
  }

  it('are started at once if that takes little time', () => {
    const { ask, started } = start()
    for (const url of ['a', 'b', 'c']) ask(url)
    expect(started).to.deep.equal(['a', 'b', 'c'])
  })

  it('are started in later turns beyond that, in the order of arrival', () => {
    const { ask, started, turns, nextTurn, nextTurns } = start()
    for (const url of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) ask(url)
    expect(started).to.deep.equal(['a', 'b', 'c'])
    nextTurn()
    nextTurn()
    expect(started).to.have.length(3)
    nextTurn()
    ask('i')
    expect(started.slice(3)).to.deep.equal(['d', 'e', 'f'])
    nextTurns()
    expect(started.slice(6)).to.deep.equal(['g', 'h', 'i'])
    nextTurns()
    ask('j')
    expect(started.slice(9)).to.deep.equal(['j'])
    expect(turns).to.have.length(1)
  })

  it('are started in rotation by client address, so that a flood does not delay other clients', () => {
    const { ask, started, nextTurns } = start()
    for (let turn = 0; turn < 100; turn += 1) ask(`flood ${turn}`, '127.0.0.2')
    ask('reader')
    nextTurns()
    expect(started.slice(3)).to.deep.equal(['flood 3', 'reader', 'flood 4'])
  })

  it('are not started if their client has disconnected', () => {
    const { ask, started, nextTurns } = start()
    for (const url of ['a', 'b', 'c']) ask(url)
    ask('disconnected', '127.0.0.1', true)
    ask('d')
    nextTurns()
    expect(started).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('are started at once again when no request waits', () => {
    const { ask, started, turns, nextTurns } = start()
    for (const url of ['a', 'b', 'c', 'd']) ask(url)
    nextTurns()
    nextTurns()
    expect(turns).to.have.length(0)
    ask('e')
    expect(started).to.deep.equal(['a', 'b', 'c', 'd', 'e'])
  })
})
