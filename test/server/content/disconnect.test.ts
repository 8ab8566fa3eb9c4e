import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectLines, isError } from '../../support/log-lines.js'
import type { TestApp } from '../../support/start-app.js'
import { startApp } from '../../support/start-app.js'
import { insertSlowArticles, running, slowPath, untilRunning } from '../../workers/slow-articles.js'

/** With how many of five the database has to do at a time, beside one more. */
for (const [lane, costThreshold, atOnce] of [
  ['on the main thread', 1_000_000_000, 5],
  ['in the pool', 50, 1],
] as const) {
  describe(`A query ${lane} whose client hangs up`, () => {
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

    /** The query, and how to hang up on it. */
    const ask = () => {
      const hangUp = new AbortController()
      const { signal } = hangUp
      const asked = { token: app.token, signal }
      const ended = app
        .request('GET', `${slowPath}&pagination[withCount]=false`, asked)
        .then(({ status }) => status)
        .catch((error: Error) => error.name)
      return { ended, hangUp: () => hangUp.abort() }
    }

    /** What was asked before runs on: who is hung up on has not come to the end of what is as long. */
    const hangUpOn = async (queries: number): Promise<void> => {
      const { db } = app.quire.services
      const order: string[] = []
      const before = ask()
      void before.ended.then(() => order.push('the one asked before'))
      await untilRunning(db, 'articles', 1)
      const asked = Array.from({ length: queries }, ask)
      await untilRunning(db, 'articles', 1 + Math.min(queries, atOnce))
      const other = await app.request('GET', '/api/articles/d1', { token: app.token })
      expect(other.status, 'another request meanwhile').to.equal(200)
      for (const { hangUp } of asked) hangUp()
      expect(await Promise.all(asked.map(({ ended }) => ended))).to.deep.equal(
        asked.map(() => 'AbortError'),
      )
      await untilRunning(db, 'articles', 1)
      order.push('all that were hung up on')
      expect(order).to.deep.equal(['all that were hung up on'])
      before.hangUp()
      expect(await before.ended).to.equal('AbortError')
      await untilRunning(db, 'articles', 0)
    }

    it('is ended in the database at once, while others are answered', () => hangUpOn(1))

    it('is not begun where it still waits for its turn', async () => {
      await hangUpOn(5)
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
