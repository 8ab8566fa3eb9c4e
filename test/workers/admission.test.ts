import { expect } from 'chai'
import fc from 'fast-check'
import type { Answer } from '../support/request.js'
import type { TestApp } from '../support/test-app.js'
import { startApp } from '../support/start-app.js'
import { eventually } from '../server/database/support.js'
import { insertSlowArticles, slowPath, untilRunning } from './slow-articles.js'
import { startBudget } from '../../engine/read/execute/budget.js'
import { ApiError } from '../../engine/errors.js'
import type { Admission, Leave, Queue } from '../../workers/admission.js'
import { createAdmission } from '../../workers/admission.js'
import { runs } from '../support/properties.js'

const slow = `${slowPath}&pagination[withCount]=false`

/** Sends more heavy queries than the queue can hold, in both execution modes. */
for (const [mode, costThreshold] of [
  ['on the main thread', 1_000_000_000],
  ['in the pool', 50],
] as const) {
  describe(`many slow queries ${mode}`, () => {
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

    it('return 200, or 503 with Retry-After without a long wait', async () => {
      const { token, quire } = app
      const ask = (): Promise<Answer> => app.request('GET', slow, { token })
      const answers = await Promise.all(Array.from({ length: 40 }, ask))
      for (const { status, headers } of answers) {
        expect(status).to.be.oneOf([200, 503])
        if (status === 503) expect(headers.get('retry-after')).to.match(/^[1-9]\d?$/)
      }
      // The requests have their responses, but their entries are only removed at the next review of the queue.
      await eventually(() => quire.admission.figures().waiting === 0)
      const { waitingBytes, queues } = quire.admission.figures()
      expect(waitingBytes).to.equal(0)
      const sum = (pick: (queue: (typeof queues)[number]) => number): number =>
        queues.reduce((total, queue) => total + pick(queue), 0)
      expect(sum(({ admitted, refused, expired }) => admitted + refused + expired)).to.be.at.most(
        40,
      )
      expect(sum(({ refused }) => refused)).to.be.greaterThan(0)
      const unavailable = answers.filter(({ status }) => status === 503)
      expect(sum(({ refused }) => refused)).to.be.at.most(unavailable.length)
      for (const { longestRefusedMs } of queues) expect(longestRefusedMs).to.be.at.most(100)
    })

    it('do not affect later requests', async () => {
      await untilRunning(app.quire.services.db, 'articles', 0)
      const { token } = app
      const responses = [1, 2, 3].map((n) => app.request('GET', `/api/articles/d${n}`, { token }))
      expect((await Promise.all(responses)).map(({ status }) => status)).to.deep.equal([
        200, 200, 200,
      ])
    })
  })
}

type Outcome = 'running' | 'waiting' | 'refused' | 'expired' | 'done'
/** By default, requests are cheap, and come from the same client address. */
type RequestOptions = Readonly<{
  cost?: number
  address?: string
  bytes?: number
  timeoutMs?: number
  name?: string
}>
type Entry = { cost: number; address: string; since: number; outcome: Outcome; release?: Leave }

