import { mock } from 'node:test'
import { expect } from 'chai'
import type { Db } from 'mongodb'
import { claimWork } from '../../../server/accounts/claim-work.js'
import { storedCounts } from '../../../server/rate-limit/stored-counts.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const hourMs = 3_600_000

describe('instance whose clock is an hour ahead or is set back', () => {
  let app: TestApp
  let db: Db
  before(async () => {
    app = await startApp()
    ;({ db } = app.quire.services)
  })
  after(() => app.stop())
  afterEach(() => mock.timers.reset())

  const setClock = (stepMs: number) => {
    mock.timers.reset()
    if (stepMs !== 0) mock.timers.enable({ apis: ['Date'], now: Date.now() + stepMs })
  }

  it('does not take over work that another instance is doing', async () => {
    const order: string[] = []
    let end: () => void = () => undefined
    const first = claimWork(db, 'trial', async () => {
      order.push('begun')
      await new Promise<void>((resolve) => (end = resolve))
      order.push('ended')
    })
    while (order.length === 0) await new Promise(setImmediate)
    setClock(hourMs)
    const second = claimWork(db, 'trial', () => Promise.resolve(order.push('next')))
    for (let turn = 0; turn < 10; turn++) await db.command({ ping: 1 })
    expect(order).to.deep.equal(['begun'])
    end()
    await Promise.all([first, second])
    expect(order).to.deep.equal(['begun', 'ended', 'next'])
  })

  it('counts attempts in the same minute as the other instances, and locks nobody out for an hour', async () => {
    const counts = storedCounts(db)('auth')
    if (counts === undefined) throw new Error('The counts are not stored in the database')
    const endsAt = async () =>
      Number((await db.collection('_rateLimits').findOne({ _id: 'ana' as never }))?.['endsAt'])
    const hits: number[] = []
    for (const step of [0, hourMs, -hourMs, 0]) {
      setClock(step)
      const now = Date.now()
      const { totalHits, resetTime } = await counts.increment('ana')
      hits.push(totalHits)
      expect(Number(resetTime) - now).to.be.within(1, 65_000)
    }
    expect(hits).to.deep.equal([1, 2, 3, 4])
    expect((await endsAt()) - Date.now()).to.be.within(1, 65_000)
  })
})
