import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'

describe('query beyond the memory limit of the database', () => {
  it('returns 400 with the reason', async () => {
    const app = await startApp({ settings: { 'pool.costThreshold': 1_000_000 } })
    try {
      const { db } = app.quire.services
      await db.collection('authors').insertOne({ documentId: 'a', name: 'Ana' })
      // Each entry joins all others: more than the 100 MB that a lookup may hold for one entry.
      const articles = Array.from({ length: 1_100 }, (_, n) => ({
        ...{ documentId: `d${n}`, locale: 'en', title: `${n} ${'x'.repeat(2_000)}` },
        author: { documentId: 'a', order: n },
      }))
      await db.collection('articles').insertMany(articles)
      const path = '/api/articles?sort=author.articles.author.articles.title'
      const { status, body } = await app.request('GET', path, { token: app.token })
      expect([status, body]).to.deep.equal([
        400,
        {
          data: null,
          error: {
            status: 400,
            name: 'ValidationError',
            message: 'The query needs more memory than the database allows',
            details: {},
          },
        },
      ])
    } finally {
      await app.stop()
    }
  })
})
