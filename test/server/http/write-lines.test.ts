import { expect } from 'chai'
import { writeCost, writeQueues } from '../../../server/http/routes/write-queues.js'
import { createAdmission } from '../../../workers/admission.js'

describe('The lines of writes', () => {
  const asked = (cost: number) => ({ cost, left: () => Infinity, timeoutMs: 10_000 })
  const open = () => writeQueues(createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 }), 8)

  it('keep no small write behind large ones, of which a quarter as many are done at a time', () => {
    const line = open()
    const large = Array.from({ length: 10 }, () => line.enter(asked(5000)))
    expect(large.map((turn) => typeof turn)).to.deep.equal([
      ...['function', 'function'],
      ...Array<string>(8).fill('object'),
    ])
    expect(line.enter(asked(10))).to.be.a('function')
  })

  it('tell them by the size of the body', () => {
    expect(writeCost(0)).to.equal(1)
    expect(writeCost(1000)).to.equal(51)
    expect(writeCost(1_000_000)).to.be.greaterThan(1000)
  })
})
