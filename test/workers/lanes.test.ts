import { expect } from 'chai'
import type { Magazine } from '../server/content/magazine.js'
import { startMagazine } from '../server/content/magazine.js'
import { testDatabaseUri } from '../support/database.js'
import type { TestApp } from '../support/start-app.js'
import { startApp } from '../support/start-app.js'

describe('The lane that a query runs in', () => {
  let magazine: Magazine
  let pooled: TestApp
  let databaseUri: string
  before(async () => {
    databaseUri = await testDatabaseUri()
    magazine = await startMagazine({ databaseUri, settings: { 'pool.costThreshold': 1_000_000 } })
    pooled = await startApp({ databaseUri, settings: { 'pool.costThreshold': 0 } })
  })
  after(async () => {
    await magazine.app.quire.services.db.dropDatabase()
    await magazine.app.stop()
    await pooled.stop()
  })

  it('makes no difference to the bytes of an answer', async () => {
    const { app, ids } = magazine
    for (const path of [
      '/api/articles?populate=*',
      '/api/articles?populate=author.articles.tags,seo.social.profile,sections.by&sort=author.name',
      '/api/articles?filters[tags][name]=cold&locale=*',
      `/api/articles/${ids['rain']}?populate=localizations`,
      '/api/articles/nope',
      '/api/articles?filters[views]=many',
    ]) {
      const inline = await app.request('GET', path, { token: app.token })
      const worker = await pooled.request('GET', path, { token: pooled.token })
      expect([worker.status, worker.text], path).to.deep.equal([inline.status, inline.text])
      expect(worker.headers.get('etag')).to.equal(inline.headers.get('etag'))
    }
  })

  it('counts populated entries as they are written, and refuses at the relation that is too much', async () => {
    const settings = { 'api.rest.maxPopulatedEntries': 3 }
    const bounded = await startApp({ databaseUri, settings })
    // Rain shows an author and two tags, Snow an author and a tag.
    const refusedAt = async (query: string): Promise<unknown> => {
      const { body } = await bounded.request('GET', `/api/articles?sort=title&${query}`, {
        token: bounded.token,
      })
      return (body as { error?: { details: { relation: string } } }).error?.details.relation
    }
    try {
      expect(await refusedAt('populate=author')).to.equal(undefined)
      expect(await refusedAt('populate=tags')).to.equal(undefined)
      expect(await refusedAt('populate=author,tags')).to.equal('author')
      // Ana's articles are copied where she is shown for the second time.
      expect(await refusedAt('populate=author.articles')).to.equal('author')
      expect(await refusedAt('populate=author.articles.author')).to.equal('articles')
    } finally {
      await bounded.stop()
    }
  })

  it('counts the entries that refer to each one in the database, however many they are', async () => {
    const bounded = await startApp({ databaseUri, settings: { 'api.rest.maxPopulatedEntries': 1 } })
    const counted = async (query: string): Promise<unknown> => {
      const path = `/api/authors?fields=name&sort=name&${query}`
      const { body } = await bounded.request('GET', path, { token: bounded.token })
      const { data } = body as { data: { name: string; articles: unknown }[] }
      return data.map(({ name, articles }) => [name, articles])
    }
    try {
      expect(await counted('populate[articles][count]=true')).to.deep.equal([
        ['Ana', { count: 2 }],
        ['Ben', { count: 1 }],
      ])
      const rain = 'populate[articles][count]=true&populate[articles][filters][title]=Rain'
      expect(await counted(rain)).to.deep.equal([
        ['Ana', { count: 1 }],
        ['Ben', { count: 0 }],
      ])
    } finally {
      await bounded.stop()
    }
  })

  it('keeps errors whole on the way from a worker', async () => {
    const settings = { 'pool.costThreshold': 0, 'api.rest.maxPopulatedEntries': 2 }
    const bounded = await startApp({ databaseUri, settings })
    try {
      const path = '/api/articles?populate=tags'
      expect((await bounded.request('GET', path, { token: bounded.token })).body).to.deep.equal({
        data: null,
        error: {
          status: 400,
          name: 'ValidationError',
          message:
            'The number of populated entries at tags exceeds the limit of 2 (api.rest.maxPopulatedEntries)',
          details: { bound: 'api.rest.maxPopulatedEntries', limit: 2, relation: 'tags' },
        },
      })
    } finally {
      await bounded.stop()
    }
  })
})
