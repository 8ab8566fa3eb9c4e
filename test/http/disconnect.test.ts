import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectLines, isError } from '../support/log-lines.js'
import type { TestApp } from '../support/start-app.js'
import { startApp } from '../support/start-app.js'
import { insertSlowArticles, running, slowPath, untilRunning } from './slow-articles.js'

/** With how many of six the database has to do at a time. */
for (const [lane, costThreshold, atOnce] of [
  ['on the main thread', 1_000_000_000, 6],
  ['in the pool', 50, 1],
] as const) {
  describe(`A query ${lane} whose client hangs up`, () => {
    const { log, lines } = collectLines()
    let app: TestApp
    before(async () => {
      const settings = { 'pool.costThreshold': costThreshold, 'api.rest.queryTimeoutMs': 30_000 }
      app = await startApp({ log, settings })
      await insertSlowArticles(app.quire.services.db)
    })
    after(() => app.stop())

    const hangUpOn = async (queries: number): Promise<void> => {
      const { db } = app.quire.services
      const hangUp = new AbortController()
      const { signal } = hangUp
      const answers = Array.from({ length: queries }, () =>
        app.request('GET', `${slowPath}&pagination[withCount]=false`, { token: app.token, signal }),
      )
      await untilRunning(db, 'articles', Math.min(queries, atOnce))
      const other = await app.request('GET', '/api/articles/d1', { token: app.token })
      expect(other.status, 'another request meanwhile').to.equal(200)
      expect(await running(db, 'articles'), 'of which it runs').to.be.greaterThan(0)
      const hungUp = performance.now()
      hangUp.abort()
      await Promise.allSettled(answers)
      await untilRunning(db, 'articles', 0)
      expect(performance.now() - hungUp).to.be.lessThan(2000)
    }

    it('is ended in the database at once, while others are answered', () => hangUpOn(1))

    it('is not begun where it still waits for its turn', async () => {
      await hangUpOn(6)
      await sleep(200)
      expect(await running(app.quire.services.db, 'articles')).to.equal(0)
      const after = await app.request('GET', '/api/articles/d2', { token: app.token })
      expect(after.status).to.equal(200)
    })

    it('is no error, neither in the log nor as a 500', () => {
      expect(lines.filter(isError)).to.deep.equal([])
    })
  })
}
