import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { fullGrant } from '../../../engine/schema/grant.js'
import { createDocuments, type DocumentsParts } from '../../../server/content/create-documents.js'
import { createCollectionFacts } from '../../../server/content/collection-facts.js'
import type { FactsOf } from '../../../engine/read.js'
import type { ReadRunner } from '../../../workers/read-runner.js'
import { inlineExecutor, inlineRunner, createExecutor } from '../../../workers/executor.js'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { errorBody } from '../../support/error-body.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

const articles = 3000
const tags = 30
/** Populates all articles: each has the tag t0 and one other tag. */
const hot = '/api/tags?filters[documentId]=t0&populate=articles'

type Explained = Readonly<{
  lane: string
  cost: number
  parts: readonly Readonly<{ part: string; cost: number }>[]
}>

describe('read cost and limits', () => {
  let databaseUri: string
  let app: TestApp
  before(async () => {
    databaseUri = await testDatabaseUri()
    app = await startApp({ databaseUri, settings: { 'pool.costThreshold': 1000 }, schema })
    const { db } = app.quire.services
    const collection = (name: string) => db.collection<{ _id: number }>(name)
    const at = { locale: null, createdAt: new Date(0), updatedAt: new Date(0) }
    await collection('tags').insertMany(
      numbersTo(tags).map((n) => ({ _id: n + 1, documentId: `t${n}`, name: `Tag ${n}`, ...at })),
    )
    await collection('articles').insertMany(
      numbersTo(articles).map((n) => ({
        ...{ _id: n + 1, documentId: `a${n}`, title: `Title ${n}`, slug: `slug-${n}`, ...at },
        ...{ section: `s${n % 100}`, body: 'All work and no play. '.repeat(100) },
        tags: [0, 1 + (n % (tags - 1))].map((tag) => ({ documentId: `t${tag}`, order: n })),
      })),
    )
  })
  after(async () => {
    await app.quire.services.db.dropDatabase()
    await app.stop()
  })

  const get = async (path: string, of = app) => {
    const { status, body, text } = await of.request('GET', path, { token: of.token })
    return { status, body, text }
  }
  const explain = async (path: string): Promise<Explained> => {
    const { body } = await get(`${path}${path.includes('?') ? '&' : '?'}explain=true`)
    return (body as { data: Explained }).data
  }

  it('estimates the cost from how many entries refer to one, after sampling the collections', async () => {
    await eventually(async () => {
      const { lane, cost } = await explain('/api/articles/a1')
      return lane === 'inline' && cost > 1 && (await explain(hot)).lane === 'pool'
    })
    const { lane, parts } = await explain(hot)
    expect(lane).to.equal('pool')
    expect(parts[0]?.part).to.equal('populate articles')
    // The listed tags may include t0, so this read may be as expensive.
    expect((await explain('/api/tags?populate=articles')).lane).to.equal('pool')
    expect(
      (await explain('/api/articles?populate=tags&pagination[withCount]=false')).lane,
    ).to.equal('inline')
  })

  it('estimates the cost from the matches of an indexed equality, or the texts to scan', async () => {
    const filtered = (filter: string) => explain(`/api/articles?fields=title&filters${filter}`)
    const one = await filtered('[slug]=slug-1')
    expect([one.lane, one.cost < 10]).to.deep.equal(['inline', true])
    const some = await filtered('[section]=s1&sort=title')
    expect([some.lane, some.cost < 200]).to.deep.equal(['inline', true])
    const text = await filtered('[body][$containsi]=jack')
    expect([text.lane, text.cost > 1900]).to.deep.equal(['pool', true])
    const ten = numbersTo(10).map((n) => `filters[$or][${n}][body][$containsi]=jack${n}`)
    const expensive = await explain(`/api/articles?fields=title&${ten.join('&')}`)
    expect(expensive.cost / text.cost).to.be.within(6, 10)
  })

  it('rejects a read over api.rest.maxCost without sending a command', async () => {
    const client = new MongoClient(databaseUri, { monitorCommands: true })
    try {
      const commands: string[] = []
      client.on('commandStarted', ({ commandName }) => commands.push(commandName))
      await client.connect()
      const { settings } = app.quire.services
      const { factsOf } = await sampledFacts(app)
      const bounded = { ...settings, 'api.rest.maxCost': 2000 }
      const find = findWith(app, { db: client.db(), settings: bounded, factsOf })
      const refused = await find('populate=articles').catch((error: unknown) => error)
      const { code, details } = refused as Refusal
      expect(code).to.equal('limit-exceeded')
      expect(details).to.include({ bound: 'api.rest.maxCost', limit: 2000 })
      expect(details.dearest[0]?.part).to.equal('populate articles')
      expect(commands).to.deep.equal([])
      await find('populate[articles][count]=true&pagination[withCount]=false')
      expect(commands).to.deep.equal(['find', 'aggregate'])
    } finally {
      await client.close()
    }
  })

  it('rejects a search for many texts that would exceed api.rest.queryTimeoutMs', async () => {
    const settings = { 'api.rest.queryTimeoutMs': 1000 }
    const bounded = await startApp({ databaseUri, settings, schema })
    const searching = (count: number) =>
      numbersTo(count).map((n) => `filters[$or][${n}][body][$containsi]=z${n}`)
    try {
      // The first request starts to sample the collection. Until then, the estimate is low.
      await eventually(async () => {
        const { body } = await get('/api/articles?filters[body]=x&explain=true', bounded)
        return (body as { data: Explained }).data.cost > 500
      })
      // These searches are only explained, because on a busy machine, a search itself could time out.
      const explained = (count: number) =>
        get(`/api/articles?${searching(count).join('&')}&explain=true`, bounded)
      expect((await explained(1)).status).to.equal(200)
      expect((await explained(100)).status).to.equal(400)
      const { status, body } = await get(`/api/articles?${searching(100).join('&')}`, bounded)
      expect(status).to.equal(400)
      const { message, details } = (body as { error: { message: string; details: Details } }).error
      const { cost, dearest } = details
      const ms = Number(/\d+/.exec(message)?.[0])
      expect(ms).to.be.within(1300, 1500)
      expect(cost).to.be.within(ms * 100, ms * 101)
      expect(dearest.map(({ part }) => part)).to.deep.equal(['page', 'filters', 'answer'])
      expect(body).to.deep.equal(
        errorBody(
          400,
          'ValidationError',
          `The estimated time of ${ms} ms exceeds the limit of 1000 (api.rest.queryTimeoutMs)`,
          { bound: 'api.rest.queryTimeoutMs', limit: 1000, cost, dearest },
        ),
      )
    } finally {
      await bounded.stop()
    }
  })

  for (const [lane, costThreshold] of [
    ['on the main thread', 1_000_000],
    ['in the pool', 0],
  ] as const) {
    it(`limits the bytes read and returned ${lane}`, async () => {
      const settings = { 'pool.costThreshold': costThreshold, 'api.rest.maxAnswerBytes': 100_000 }
      const bounded = await startApp({ databaseUri, settings, schema })
      try {
        const small = await get('/api/articles?pagination[pageSize]=40', bounded)
        expect(small.status).to.equal(200)
        const tooLarge = await get('/api/articles?pagination[pageSize]=60', bounded)
        expect(tooLarge.body).to.deep.equal(
          errorBody(
            400,
            'ValidationError',
            'The size of the response exceeds the limit of 100000 (api.rest.maxAnswerBytes)',
            { bound: 'api.rest.maxAnswerBytes', limit: 100_000 },
          ),
        )
        for (const explained of ['', '&explain=true', '&explain=execution']) {
          const tooMuch = await get(`/api/tags?populate=articles${explained}`, bounded)
          expect(tooMuch.body, explained).to.deep.equal(
            errorBody(
              400,
              'ValidationError',
              'The size of the data that the query reads exceeds the limit of 400000 (4 × api.rest.maxAnswerBytes)',
              { bound: 'api.rest.maxAnswerBytes', limit: 400_000 },
            ),
          )
        }
        expect((await get('/api/articles', bounded)).status, 'the next').to.equal(200)
      } finally {
        await bounded.stop()
      }
    })
  }

  it('rejects a read before running it if the output buffer has no room for the response', async () => {
    const settings = { 'pool.costThreshold': 1000, 'http.maxUnsentBytes': 100_000 }
    const bounded = await startApp({ databaseUri, settings, schema })
    try {
      await eventually(async () => {
        await get('/api/articles/a1', bounded)
        await get(hot, bounded)
        const { queues } = bounded.quire.admission.figures()
        const before = queues.find(({ name }) => name === 'pool')?.admitted
        const { status, text } = await get(hot, bounded)
        const after = bounded.quire.admission.figures().queues.find(({ name }) => name === 'pool')
        return (
          status === 503 && text.includes('(http.maxUnsentBytes)') && after?.admitted === before
        )
      })
      expect((await get('/api/articles/a1', bounded)).status).to.equal(200)
    } finally {
      await bounded.stop()
    }
  })

  it('limits the response of a write, and reports that the write was done', async () => {
    const bounded = await startApp({
      databaseUri,
      settings: { 'api.rest.maxAnswerBytes': 2000 },
      schema,
    })
    const bound = { bound: 'api.rest.maxAnswerBytes', limit: 2000 }
    try {
      const data = { section: 'long', body: 'long '.repeat(600) }
      const { token } = bounded
      const written = await bounded.request('PUT', '/api/articles/a0', { token, body: { data } })
      expect(written.body).to.deep.equal(
        errorBody(
          400,
          'ValidationError',
          'The write was done, but its response cannot be shown. The size of the response exceeds the limit of 2000 (api.rest.maxAnswerBytes)',
          { ...bound, outcome: 'done', documentId: 'a0' },
        ),
      )
      const found = await get('/api/articles?filters[section]=long&fields=slug', bounded)
      expect(found.body).to.have.nested.property('data[0].slug', 'slug-0')
    } finally {
      await bounded.stop()
    }
  })

  it('moves an underestimated read to the pool and returns the same bytes', async () => {
    const { db } = app.quire.services
    const handedOver: (number | undefined)[] = []
    const pooled: ReadRunner = (plan, options) => {
      handedOver.push(options.total)
      return inlineRunner(db)(plan, options)
    }
    const executor = createExecutor({
      inline: inlineRunner(db),
      pooled,
      costThreshold: 500,
    })
    // Without facts about the collections, this executor underestimates the read.
    const find = findWith(app, { executor })
    const whole = findWith(app, { executor: inlineExecutor(db) })
    const search = 'populate[articles][fields]=title'
    expect(await find(search)).to.equal(await whole(search))
    // The total had been counted before the read moved to the pool, and was passed on.
    expect(handedOver).to.deep.equal([tags])
    expect(await find('populate[articles][count]=true')).to.be.a('string')
    expect(handedOver).to.have.length(1)
  })

  it('reads in the pool from a lower cost on while the event loop is late', async () => {
    const { db } = app.quire.services
    let [late, inPool] = [0, 0]
    const inline = inlineRunner(db)
    const pooled: ReadRunner = (plan, options) => {
      inPool += 1
      return inline(plan, options)
    }
    const executor = createExecutor(
      { inline, pooled, costThreshold: 500 },
      { lateness: () => late },
    )
    const find = findWith(app, { executor })
    const search = 'populate[articles][count]=true'
    await find(search)
    expect(inPool).to.equal(0)
    late = 10_000
    await find(search)
    expect(inPool).to.equal(1)
    // Cheap reads stay on the main thread.
    await find('fields=name&pagination[pageSize]=1&pagination[withCount]=false')
    expect(inPool).to.equal(1)
  })

  it('moves a read to the pool if repeated related entries make it too large', async () => {
    const { db } = app.quire.services
    const [first, name] = [{ documentId: 't0' }, 'x'.repeat(100_000)]
    await db.collection('tags').updateOne(first, { $set: { name } })
    let handedOver = 0
    const pooled: ReadRunner = (plan, options) => {
      handedOver += 1
      return inlineRunner(db)(plan, options)
    }
    const executor = createExecutor({
      inline: inlineRunner(db),
      pooled,
      costThreshold: 800,
    })
    const search = 'populate=tags&pagination[pageSize]=100&pagination[withCount]=false'
    const answer = await findWith(app, { executor }, 'articles')(search)
    expect(answer.split(name)).to.have.length(101)
    expect(handedOver).to.equal(1)
    await db.collection('tags').updateOne(first, { $set: { name: 'Tag 0' } })
  })

  it('returns one complete response if a read moves between threads', async () => {
    const other = await startApp({ databaseUri, settings: { 'pool.costThreshold': 300 }, schema })
    try {
      // The first request of a process has no facts about the collections, so its cost is underestimated.
      const first = await get('/api/tags?populate=articles', other)
      const again = await get('/api/tags?populate=articles', app)
      expect([first.status, first.text === again.text]).to.deep.equal([200, true])
    } finally {
      await other.stop()
    }
  })
})

