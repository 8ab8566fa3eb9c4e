import { expect } from 'chai'
import { writeQueues } from '../../server/http/routes/write-queues.js'
import { createAdmission, type Leave } from '../../workers/admission.js'

describe('A line that is held', () => {
  const asked = (cost = 1) => ({ cost, left: () => Infinity, timeoutMs: 10_000 })
  const open = () => writeQueues(createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 }), 4)
  const never = new AbortController().signal

  it('waits for what is under way, lets nothing begin, and goes on when it is let go', async () => {
    const line = open()
    const small = line.enter(asked()) as Leave
    const large = line.enter(asked(5000)) as Leave
    let isHeld = false
    const held = line.hold(never).finally(() => (isHeld = true))
    const waiting = line.enter(asked())
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
    expect(line.enter(asked())).to.be.a('function')
  })

  it('goes on where whoever holds it gives up before', async () => {
    const line = open()
    const leave = line.enter(asked()) as Leave
    const gone = new AbortController()
    const held = line.hold(gone.signal).catch((error: unknown) => error)
    const waiting = line.enter(asked())
    const reason = new Error('gone')
    gone.abort(reason)
    expect(await held).to.equal(reason)
    ;(await waiting)()
    leave()
  })

  it('lets as many wait as leave half of the room to others', async () => {
    const admission = createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 })
    const line = writeQueues(admission, 4)
    const reads = admission.queue({ name: 'reads', slots: 1 })
    const from = (at: number) => ({ ...asked(), client: { address: `10.0.0.${at}`, bytes: 10 } })
    const release = await line.hold(never)
    const waiting = [1, 2, 3, 4, 5].map((at) => line.enter(from(at)))
    expect(() => line.enter(from(6)))
      .to.throw('Too many requests')
      .with.property('status', 503)
    const leave = reads.enter(from(7)) as Leave
    const read = reads.enter(from(8))
    leave()
    ;(await read)()
    release()
    for (const entered of waiting) (await entered)()
  })
})
