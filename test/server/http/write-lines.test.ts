import { expect } from 'chai'
import { writeCost, writeQueues } from '../../../server/http/routes/write-queues.js'
import { createAdmission } from '../../../workers/admission.js'

describe('write queues', () => {
  const request = (cost: number) => ({ cost, left: () => Infinity, timeoutMs: 10_000 })
  const open = () => writeQueues(createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 }), 8)

  it('run at most a quarter as many large writes concurrently, so that small ones do not wait', () => {
    const queues = open()
    const large = Array.from({ length: 10 }, () => queues.enter(request(5000)))
    expect(large.map((turn) => typeof turn)).to.deep.equal([
      ...['function', 'function'],
      ...Array<string>(8).fill('object'),
    ])
    expect(queues.enter(request(10))).to.be.a('function')
  })

  it('estimate the cost of a write from the size of its body', () => {
    expect(writeCost(0)).to.equal(1)
    expect(writeCost(1000)).to.equal(51)
    expect(writeCost(1_000_000)).to.be.greaterThan(1000)
  })
})