type Refusal = Readonly<{ code: string; details: Details }>
type Details = Readonly<{ cost: number; dearest: Explained['parts'] }>

async function sampledFacts({ quire }: TestApp): Promise<{ factsOf: FactsOf }> {
  const { db, registry } = quire.services
  const factsOf = createCollectionFacts(db, registry)
  const isKnown = (name: string) => factsOf(name).sample !== undefined
  await eventually(() => Promise.resolve([isKnown('tags'), isKnown('articles')].every(Boolean)))
  return { factsOf }
}

function findWith(
  { quire }: TestApp,
  parts: Partial<DocumentsParts>,
  apiName = 'tags',
): (search: string) => Promise<string> {
  const { services } = quire
  const db = parts.db ?? services.db
  const documents = createDocuments({
    ...{ ...services, db, executor: inlineExecutor(db), exactMetadata: false },
    ...parts,
  })
  const type = services.registry().byApiName.get(apiName)
  if (type === undefined) throw new Error(`There are no ${apiName}`)
  return async (search) => {
    const request = { search, grant: fullGrant, envelope: 'content' } as const
    return new TextDecoder().decode((await documents.find(type, request)).bytes)
  }
}

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

const names = (singularName: string, pluralName: string) => ({
  kind: 'collectionType',
  collectionName: pluralName,
  info: { singularName, pluralName, displayName: singularName },
})

const relation = { type: 'relation', relation: 'manyToMany' }

const schema = {
  'content-types/article.json': {
    ...names('article', 'articles'),
    attributes: {
      title: { type: 'string' },
      slug: { type: 'string', unique: true },
      section: { type: 'string', index: true },
      body: { type: 'text' },
      tags: { ...relation, target: 'api::tag.tag', inversedBy: 'articles' },
    },
  },
  'content-types/tag.json': {
    ...names('tag', 'tags'),
    attributes: {
      name: { type: 'string' },
      articles: { ...relation, target: 'api::article.article', mappedBy: 'tags' },
    },
  },
}
