import { expect } from 'chai'
import { MongoNetworkError } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import { createFreshness } from '../../../server/signals/freshness.js'

describe('createFreshness', () => {
  /** Imitates a database that responds when the test says so. */
  const createTest = () => {
    const clock = { time: 10_000 }
    const answers: { answer: () => void; fail: (error: unknown) => void }[] = []
    const { confirm } = createFreshness({
      prove: () =>
        new Promise<void>((answer, fail) => {
          answers.push({ answer, fail })
        }),
      waitTimeoutMs: 1_000,
      now: () => clock.time,
    })
    const last = () => answers[answers.length - 1]
    return { clock, answers, confirm, last }
  }
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  const isDone = async (promise: Promise<void> | undefined) => {
    let done = promise === undefined
    promise?.then(
      () => (done = true),
      () => (done = true),
    )
    await nextTurn()
    return done
  }

  it('sends one request for all waiting callers, and reuses the result for less than 250 ms', async () => {
    const { clock, answers, confirm, last } = createTest()
    const waiting = [confirm(), confirm(), confirm()]
    expect(answers).to.have.length(1)
    last()?.answer()
    for (const one of waiting) await one
    clock.time += 124
    expect(confirm()).to.equal(undefined)
    expect(answers).to.have.length(1)
    clock.time += 126
    expect(confirm()).to.be.a('promise')
  })

  it('renews the result in the background while it is used', async () => {
    const { clock, answers, confirm, last } = createTest()
    const first = confirm()
    last()?.answer()
    await first
    for (let round = 0; round < 20; round += 1) {
      clock.time += 125
      expect(confirm()).to.equal(undefined)
      last()?.answer()
      await nextTurn()
    }
    expect(answers).to.have.length(21)
  })

  it('measures the age from the request, not from the response', async () => {
    const { clock, confirm, last } = createTest()
    const first = confirm()
    clock.time += 300
    last()?.answer()
    // The first caller came before the response, so it accepts the result. For later callers, the result is already too
    // old.
    await first
    expect(await isDone(confirm())).to.equal(false)
  })

  it('sends another request for a caller that came after the first was sent', async () => {
    const { clock, answers, confirm, last } = createTest()
    const first = confirm()
    clock.time += 1
    const second = confirm()
    last()?.answer()
    await first
    expect(await isDone(second)).to.equal(false)
    expect(answers).to.have.length(2)
    last()?.answer()
    await second
  })

  it('fails with 503 if the database does not respond in time, and tries again for the next caller', async () => {
    const { clock, confirm, last } = createTest()
    const waiting = confirm()
    clock.time += 1_000
    last()?.fail(new MongoNetworkError('away'))
    const refused = await waiting?.catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(ApiError)
    expect((refused as ApiError).status).to.equal(503)
    expect((refused as ApiError).headers).to.deep.include({ 'Retry-After': '1' })
    const next = confirm()
    last()?.answer()
    await next
  })

  it('waits for an election until its timeout', async () => {
    const { answers, confirm, last } = createTest()
    const waiting = confirm()
    last()?.fail(new MongoNetworkError('no primary'))
    while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    last()?.answer()
    await waiting
  })

  it('sends a second request if the first is not answered, and uses the first response', async () => {
    const { clock, answers, confirm } = createTest()
    const waiting = confirm()
    clock.time += 250
    while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    answers[1]?.answer()
    await waiting
    expect(confirm()).to.equal(undefined)
    answers[0]?.answer()
    await nextTurn()
    expect(confirm()).to.equal(undefined)
  })

  it('renews the result before it expires even if responses are slow and nobody waits', async () => {
    const { clock, answers, confirm, last } = createTest()
    const first = confirm()
    last()?.answer()
    await first
    clock.time += 125
    expect(confirm()).to.equal(undefined)
    clock.time += 250
    while (answers.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
    clock.time += 200
    last()?.answer()
    await nextTurn()
    expect(confirm()).to.equal(undefined)
  })

  it('sends at most eight concurrent requests', async () => {
    const { clock, answers, confirm } = createTest()
    const waiting = Array.from({ length: 20 }, () => {
      clock.time += 250
      // Handles the rejection at once, because the first calls time out during this loop.
      return Promise.resolve(confirm()).catch(() => undefined)
    })
    expect(answers).to.have.length(8)
    clock.time += 1_000
    for (const { fail } of answers) fail(new MongoNetworkError('away'))
    await Promise.all(waiting)
    expect(answers).to.have.length(8)
  })

  it('passes other errors on', async () => {
    const { confirm, last } = createTest()
    const waiting = confirm()
    last()?.fail(new TypeError('a defect'))
    expect(await waiting?.catch((error: unknown) => error)).to.be.instanceOf(TypeError)
  })
})
