import { expect } from 'chai'
import { writeQueues } from '../../server/http/routes/write-queues.js'
import { createAdmission, type Leave } from '../../workers/admission.js'

describe('paused queue', () => {
  const request = (cost = 1) => ({ cost, left: () => Infinity, timeoutMs: 10_000 })
  const open = () => writeQueues(createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 }), 4)
  const never = new AbortController().signal

  it('waits for running requests, starts no others, and continues when it is resumed', async () => {
    const queue = open()
    const small = queue.enter(request()) as Leave
    const large = queue.enter(request(5000)) as Leave
    let isHeld = false
    const held = queue.hold(never).finally(() => (isHeld = true))
    const waiting = queue.enter(request())
    expect(waiting).to.be.a('promise')
    small()
    await Promise.resolve()
    expect(isHeld).to.equal(false)
    large()
    const release = await held
    let hasBegun = false
    void Promise.resolve(waiting).then(() => (hasBegun = true))
    await new Promise(setImmediate)
    expect(hasBegun).to.equal(false)
    release()
    release()
    ;(await waiting)()
    expect(queue.enter(request())).to.be.a('function')
  })

  it('continues if the pause is aborted before it begins', async () => {
    const queue = open()
    const finish = queue.enter(request()) as Leave
    const controller = new AbortController()
    const held = queue.hold(controller.signal).catch((error: unknown) => error)
    const waiting = queue.enter(request())
    const reason = new Error('the client disconnected')
    controller.abort(reason)
    expect(await held).to.equal(reason)
    ;(await waiting)()
    finish()
  })

  it('queues at most half of maxQueued, so that requests in other queues can still wait', async () => {
    const admission = createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 })
    const queue = writeQueues(admission, 4)
    const reads = admission.queue({ name: 'reads', slots: 1 })
    const from = (at: number) => ({ ...request(), client: { address: `10.0.0.${at}`, bytes: 10 } })
    const release = await queue.hold(never)
    const waiting = [1, 2, 3, 4, 5].map((at) => queue.enter(from(at)))
    expect(() => queue.enter(from(6)))
      .to.throw('Too many requests')
      .with.property('status', 503)
    const finish = reads.enter(from(7)) as Leave
    const read = reads.enter(from(8))
    finish()
    ;(await read)()
    release()
    for (const entered of waiting) (await entered)()
  })
})