/** Creates an admission whose clock the test controls. */
function startAdmission(
  options: Readonly<{ maxQueued?: number; maxQueuedBytes?: number; late?: number }>,
) {
  let time = 1_000_000
  const { maxQueued = 1000, maxQueuedBytes = 1e9, late = 0 } = options
  const admission: Admission = createAdmission({
    ...{ maxQueued, maxQueuedBytes },
    now: () => time,
    lateness: () => late,
  })
  const entries: Entry[] = []
  const order: string[] = []
  const send = (
    queue: Queue,
    { cost = 1, address = 'a', bytes = 1, timeoutMs = 10_000, name = '' }: RequestOptions,
  ): Entry => {
    const entry: Entry = { cost, address, since: time, outcome: 'waiting' }
    entries.push(entry)
    const begin = (release: Leave): void => {
      order.push(name)
      entry.outcome = 'running'
      entry.release = () => {
        entry.outcome = 'done'
        release()
      }
    }
    const end = (error: unknown): void => {
      const late = (error as Error).message.startsWith('The query took longer')
      entry.outcome = late ? 'expired' : 'refused'
      expect(error).to.be.instanceOf(ApiError).with.property('status', 503)
      expect((error as ApiError).headers).to.have.property('Retry-After')
    }
    try {
      const request = { cost, ...startBudget(timeoutMs, () => time), client: { address, bytes } }
      const turn = queue.enter(request)
      if (typeof turn === 'function') begin(turn)
      else turn.then(begin, end)
    } catch (error) {
      end(error)
    }
    return entry
  }
  const pass = async (ms: number): Promise<void> => {
    time += ms
    admission.review()
    await settled()
  }
  /** Runs tasks one after the other, so that the admission learns their durations. Clears `entries` at the end. */
  const runInSequence = async (
    queue: Queue,
    times: readonly number[],
    request: RequestOptions = {},
  ): Promise<void> => {
    for (const ms of times) {
      const task = send(queue, request)
      await pass(ms)
      task.release?.()
    }
    entries.length = 0
  }
  return { admission, entries, order, send, pass, runInSequence }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const outcomes = (entries: readonly Entry[]): readonly Outcome[] =>
  entries.map(({ outcome }) => outcome)

describe('admission', () => {
  it("does not count the start of a worker as part of a task's duration", async () => {
    for (const [isStarting, outcome] of [
      [true, 'waiting'],
      [false, 'refused'],
    ] as const) {
      const { admission, send, pass } = startAdmission({})
      const queue = admission.queue({ name: 'pool', slots: 1, isStarting: () => isStarting })
      send(queue, {})
      await pass(6000)
      expect(send(queue, {}).outcome).to.equal(outcome)
    }
  })

  it('runs requests while slots are free, and queues others up to maxQueued', () => {
    const { admission, entries, send } = startAdmission({ maxQueued: 2 })
    const queue = admission.queue({ name: 'queue', slots: 1 })
    for (let n = 0; n < 4; n += 1) send(queue, {})
    expect(outcomes(entries)).to.deep.equal(['running', 'waiting', 'waiting', 'refused'])
  })

  it('limits the waiting requests of all queues together, and those of one queue', () => {
    const { admission, entries, send } = startAdmission({ maxQueued: 3 })
    const one = admission.queue({ name: 'one', slots: 1 })
    const maxWaiting = { limit: 1, what: 'queries', setting: 'limit' }
    const other = admission.queue({ name: 'other', slots: 1, maxWaiting })
    for (const queue of [one, one, one, other, other, other]) send(queue, {})
    const [, ...afterFirst] = outcomes(entries)
    expect(afterFirst).to.deep.equal(['waiting', 'waiting', 'running', 'waiting', 'refused'])
    send(one, {})
    expect(entries.at(-1)?.outcome).to.equal('refused')
  })

  it('limits the memory of waiting requests', () => {
    const { admission, entries, send } = startAdmission({ maxQueuedBytes: 10 })
    const queue = admission.queue({ name: 'queue', slots: 1 })
    for (const bytes of [100, 6, 6, 4]) send(queue, { bytes })
    expect(outcomes(entries)).to.deep.equal(['running', 'waiting', 'refused', 'waiting'])
  })

  it('runs cheap requests before expensive ones, but not cheap ones that arrive much later', async () => {
    const { admission, entries, send, order, pass } = startAdmission({})
    const queue = admission.queue({ name: 'queue', slots: 1 })
    send(queue, { name: 'first' })
    send(queue, { name: 'dear', cost: 50_000, timeoutMs: 60_000 })
    send(queue, { name: 'cheap' })
    await pass(3000)
    send(queue, { name: 'cheap, but late' })
    for (let n = 0; n < 3; n += 1) {
      entries.find(({ outcome }) => outcome === 'running')?.release?.()
      await settled()
    }
    expect(order).to.deep.equal(['first', 'cheap', 'dear', 'cheap, but late'])
  })

  it('gives an address all free queue entries, but at most half if others wait', async () => {
    const { admission, entries, send } = startAdmission({ maxQueued: 4 })
    const queue = admission.queue({ name: 'queue', slots: 1 })
    for (let n = 0; n < 5; n += 1) send(queue, { address: 'many' })
    expect(outcomes(entries)).to.deep.equal(['running', ...Array<Outcome>(4).fill('waiting')])
    send(queue, { address: 'one' })
    send(queue, { address: 'many' })
    send(queue, { address: 'other' })
    send(queue, { address: 'third' })
    await settled()
    const waitingOf = (name: string): number =>
      entries.filter(({ address, outcome }) => address === name && outcome === 'waiting').length
    expect(['many', 'one', 'other', 'third'].map(waitingOf)).to.deep.equal([2, 1, 1, 0])
  })

  it('rejects a request at once if its turn cannot send within half of its timeout', async () => {
    const { admission, entries, send, runInSequence } = startAdmission({})
    const queue = admission.queue({ name: 'queue', slots: 1 })
    // Makes the admission expect that a task takes a second.
    await runInSequence(queue, Array<number>(8).fill(1000))
    for (let n = 0; n < 7; n += 1) send(queue, {})
    expect(outcomes(entries).filter((outcome) => outcome === 'waiting')).to.have.length(5)
    expect(entries.at(-1)?.outcome).to.equal('refused')
    send(queue, { timeoutMs: 60_000 })
    expect(entries.at(-1)?.outcome).to.equal('waiting')
  })

  it('ignores a single slow task when it estimates durations', async () => {
    const { admission, entries, send, runInSequence } = startAdmission({})
    const queue = admission.queue({ name: 'queue', slots: 1 })
    await runInSequence(queue, [2000, 50, 50], { cost: 5000 })
    for (let n = 0; n < 16; n += 1) send(queue, { cost: 5000 })
    expect(outcomes(entries)).to.not.include('refused')
  })

  it('does not learn short durations from tasks that timed out', async () => {
    const { admission, entries, send, runInSequence } = startAdmission({})
    const queue = admission.queue({ name: 'queue', slots: 1 })
    await runInSequence(queue, Array<number>(8).fill(2000))
    await runInSequence(queue, Array<number>(8).fill(100), { timeoutMs: 100 })
    for (let n = 0; n < 5; n += 1) send(queue, {})
    expect(outcomes(entries)).to.deep.equal([
      ...['running', 'waiting', 'waiting'],
      ...['refused', 'refused'],
    ])
  })

  it('does not start a request whose remaining time is too short', async () => {
    const { admission, entries, send, pass, runInSequence } = startAdmission({})
    const queue = admission.queue({ name: 'queue', slots: 1 })
    await runInSequence(queue, Array<number>(8).fill(1000))
    const long = send(queue, {})
    send(queue, { timeoutMs: 3000 })
    send(queue, { timeoutMs: 9000 })
    await pass(2700)
    long.release?.()
    await settled()
    expect(outcomes(entries)).to.deep.equal(['done', 'expired', 'running'])
  })

  it('rejects no request before it has measured durations, even if the event loop is late', async () => {
    const { admission, entries, send, pass, runInSequence } = startAdmission({ late: 300 })
    const queue = admission.queue({ name: 'queue', slots: 1 })
    for (const cost of [1, 50, 500, 5000, 50_000])
      for (let n = 0; n < 60; n += 1) send(queue, { cost })
    await pass(50)
    expect(outcomes(entries)).to.not.include('refused')
    for (const entry of entries) {
      entry.release?.()
      await settled()
    }
    for (const { release } of entries) release?.()
    await runInSequence(queue, Array<number>(8).fill(1000), { cost: 5000 })
    for (let n = 0; n < 60; n += 1) send(queue, { cost: 5000 })
    expect(outcomes(entries)).to.include('refused')
  })

  it('lets addresses take turns in one queue', async () => {
    const { admission, entries, send, order, pass } = startAdmission({})
    const queue = admission.queue({ name: 'queue', slots: 1 })
    for (let n = 0; n < 50; n += 1) send(queue, { address: 'many', cost: 5000, name: 'many' })
    await pass(50)
    for (const cost of [5000, 50_000, 1])
      send(queue, { address: `one of ${cost}`, cost, name: `${cost}` })
    for (let n = 0; n < 5; n += 1) {
      entries.find(({ outcome }) => outcome === 'running')?.release?.()
      await settled()
    }
    expect(order).to.deep.equal(['many', '1', 'many', '5000', 'many', '50000'])
  })

  it('limits an address to half of a queue if others wait, and removes its excess requests', async () => {
    const { admission, entries, send, pass } = startAdmission({})
    const maxWaiting = { limit: 4, what: 'queries', setting: 'pool.queueLimit' }
    const queue = admission.queue({ name: 'queue', slots: 1, maxWaiting })
    for (let n = 0; n < 6; n += 1) send(queue, { address: 'many' })
    expect(outcomes(entries)).to.deep.equal([
      'running',
      ...Array<Outcome>(4).fill('waiting'),
      'refused',
    ])
    await pass(2000)
    for (const address of ['one', 'many', 'other', 'third']) send(queue, { address })
    await settled()
    const waitingOf = (name: string): number =>
      entries.filter(({ address, outcome }) => address === name && outcome === 'waiting').length
    expect(['many', 'one', 'other', 'third'].map(waitingOf)).to.deep.equal([2, 1, 1, 0])
    expect(admission.figures().waiting).to.equal(4)
  })

  it('rejects expensive requests first if the event loop is late', () => {
    const { admission, entries, send } = startAdmission({ late: 1500 })
    const queue = admission.queue({ name: 'queue', slots: 1 })
    for (const cost of [1, 100_000, 1]) send(queue, { cost })
    expect(outcomes(entries)).to.deep.equal(['running', 'refused', 'waiting'])
  })

  it('never rejects reads of the service itself, which belong to completed writes', () => {
    const { admission } = startAdmission({ maxQueued: 1 })
    const queue = admission.queue({ name: 'queue', slots: 1, overflows: true })
    const request = { cost: 1, left: () => Infinity, timeoutMs: 10_000 }
    for (let n = 0; n < 5; n += 1) expect(queue.enter(request)).to.be.a('function')
  })

  it('keeps its limits for random requests, and rejects none by an estimate after 100 ms', async () => {
    const arrival = fc.record({
      kind: fc.constant('send' as const),
      queue: fc.nat(1),
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
        const { admission, entries, send, pass } = startAdmission({
          maxQueued,
          maxQueuedBytes: 100,
        })
        const maxWaiting = { limit: 3, what: 'queries', setting: 'limit' }
        const queueList = [
          admission.queue({ name: 'wide', slots: 2 }),
          admission.queue({ name: 'narrow', slots: 1, maxWaiting }),
        ] as const
        for (const step of steps) {
          if (step.kind === 'send') {
            const before = entries.filter(({ outcome }) => outcome === 'waiting')
            const entry = send(queueList[step.queue] ?? queueList[0], step)
            const own = before.filter(({ address }) => address === step.address).length
            if (entry.outcome === 'waiting' && own < before.length)
              expect(own + 1).to.be.at.most(Math.max(1, Math.floor(maxQueued / 2)))
          } else if (step.kind === 'pass') await pass(step.ms)
          else {
            const busy = entries.filter(({ outcome }) => outcome === 'running')
            busy[step.which % Math.max(1, busy.length)]?.release?.()
          }
          await settled()
          const figures = admission.figures()
          expect(figures.waiting).to.be.at.most(maxQueued)
          expect(figures.waitingBytes).to.be.at.most(100)
          const [wide, narrow] = figures.queues
          expect(wide?.running).to.be.at.most(2)
          expect(narrow?.running).to.be.at.most(1)
          expect(narrow?.waiting).to.be.at.most(3)
          for (const queue of figures.queues) {
            expect(queue.longestRefusedMs).to.be.at.most(100)
            // If requests wait, tasks must be running, because no request waits while a slot is free.
            if (queue.waiting > 0) expect(queue.running).to.be.greaterThan(0)
          }
          const count = (outcome: Outcome): number =>
            entries.filter((entry) => entry.outcome === outcome).length
          expect(figures.waiting).to.equal(count('waiting'))
        }
      },
    )
    await fc.assert(property, { numRuns: runs(150) })
  })
})
