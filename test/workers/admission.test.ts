import { expect } from 'chai'
import fc from 'fast-check'
import type { Answer } from '../support/request.js'
import type { TestApp } from '../support/start-app.js'
import { startApp } from '../support/start-app.js'
import { eventually } from '../server/database/support.js'
import { insertSlowArticles, slowPath, untilRunning } from './slow-articles.js'
import { startBudget } from '../../engine/read/execute/budget.js'
import { ApiError } from '../../engine/errors.js'
import type { Admission, Leave, Queue } from '../../workers/admission.js'
import { createAdmission } from '../../workers/admission.js'
import { runs } from '../support/properties.js'

const slow = `${slowPath}&pagination[withCount]=false`

/** Sends more heavy queries than the queue holds, in both execution modes. */
for (const [lane, costThreshold] of [
  ['on the main thread', 1_000_000_000],
  ['in the pool', 50],
] as const) {
  describe(`Many slow queries ${lane}`, () => {
    let app: TestApp
    before(async () => {
      app = await startApp({
        settings: {
          ...{ 'pool.costThreshold': costThreshold, 'pool.threads': 1 },
          ...{ 'api.rest.maxInlineReads': 4, 'http.maxQueued': 8 },
          ...{ 'api.rest.queryTimeoutMs': 3000, 'api.rest.maxCost': 0 },
        },
      })
      await insertSlowArticles(app.quire.services.db)
    })
    after(() => app.stop())

    it('are answered with 200 or 503 and Retry-After, and nobody is refused after a wait', async () => {
      const { token, quire } = app
      const ask = (): Promise<Answer> => app.request('GET', slow, { token })
      const answers = await Promise.all(Array.from({ length: 40 }, ask))
      for (const { status, headers } of answers) {
        expect(status).to.be.oneOf([200, 503])
        if (status === 503) expect(headers.get('retry-after')).to.match(/^[1-9]\d?$/)
      }
      // An expired request gets its response at once. Its queue entry is removed at the next check of the queue.
      await eventually(() => quire.admission.figures().waiting === 0)
      const { waitingBytes, queues } = quire.admission.figures()
      expect(waitingBytes).to.equal(0)
      const sum = (pick: (line: (typeof queues)[number]) => number): number =>
        queues.reduce((total, line) => total + pick(line), 0)
      expect(sum(({ admitted, refused, expired }) => admitted + refused + expired)).to.be.at.most(
        40,
      )
      expect(sum(({ refused }) => refused)).to.be.greaterThan(0)
      const unavailable = answers.filter(({ status }) => status === 503)
      expect(sum(({ refused }) => refused)).to.be.at.most(unavailable.length)
      for (const { longestRefusedMs } of queues) expect(longestRefusedMs).to.be.at.most(100)
    })

    it('leave the service as it was', async () => {
      await untilRunning(app.quire.services.db, 'articles', 0)
      const { token } = app
      const asked = [1, 2, 3].map((n) => app.request('GET', `/api/articles/d${n}`, { token }))
      expect((await Promise.all(asked)).map(({ status }) => status)).to.deep.equal([200, 200, 200])
    })
  })
}

type Outcome = 'running' | 'waiting' | 'refused' | 'expired' | 'done'
/** Differences from a cheap request of one address. */
type Asking = Readonly<{
  cost?: number
  address?: string
  bytes?: number
  timeoutMs?: number
  name?: string
}>
type Guest = { cost: number; address: string; since: number; outcome: Outcome; leave?: Leave }

