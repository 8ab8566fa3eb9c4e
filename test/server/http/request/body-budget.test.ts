import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import { createBodyBudget } from '../../../../server/http/request/body-budget.js'

describe('body budget', () => {
  const budget = createBodyBudget(1_000_000)
  const open = (address: string) => {
    const response = Object.assign(new EventEmitter(), { closed: false })
    return {
      add: budget.open(address, response as unknown as ServerResponse),
      close: () => response.emit('close'),
    }
  }
  const statusOf = (add: () => void): number => {
    try {
      add()
      return 200
    } catch (error) {
      return error instanceof ApiError ? error.status : 500
    }
  }

  it('gives one address at most half, and leaves the rest to others', () => {
    const bodies = Array.from({ length: 5 }, () => open('a'))
    const [one, ...others] = bodies
    for (const { add } of bodies) add(100_000)
    expect(statusOf(() => others[0]?.add(1))).to.equal(503)
    const other = open('b')
    expect(statusOf(() => other.add(200_000))).to.equal(200)
    one?.close()
    expect(statusOf(() => others[0]?.add(1))).to.equal(200)
    for (const { close } of [...others, other]) close()
    expect(budget.bytes()).to.equal(0)
  })

  it('releases the memory of a rejected body for others', () => {
    const bodies = Array.from({ length: 5 }, () => open('a'))
    const isRefused = (add: (bytes: number) => void): boolean => statusOf(() => add(50_000)) === 503
    let growing = bodies
    for (let round = 0; round < 3; round += 1)
      growing = growing.filter(({ add }) => !isRefused(add))
    expect(growing).to.have.length(3)
    for (const { close } of bodies) close()
    expect(budget.bytes()).to.equal(0)
  })

  it('gives a large body at most half of the rest, and a small one all of it', () => {
    const large = ['a', 'b', 'c', 'd'].map(open)
    for (const [at, bytes] of [300_000, 300_000, 200_000, 100_000].entries()) large[at]?.add(bytes)
    expect(budget.bytes()).to.equal(900_000)
    const [next, small] = [open('e'), open('f')]
    expect(statusOf(() => next.add(70_000))).to.equal(503)
    expect(statusOf(() => small.add(65_000))).to.equal(200)
    for (const { close } of [...large, next, small]) close()
    expect(budget.bytes()).to.equal(0)
  })

  it('rejects a body with 413 if it alone exceeds half of the budget', () => {
    const body = open('a')
    body.add(400_000)
    expect(statusOf(() => body.add(100_001))).to.equal(413)
    body.close()
  })
})
