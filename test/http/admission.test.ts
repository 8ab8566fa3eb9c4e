import { expect } from 'chai'
import type { Answer } from '../support/request.js'
import type { TestApp } from '../support/start-app.js'
import { startApp } from '../support/start-app.js'
import { insertSlowArticles, slowPath, untilRunning } from './slow-articles.js'

const slow = `${slowPath}&pagination[withCount]=false`

/** More heavy queries than may wait, in either lane. */
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
          'api.rest.queryTimeoutMs': 3000,
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
      const { waiting, waitingBytes, lines } = quire.admission.figures()
      expect({ waiting, waitingBytes }).to.deep.equal({ waiting: 0, waitingBytes: 0 })
      const sum = (pick: (line: (typeof lines)[number]) => number): number =>
        lines.reduce((total, line) => total + pick(line), 0)
      expect(sum(({ admitted, refused, expired }) => admitted + refused + expired)).to.be.at.most(
        40,
      )
      expect(sum(({ refused }) => refused)).to.be.greaterThan(0)
      const unavailable = answers.filter(({ status }) => status === 503)
      expect(sum(({ refused }) => refused)).to.be.at.most(unavailable.length)
      for (const { longestRefusedMs } of lines) expect(longestRefusedMs).to.be.at.most(100)
    })

    it('leave the service as it was', async () => {
      await untilRunning(app.quire.services.db, 'articles', 0)
      const { token } = app
      const asked = [1, 2, 3].map((n) => app.request('GET', `/api/articles/d${n}`, { token }))
      expect((await Promise.all(asked)).map(({ status }) => status)).to.deep.equal([200, 200, 200])
    })
  })
}
