import { expect } from 'chai'
import { createAdmission } from '../../workers/admission.js'
import { runInQueue } from '../../workers/run-in-queue.js'
import { startBudget } from '../../engine/read/execute/budget.js'

describe('runInQueue', () => {
  it('keeps its slot until the work that outlasts the response has ended', async () => {
    const admission = createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 })
    const queue = admission.queue({ name: 'test', slots: 1 })
    const request = () => ({ ...startBudget(60_000), cost: 1 })
    const running = () => admission.figures().queues[0]?.running
    let end = (): void => undefined
    let failed = (): void => undefined
    const first = new Promise<void>((resolve) => (end = resolve))
    const second = new Promise<void>((_resolve, reject) => (failed = () => reject(new Error('x'))))
    const answer = await runInQueue(queue, request(), (outlasts) => {
      outlasts(first)
      outlasts(second)
      return Promise.resolve('answer')
    })
    expect([answer, running()]).to.deep.equal(['answer', 1])
    const next = runInQueue(queue, request(), () => Promise.resolve('next'))
    failed()
    await second.catch(() => undefined)
    expect(admission.figures().queues[0]).to.include({ running: 1, waiting: 1 })
    end()
    expect(await next).to.equal('next')
    expect(running()).to.equal(0)
  })
})
