import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectLines, isError } from '../../support/log-lines.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { insertSlowArticles, running, slowPath, untilRunning } from '../../workers/slow-articles.js'

/** `atOnce`: how many of five queries the database runs at once while an earlier query is still running. */
for (const [lane, costThreshold, atOnce] of [
  ['on the main thread', 1_000_000_000, 5],
  ['in the pool', 50, 1],
] as const) {
  describe(`query ${lane} whose client disconnects`, () => {
    const { log, lines } = collectLines()
    let app: TestApp
    before(async () => {
      const settings = {
        ...{ 'pool.costThreshold': costThreshold, 'pool.threads': 2 },
        'api.rest.queryTimeoutMs': 600_000,
      }
      app = await startApp({ log, settings })
      await insertSlowArticles(app.quire.services.db)
    })
    after(() => app.stop())

    const ask = () => {
      const hangUp = new AbortController()
      const { signal } = hangUp
      const options = { token: app.token, signal }
      const ended = app
        .request('GET', `${slowPath}&pagination[withCount]=false`, options)
        .then(({ status }) => status)
        .catch((error: Error) => error.name)
      return { ended, hangUp: () => hangUp.abort() }
    }

    /**
     * Starts an equally long query first. While it is running, the later queries cannot have ended by themselves, so if
     * they end, it is because their clients have disconnected.
     */
    const hangUpOn = async (queries: number): Promise<void> => {
      const { db } = app.quire.services
      const order: string[] = []
      const before = ask()
      void before.ended.then(() => order.push('the one asked before'))
      await untilRunning(db, 'articles', 1)
      const started = Array.from({ length: queries }, ask)
      await untilRunning(db, 'articles', 1 + Math.min(queries, atOnce))
      const other = await app.request('GET', '/api/articles/d1', { token: app.token })
      expect(other.status, 'another request meanwhile').to.equal(200)
      for (const { hangUp } of started) hangUp()
      expect(await Promise.all(started.map(({ ended }) => ended))).to.deep.equal(
        started.map(() => 'AbortError'),
      )
      await untilRunning(db, 'articles', 1)
      order.push('all that were hung up on')
      expect(order).to.deep.equal(['all that were hung up on'])
      before.hangUp()
      expect(await before.ended).to.equal('AbortError')
      await untilRunning(db, 'articles', 0)
    }

    it('stops in the database at once, while other requests get their responses', () => hangUpOn(1))

    it('never starts if it is still queued', async () => {
      await hangUpOn(5)
      await sleep(200)
      expect(await running(app.quire.services.db, 'articles')).to.equal(0)
      const after = await app.request('GET', '/api/articles/d2', { token: app.token })
      expect(after.status).to.equal(200)
    })

    it('logs no error', () => {
      expect(lines.filter(isError)).to.deep.equal([])
    })
  })
}
