import { expect } from 'chai'
import { MongoNetworkError } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import { createFreshness } from '../../../server/signals/freshness.js'

describe('What is confirmed by the database', () => {
  /** Answers of a database come when the test says so. */
  const asking = () => {
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
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const isDone = async (promise: Promise<void> | undefined) => {
    let done = promise === undefined
    promise?.then(
      () => (done = true),
      () => (done = true),
    )
    await settled()
    return done
  }

  it('is asked for once by all who wait, and then used for less than 250 ms', async () => {
    const { clock, answers, confirm, last } = asking()
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

  it('is asked for again while it is used, so that nobody waits', async () => {
    const { clock, answers, confirm, last } = asking()
    const first = confirm()
    last()?.answer()
    await first
    for (let round = 0; round < 20; round += 1) {
      clock.time += 125
      expect(confirm()).to.equal(undefined)
      last()?.answer()
      await settled()
    }
    expect(answers).to.have.length(21)
  })

  it('is as old as the question, however long the answer took', async () => {
    const { clock, confirm, last } = asking()
    const first = confirm()
    clock.time += 300
    last()?.answer()
    // It came before the question was answered, and after it was asked.
    await first
    expect(await isDone(confirm())).to.equal(false)
  })

  it('is asked for anew by who came after the question', async () => {
    const { clock, answers, confirm, last } = asking()
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

  it('is 503 where the database does not answer in time, and asked for again by who comes then', async () => {
    const { clock, confirm, last } = asking()
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

  it('waits for an election, as long as there is time', async () => {
    const { answers, confirm, last } = asking()
    const waiting = confirm()
    last()?.fail(new MongoNetworkError('no primary'))
    while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    last()?.answer()
    await waiting
  })

  it('is asked for once more where the one who was asked is silent, and the first answer counts', async () => {
    const { clock, answers, confirm } = asking()
    const waiting = confirm()
    clock.time += 250
    while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    answers[1]?.answer()
    await waiting
    expect(confirm()).to.equal(undefined)
    // One that comes late takes nothing back.
    answers[0]?.answer()
    await settled()
    expect(confirm()).to.equal(undefined)
  })

  it('is asked for again where answers take long though nobody waits, so that who comes next finds a young one', async () => {
    const { clock, answers, confirm, last } = asking()
    const first = confirm()
    last()?.answer()
    await first
    clock.time += 125
    expect(confirm()).to.equal(undefined)
    clock.time += 250
    while (answers.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
    clock.time += 200
    last()?.answer()
    await settled()
    expect(confirm()).to.equal(undefined)
  })

  it('is asked for eight times at once at most', async () => {
    const { clock, answers, confirm } = asking()
    const waiting = Array.from({ length: 20 }, () => {
      clock.time += 250
      // Those that came first have no patience any more.
      return Promise.resolve(confirm()).catch(() => undefined)
    })
    expect(answers).to.have.length(8)
    clock.time += 1_000
    for (const { fail } of answers) fail(new MongoNetworkError('away'))
    await Promise.all(waiting)
    expect(answers).to.have.length(8)
  })

  it('hides no defect', async () => {
    const { confirm, last } = asking()
    const waiting = confirm()
    last()?.fail(new TypeError('a defect'))
    expect(await waiting?.catch((error: unknown) => error)).to.be.instanceOf(TypeError)
  })
})
