import { expect } from 'chai'
import { TurnQueue } from '../../workers/turn-queue.js'

describe('TurnQueue', () => {
  type Named = Readonly<{
    name: string
    rank: number
    request: Readonly<{ cost: number; client?: Readonly<{ address: string; bytes: number }> }>
  }>
  let queue: TurnQueue<Named>
  beforeEach(() => (queue = new TurnQueue<Named>()))

  const add = (name: string, cost: number, now: number, address?: string): Named => {
    const request = address === undefined ? { cost } : { cost, client: { address, bytes: 0 } }
    const entry = { name, request, rank: queue.rankOf(request, now) }
    queue.add(entry)
    return entry
  }
  const names = (): string => queue.entries.map(({ name }) => name).join(' ')

  it('puts cheap requests first, but not before expensive ones that have waited longer', () => {
    add('expensive', 5000, 0, 'a')
    add('early', 5, 900, 'b')
    add('late', 5, 1100, 'c')
    expect(names()).to.equal('early expensive late')
  })

  it('lets addresses take turns', () => {
    for (const name of ['a1', 'a2', 'a3']) add(name, 500, 0, 'a')
    for (const name of ['b1', 'b2']) add(name, 500, 0, 'b')
    expect(names()).to.equal('a1 b1 a2 b2 a3')
  })

  it('keeps the order of an address after its earlier requests are removed', () => {
    const first = add('a1', 500, 0, 'a')
    add('a2', 500, 0, 'a')
    expect(queue.remove(first)).to.equal(true)
    expect(queue.remove(first)).to.equal(false)
    add('a3', 500, 1, 'a')
    expect(names()).to.equal('a2 a3')
  })

  it('puts requests of the service itself before all others', () => {
    add('client', 5, 0, 'a')
    add('own', 5_000_000, 1)
    expect(queue.before(0).map(({ name }) => name)).to.deep.equal(['own'])
    expect(queue.shift()?.name).to.equal('own')
    expect(queue.shift()?.name).to.equal('client')
    expect(queue.shift()).to.equal(undefined)
  })
})
