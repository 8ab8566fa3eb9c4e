import { expect } from 'chai'
import type { CommandStartedEvent } from 'mongodb'
import { explainPipelines } from '../../../engine/explain/explain-pipelines.js'
import { testDatabaseUri } from '../../support/database.js'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'
import { insertSlowArticles, running } from '../../workers/slow-articles.js'
import { startBudget } from '../../../engine/read/execute/budget.js'

type Explained = Readonly<{
  lane: string
  cost: number
  total: string
  relations: readonly unknown[]
  pipelines: readonly Readonly<{
    purpose: string
    collection: string
    pipeline: readonly Record<string, unknown>[]
    rows: number
    stages: readonly string[]
    advice?: string
    statistics?: unknown
  }>[]
}>

describe('explain=true', () => {
  let magazine: Magazine
  before(async () => {
    const databaseUri = `${await testDatabaseUri()}&monitorCommands=true`
    magazine = await startMagazine({ databaseUri })
  })
  after(async () => {
    await magazine.app.quire.services.db.dropDatabase()
    await magazine.app.stop()
  })

  const explain = async (query: string): Promise<Explained> => {
    const { status, body } = await magazine.get(`/api/articles?${query}`)
    expect(status, JSON.stringify(body)).to.equal(200)
    return (body as { data: Explained }).data
  }

  it('returns the execution mode, cost and pipelines instead of the data', async () => {
    const { lane, cost, total, pipelines } = await explain(
      'explain=true&filters[author][name]=Ana&populate[tags][fields]=name&fields=title',
    )
    expect([lane, total]).to.deep.equal(['inline', 'count'])
    expect(cost).to.be.greaterThan(25)
    expect(
      pipelines.map(({ purpose, collection, rows }) => [purpose, collection, rows]),
    ).to.have.deep.members([
      ['filter through author', 'authors', 1],
      ['page', 'articles', 2],
      ['total', 'articles', 1],
      ['populate tags', 'tags', 2],
    ])
    const page = pipelines.find(({ purpose }) => purpose === 'page')
    expect(page?.pipeline[0]).to.deep.equal({
      $match: {
        $and: [{ locale: { $eq: 'en' } }, { 'author.documentId': { $in: [magazine.ids['ana']] } }],
      },
    })
    expect(page).to.not.have.property('statistics')
  })

  it('shows how each relation of a filter or sort was resolved, and why', async () => {
    const relations = async (query: string) => (await explain(`explain=true&${query}`)).relations
    expect(await relations('filters[author][name]=Ana')).to.deep.equal([
      {
        through: 'author',
        collection: 'authors',
        form: 'keys',
        why: '1 found; up to 300000 are asked for by name',
      },
    ])
    expect(await relations('sort=author.name')).to.deep.equal([
      {
        through: 'author',
        collection: 'authors',
        form: 'ranks',
        why: '2 found; up to 1000 are put in order beforehand',
      },
    ])
  })

  it('names the missing index and the option that creates it', async () => {
    const advice = async (query: string) =>
      (await explain(`explain=true&${query}`)).pipelines.find(({ purpose }) => purpose === 'page')
        ?.advice
    expect(await advice('sort=views')).to.equal(
      'No index serves the sort by "views" of api::article.article. To create one, set "index": true on the attribute.',
    )
    expect(await advice('sort=publishedAt')).to.equal(
      'No index serves the sort by "publishedAt" of api::article.article. To create one, set "options": { "indexes": [["publishedAt"]] }.',
    )
    expect(await advice('filters[slug]=rain')).to.equal(undefined)
    // The unique index of a uid cannot serve a sort, because it does not contain entries without a uid.
    expect(await advice('sort=slug')).to.equal(
      'No index serves the sort by "slug" of api::article.article. To create one, set "index": true on the attribute.',
    )
    // The index on the locale does not count, because it would be scanned from end to end.
    expect(await advice('filters[views][$gt]=5')).to.equal(
      'No index serves the filter by "views" of api::article.article. To create one, set "index": true on the attribute.',
    )
    expect(await advice('sort=author.name')).to.equal(
      'No index serves a sort through relations or lists: every entry is sorted in memory.',
    )
  })

  it('shows that a covering index is enough to count the total', async () => {
    const stages = async (query: string) =>
      (await explain(`explain=true&${query}`)).pipelines.find(({ purpose }) => purpose === 'total')
        ?.stages
    expect(await stages('')).to.deep.equal(['COUNT_SCAN'])
    expect(await stages('filters[slug]=rain')).to.deep.equal(['COUNT_SCAN'])
    expect(await stages('filters[slug][$startsWith]=r')).to.deep.equal(['IXSCAN'])
    expect(await stages('filters[title]=Rain')).to.include('FETCH')
  })

  it('names the missing index of a related type', async () => {
    const advice = async (query: string, purpose: string) =>
      (await explain(`explain=true&${query}`)).pipelines.find((it) => it.purpose === purpose)
        ?.advice
    expect(await advice('filters[author][name]=Ana', 'filter through author')).to.equal(
      'No index serves the filter by "name" of api::author.author. To create one, set "index": true on the attribute (it helps $eq, $in and $startsWith, not $contains).',
    )
    // The page needs no advice, because each relation has an index for its inverse side.
    expect(await advice('filters[author][name]=Ana', 'page')).to.equal(undefined)
    expect(await advice('filters[seo][social][profile][name]=Ana', 'page')).to.equal(
      'No index serves the filter by "seo.social" of api::article.article, and no option can create one.',
    )
  })

  it('returns engine statistics with explain=execution', async () => {
    const { pipelines } = await explain('explain=execution')
    expect(JSON.stringify(pipelines[0]?.statistics)).to.include('totalDocsExamined')
    expect(JSON.stringify(pipelines)).to.not.include('serverInfo')
  })

  it('shows text patterns as MongoDB regular expressions', async () => {
    for (const operator of ['$contains', '$eqi', '$notContainsi', '$startsWith']) {
      const query = `filters[title][${operator}]=${encodeURIComponent('É a(b')}`
      expect((await explain(`${query}&explain=execution`)).pipelines).to.have.length.above(0)
    }
    // Numbers are compared as text by an expression, which no index serves.
    const { pipelines } = await explain('filters[views][$notContains]=7&explain=execution')
    expect(JSON.stringify(pipelines[0]?.statistics)).to.include('"$regularExpression"')
  })

  it('applies the query timeout to pipelines run again for their statistics', async () => {
    const { app } = await startMagazine()
    const { db } = app.quire.services
    try {
      await db.dropDatabase()
      await insertSlowArticles(db)
      const author = 'author.documentId'
      const joined = { from: 'articles', localField: author, foreignField: author, as: 'others' }
      const pipeline = [{ $lookup: joined }, { $sort: { others: 1 } }]
      const read = { purpose: 'page', collection: 'articles', pipeline, rows: 0, milliseconds: 0 }
      const bounds = { budget: startBudget(300), signal: undefined }
      const error: unknown = await explainPipelines(db, [read], true, bounds).catch(
        (it: unknown) => it,
      )
      expect(error).to.have.property(
        'message',
        'The query took longer than 300 ms (api.rest.queryTimeoutMs)',
      )
      expect(await running(db, 'articles'), 'what still runs of it').to.equal(0)
    } finally {
      await app.stop()
    }
  })

  it('runs one explained read at a time, through its own queue', async () => {
    const { client } = magazine.app.quire.services.db
    const explained = () =>
      magazine.app.quire.admission.figures().queues.find(({ name }) => name === 'explained')
    const before = explained()?.admitted ?? 0
    /** Titles in the filters of commands, in the order in which the commands began. */
    const began: string[] = []
    const note = ({ command }: CommandStartedEvent): void => {
      const [title] = /explained \d/.exec(JSON.stringify(command)) ?? []
      if (title !== undefined) began.push(title)
    }
    client.on('commandStarted', note)
    const titles = [1, 2, 3, 4, 5].map((n) => `explained ${n}`)
    try {
      await Promise.all(titles.map((title) => explain(`explain=execution&filters[title]=${title}`)))
    } finally {
      client.off('commandStarted', note)
    }
    // Each read begins several commands. If two reads ran at a time, their commands would alternate.
    expect(began).to.have.length.above(2 * titles.length)
    const changes = began.filter((title, at) => title !== began[at - 1])
    expect(changes).to.have.members(titles).and.have.length(titles.length)
    expect(explained()).to.include({
      ...{ admitted: before + titles.length, running: 0, waiting: 0 },
    })
  })

  it('requires a full-access token and a read request', async () => {
    const { app } = magazine
    await app.allow('public', ['api::article.article.find'])
    expect((await app.request('GET', '/api/articles?explain=true')).status).to.equal(403)
    const body = { data: { title: 'X' } }
    const write = await app.request('POST', '/api/articles?explain=true', {
      token: app.token,
      body,
    })
    expect(write.status).to.equal(400)
    expect(await magazine.get('/api/articles?explain=yes')).to.include({ status: 400 })
  })
})