/** Creates an admission with a clock that the test controls, and records the outcome of every request. */
function openHouse(
  options: Readonly<{ maxQueued?: number; maxQueuedBytes?: number; late?: number }>,
) {
  let time = 1_000_000
  const { maxQueued = 1000, maxQueuedBytes = 1e9, late = 0 } = options
  const admission: Admission = createAdmission({
    ...{ maxQueued, maxQueuedBytes },
    now: () => time,
    lateness: () => late,
  })
  const guests: Guest[] = []
  const order: string[] = []
  const come = (
    line: Queue,
    { cost = 1, address = 'a', bytes = 1, timeoutMs = 10_000, name = '' }: Asking,
  ): Guest => {
    const guest: Guest = { cost, address, since: time, outcome: 'waiting' }
    guests.push(guest)
    const begin = (leave: Leave): void => {
      order.push(name)
      guest.outcome = 'running'
      guest.leave = () => {
        guest.outcome = 'done'
        leave()
      }
    }
    const end = (error: unknown): void => {
      const late = (error as Error).message.startsWith('The query took longer')
      guest.outcome = late ? 'expired' : 'refused'
      expect(error).to.be.instanceOf(ApiError).with.property('status', 503)
      expect((error as ApiError).headers).to.have.property('Retry-After')
    }
    try {
      const asked = { cost, ...startBudget(timeoutMs, () => time), client: { address, bytes } }
      const turn = line.enter(asked)
      if (typeof turn === 'function') begin(turn)
      else turn.then(begin, end)
    } catch (error) {
      end(error)
    }
    return guest
  }
  const pass = async (ms: number): Promise<void> => {
    time += ms
    admission.review()
    await settled()
  }
  /** Runs tasks of given durations in sequence, so that the admission learns them. Removes their records. */
  const last = async (line: Queue, times: readonly number[], asked: Asking = {}): Promise<void> => {
    for (const ms of times) {
      const task = come(line, asked)
      await pass(ms)
      task.leave?.()
    }
    guests.length = 0
  }
  return { admission, guests, order, come, pass, last }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const outcomes = (guests: readonly Guest[]): readonly Outcome[] =>
  guests.map(({ outcome }) => outcome)

describe('admission', () => {
  it('does not take the start of what runs a task for its work', async () => {
    for (const [isStarting, outcome] of [
      [true, 'waiting'],
      [false, 'refused'],
    ] as const) {
      const { admission, come, pass } = openHouse({})
      const line = admission.queue({ name: 'pool', slots: 1, isStarting: () => isStarting })
      come(line, {})
      await pass(6000)
      expect(come(line, {}).outcome).to.equal(outcome)
    }
  })

  it('lets in who finds a place, and lets the others wait up to the bound', () => {
    const { admission, guests, come } = openHouse({ maxQueued: 2 })
    const line = admission.queue({ name: 'line', slots: 1 })
    for (let n = 0; n < 4; n += 1) come(line, {})
    expect(outcomes(guests)).to.deep.equal(['running', 'waiting', 'waiting', 'refused'])
  })

  it('bounds what waits in all lines together, and in one of them', () => {
    const { admission, guests, come } = openHouse({ maxQueued: 3 })
    const one = admission.queue({ name: 'one', slots: 1 })
    const maxWaiting = { limit: 1, what: 'queries', setting: 'limit' }
    const other = admission.queue({ name: 'other', slots: 1, maxWaiting })
    for (const line of [one, one, one, other, other, other]) come(line, {})
    const [, ...afterFirst] = outcomes(guests)
    expect(afterFirst).to.deep.equal(['waiting', 'waiting', 'running', 'waiting', 'refused'])
    come(one, {})
    expect(guests.at(-1)?.outcome).to.equal('refused')
  })

  it('bounds what the waiting hold in memory', () => {
    const { admission, guests, come } = openHouse({ maxQueuedBytes: 10 })
    const line = admission.queue({ name: 'line', slots: 1 })
    for (const bytes of [100, 6, 6, 4]) come(line, { bytes })
    expect(outcomes(guests)).to.deep.equal(['running', 'waiting', 'refused', 'waiting'])
  })

  it('calls what is cheap before what is dear, but the dear one in the end', async () => {
    const { admission, guests, come, order, pass } = openHouse({})
    const line = admission.queue({ name: 'line', slots: 1 })
    come(line, { name: 'first' })
    come(line, { name: 'dear', cost: 50_000, timeoutMs: 60_000 })
    come(line, { name: 'cheap' })
    await pass(3000)
    come(line, { name: 'cheap, but late' })
    for (let n = 0; n < 3; n += 1) {
      guests.find(({ outcome }) => outcome === 'running')?.leave?.()
      await settled()
    }
    expect(order).to.deep.equal(['first', 'cheap', 'dear', 'cheap, but late'])
  })

  it('gives an address all places that nobody else wants, and no more than half where others wait', async () => {
    const { admission, guests, come } = openHouse({ maxQueued: 4 })
    const line = admission.queue({ name: 'line', slots: 1 })
    for (let n = 0; n < 5; n += 1) come(line, { address: 'many' })
    expect(outcomes(guests)).to.deep.equal(['running', ...Array<Outcome>(4).fill('waiting')])
    come(line, { address: 'one' })
    come(line, { address: 'many' })
    come(line, { address: 'other' })
    come(line, { address: 'third' })
    await settled()
    const waitingOf = (who: string): number =>
      guests.filter(({ address, outcome }) => address === who && outcome === 'waiting').length
    expect(['many', 'one', 'other', 'third'].map(waitingOf)).to.deep.equal([2, 1, 1, 0])
  })

  it('refuses at once whose turn cannot come within half of its time', async () => {
    const { admission, guests, come, last } = openHouse({})
    const line = admission.queue({ name: 'line', slots: 1 })
    // The admission has learned that such a task takes a second.
    await last(line, Array<number>(8).fill(1000))
    for (let n = 0; n < 7; n += 1) come(line, {})
    expect(outcomes(guests).filter((outcome) => outcome === 'waiting')).to.have.length(5)
    expect(guests.at(-1)?.outcome).to.equal('refused')
    come(line, { timeoutMs: 60_000 })
    expect(guests.at(-1)?.outcome).to.equal('waiting')
  })

  it('does not take the one task that had to wait for its thread for what others take', async () => {
    const { admission, guests, come, last } = openHouse({})
    const line = admission.queue({ name: 'line', slots: 1 })
    await last(line, [2000, 50, 50], { cost: 5000 })
    for (let n = 0; n < 16; n += 1) come(line, { cost: 5000 })
    expect(outcomes(guests)).to.not.include('refused')
  })

  it('does not take what was cut off, for its time was over, for quick', async () => {
    const { admission, guests, come, last } = openHouse({})
    const line = admission.queue({ name: 'line', slots: 1 })
    await last(line, Array<number>(8).fill(2000))
    await last(line, Array<number>(8).fill(100), { timeoutMs: 100 })
    for (let n = 0; n < 5; n += 1) come(line, {})
    expect(outcomes(guests)).to.deep.equal([
      ...['running', 'waiting', 'waiting'],
      ...['refused', 'refused'],
    ])
  })

  it('begins nothing that has no time left to be done in', async () => {
    const { admission, guests, come, pass, last } = openHouse({})
    const line = admission.queue({ name: 'line', slots: 1 })
    await last(line, Array<number>(8).fill(1000))
    const long = come(line, {})
    come(line, { timeoutMs: 3000 })
    come(line, { timeoutMs: 9000 })
    await pass(2700)
    long.leave?.()
    await settled()
    expect(outcomes(guests)).to.deep.equal(['done', 'expired', 'running'])
  })

  it('refuses nothing by a time that it has not measured, however late the event loop is', async () => {
    const { admission, guests, come, pass, last } = openHouse({ late: 300 })
    const line = admission.queue({ name: 'line', slots: 1 })
    for (const cost of [1, 50, 500, 5000, 50_000])
      for (let n = 0; n < 60; n += 1) come(line, { cost })
    await pass(50)
    expect(outcomes(guests)).to.not.include('refused')
    for (const guest of guests) {
      guest.leave?.()
      await settled()
    }
    for (const { leave } of guests) leave?.()
    await last(line, Array<number>(8).fill(1000), { cost: 5000 })
    for (let n = 0; n < 60; n += 1) come(line, { cost: 5000 })
    expect(outcomes(guests)).to.include('refused')
  })

  it('lets addresses take turns in one line', async () => {
    const { admission, guests, come, order, pass } = openHouse({})
    const line = admission.queue({ name: 'line', slots: 1 })
    for (let n = 0; n < 50; n += 1) come(line, { address: 'many', cost: 5000, name: 'many' })
    await pass(50)
    for (const cost of [5000, 50_000, 1])
      come(line, { address: `one of ${cost}`, cost, name: `${cost}` })
    for (let n = 0; n < 5; n += 1) {
      guests.find(({ outcome }) => outcome === 'running')?.leave?.()
      await settled()
    }
    expect(order).to.deep.equal(['many', '1', 'many', '5000', 'many', '50000'])
  })

  it('gives an address half of one line where others wait, and takes back what it had beyond', async () => {
    const { admission, guests, come, pass } = openHouse({})
    const maxWaiting = { limit: 4, what: 'queries', setting: 'pool.queueLimit' }
    const line = admission.queue({ name: 'line', slots: 1, maxWaiting })
    for (let n = 0; n < 6; n += 1) come(line, { address: 'many' })
    expect(outcomes(guests)).to.deep.equal([
      'running',
      ...Array<Outcome>(4).fill('waiting'),
      'refused',
    ])
    await pass(2000)
    for (const address of ['one', 'many', 'other', 'third']) come(line, { address })
    await settled()
    const waitingOf = (who: string): number =>
      guests.filter(({ address, outcome }) => address === who && outcome === 'waiting').length
    expect(['many', 'one', 'other', 'third'].map(waitingOf)).to.deep.equal([2, 1, 1, 0])
    expect(admission.figures().waiting).to.equal(4)
  })

  it('refuses dear ones first where the event loop is late', () => {
    const { admission, guests, come } = openHouse({ late: 1500 })
    const line = admission.queue({ name: 'line', slots: 1 })
    for (const cost of [1, 100_000, 1]) come(line, { cost })
    expect(outcomes(guests)).to.deep.equal(['running', 'refused', 'waiting'])
  })

  it('never refuses the service itself, whose reads belong to writes that are done', () => {
    const { admission } = openHouse({ maxQueued: 1 })
    const line = admission.queue({ name: 'line', slots: 1, overflows: true })
    const asked = { cost: 1, left: () => Infinity, timeoutMs: 10_000 }
    for (let n = 0; n < 5; n += 1) expect(line.enter(asked)).to.be.a('function')
  })

  it('holds its bounds whoever comes, and refuses nobody by an estimate who has waited for more than 100 ms', async () => {
    const arrival = fc.record({
      kind: fc.constant('come' as const),
      line: fc.nat(1),
      cost: fc.constantFrom(1, 20, 500, 30_000, 1e7),
      address: fc.constantFrom('a', 'b', 'c'),
      bytes: fc.integer({ min: 1, max: 40 }),
      timeoutMs: fc.constantFrom(200, 10_000),
    })
    const step = fc.oneof(
      { weight: 6, arbitrary: arrival },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(20) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('pass' as const),
          ms: fc.constantFrom(1, 40, 90, 700),
        }),
      },
    )
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 120 }),
      fc.integer({ min: 1, max: 8 }),
      async (steps, maxQueued) => {
        const { admission, guests, come, pass } = openHouse({ maxQueued, maxQueuedBytes: 100 })
        const maxWaiting = { limit: 3, what: 'queries', setting: 'limit' }
        const lines = [
          admission.queue({ name: 'wide', slots: 2 }),
          admission.queue({ name: 'narrow', slots: 1, maxWaiting }),
        ] as const
        for (const step of steps) {
          if (step.kind === 'come') {
            const before = guests.filter(({ outcome }) => outcome === 'waiting')
            const guest = come(lines[step.line] ?? lines[0], step)
            const own = before.filter(({ address }) => address === step.address).length
            if (guest.outcome === 'waiting' && own < before.length)
              expect(own + 1).to.be.at.most(Math.max(1, Math.floor(maxQueued / 2)))
          } else if (step.kind === 'pass') await pass(step.ms)
          else {
            const busy = guests.filter(({ outcome }) => outcome === 'running')
            busy[step.which % Math.max(1, busy.length)]?.leave?.()
          }
          await settled()
          const figures = admission.figures()
          expect(figures.waiting).to.be.at.most(maxQueued)
          expect(figures.waitingBytes).to.be.at.most(100)
          const [wide, narrow] = figures.queues
          expect(wide?.running).to.be.at.most(2)
          expect(narrow?.running).to.be.at.most(1)
          expect(narrow?.waiting).to.be.at.most(3)
          for (const line of figures.queues) {
            expect(line.longestRefusedMs).to.be.at.most(100)
            // No request waits while a slot is free.
            if (line.waiting > 0) expect(line.running).to.be.greaterThan(0)
          }
          const count = (outcome: Outcome): number =>
            guests.filter((guest) => guest.outcome === outcome).length
          expect(figures.waiting).to.equal(count('waiting'))
        }
      },
    )
    await fc.assert(property, { numRuns: runs(150) })
  })
})
