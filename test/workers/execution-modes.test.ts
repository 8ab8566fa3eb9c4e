import { expect } from 'chai'
import { callOfCase } from '../conformance/call-of-case.js'
import { captureNames } from '../conformance/capture-names.js'
import { loadCases, loadSeed } from '../conformance/data.js'
import { send, type HttpAnswer, type HttpCall } from '../conformance/http.js'
import { newNames } from '../conformance/placeholders.js'
import type { Case, JsonValue } from '../conformance/records.js'
import { seed } from '../conformance/seed.js'
import { errorBody } from '../support/error-body.js'
import { startApp } from '../support/start-app.js'
import { startInlineAndPooled, type InlineAndPooled } from './inline-and-pooled.js'

describe('read in the worker pool', function () {
  this.timeout(180_000)
  let both: InlineAndPooled
  before(async () => (both = await startInlineAndPooled()))
  after(() => both?.stop())

  it('returns the same status, headers and bytes as on the main thread for every GET of the conformance cases', async () => {
    const { pooled, tokens, compare, write } = both
    const names = newNames()
    for (const [key, token] of Object.entries(tokens)) names.values[`TOKEN_${key}`] = token
    const differing: string[] = []
    let pooledReads = 0
    const run = async (one: Case): Promise<void> => {
      const call = callOfCase(one, tokens, names)
      if (one.method !== 'GET') return captureNames(one, (await write(call)).answer, names)
      const compared = await compare(call)
      captureNames(one, compared.answer, names)
      pooledReads += compared.pooledReads
      if (compared.differences.length > 0)
        differing.push(`${one.id}: ${compared.differences.join(', ')}`)
    }
    const cases = loadCases()
    // Runs the cases one after the other, because GETs show the effects of earlier writes.
    const runPhase = async (phase: Case['phase']): Promise<void> => {
      for (const one of cases) if (one.phase === phase) await run(one)
    }
    await runPhase('pre')
    expect(await seed(pooled.url, tokens, loadSeed(), names)).to.deep.equal([])
    await runPhase('read')
    await runPhase('write')
    expect(differing.slice(0, 20), `${differing.length} cases differ`).to.deep.equal([])
    // 450 of 699 GET cases. The others fail before they read content, or do not read any.
    expect(pooledReads, 'reads in the pool').to.be.at.least(450)
  })

  describe('with other requests', () => {
    const ids: Record<string, string> = {}
    const call = (method: string, path: string, body?: JsonValue): HttpCall => ({
      ...{ method, path, token: both.tokens.full },
      ...(body === undefined ? {} : { body }),
    })
    const write = async (method: string, path: string, data: JsonValue): Promise<HttpAnswer> => {
      const { answer, pooledReads } = await both.write(call(method, path, { data }))
      expect(answer.status, answer.text).to.be.within(200, 201)
      expect(pooledReads, `reads in the pool for ${method} ${path}`).to.equal(1)
      return answer
    }
    before(async () => {
      const create = async (name: string, path: string, data: JsonValue): Promise<void> => {
        const { json } = await write('POST', path, data)
        ids[name] = (json as { data: { documentId: string } }).data.documentId
      }
      await create('ana', '/api/authors', { name: 'Ana of the pool', email: 'ana@pool.example' })
      await create('wet', '/api/tags', { name: 'wet' })
      await create('cold', '/api/tags', { name: 'cold' })
      const { ana = '', wet = '', cold = '' } = ids
      await create('rain', '/api/articles', {
        ...{ title: 'Rain', slug: 'rain-in-the-pool', views: 10, rating: 4.5, meta: { wet: true } },
        ...{ bigViews: '9007199254740993', releaseAt: '2024-01-15T10:30:00.000Z' },
        ...{ author: ana, tags: [wet, cold] },
        seo: { metaTitle: 'Rain', social: [{ network: 'x', url: 'https://x.e/1', profile: ana }] },
        sections: [{ __component: 'section.quote', text: 'It rains', by: ana }],
      })
      await create('snow', '/api/articles', {
        ...{ title: 'Snow', slug: 'snow-in-the-pool', views: 20, tags: [cold] },
        ...{ related: [ids['rain'] ?? ''], body: 'long '.repeat(100_000) },
      })
    })

    it('returns the same as on the main thread for features that Strapi does not have', async () => {
      for (const path of [
        '/api/articles/aggregate?groupBy=author.name&count=*&sum=views,bigViews&avg=rating',
        '/api/articles/aggregate?groupBy=tags.name,kind&sort=count:desc&pagination[pageSize]=2',
        '/api/articles/aggregate?groupBy=releaseAt:month&max=title&locale=*',
        '/api/articles/aggregate?filters[tags][name]=cold&min=views',
        '/api/articles?pLevel=4&filters[slug][$endsWith]=in-the-pool',
        '/api/articles?pLevel=3&pIgnore=author,tags',
        `/api/articles/${ids['snow']}?populate[related][populate][tags][count]=true`,
        '/api/authors?populate[articles][count]=true&populate[articles][filters][title]=Rain',
        '/api/articles?filters[meta][wet][$eq]=true&sort=author.name,title',
        '/api/articles?filters[bigViews][$contains]=0740993&filters[rating][$startsWith]=4',
        '/api/articles?status=draft&publicationFilter=unmodified&populate=localizations',
      ]) {
        const { answer, differences, pooledReads } = await both.compare(call('GET', path))
        expect(differences, path).to.deep.equal([])
        expect([answer.status, pooledReads], `${path}: ${answer.text}`).to.deep.equal([200, 1])
      }
    })

    it('returns the same cache keys as on the main thread to public clients', async () => {
      const path = '/api/articles?filters[slug]=rain-in-the-pool'
      const read = await both.compare({ path })
      expect([read.answer.status, read.differences]).to.deep.equal([200, []])
      expect(read.answer.headers.get('cache-tag')).to.include(ids['rain'])
    })

    it('returns 304 if the ETag matches, as on the main thread', async () => {
      const request = call('GET', `/api/articles/${ids['rain']}?populate=*`)
      const first = await both.compare(request)
      const headers = { 'If-None-Match': first.answer.headers.get('etag') ?? '' }
      const second = await both.compare({ ...request, headers })
      expect([first.answer.status, first.differences]).to.deep.equal([200, []])
      expect([second.answer.status, second.differences]).to.deep.equal([304, []])
    })

    it('shows the stored entry after a write, as the main thread shows it afterwards', async () => {
      const { rain = '', snow = '', ana = '' } = ids
      const writes: readonly (readonly [method: string, path: string, data: JsonValue])[] = [
        ['PUT', `/api/articles/${rain}?populate=*`, { views: 11, related: [snow] }],
        ['PUT', `/api/articles/${rain}?status=draft&pLevel=3`, { title: 'Fog' }],
        ['PUT', `/api/articles/${rain}?locale=fr&populate=localizations`, { title: 'Pluie' }],
        ['PUT', '/api/homepage?populate=featured.tags', { heading: 'Home', featured: [rain] }],
        ['POST', `/api/articles/${rain}/actions/publish?populate=author`, {}],
        ['PUT', `/api/authors/${ana}?populate[articles][count]=true`, { bio: 'B' }],
      ]
      for (const [method, path, data] of writes) {
        const written = await write(method, path, data)
        const read = await both.compare(call('GET', path.replace('/actions/publish', '')))
        expect([read.answer.text, read.differences], path).to.deep.equal([written.text, []])
      }
    })

    it('shows the stored entry of each bulk operation', async () => {
      const { rain = '', snow = '' } = ids
      const operations = [rain, snow].map((documentId) => ({
        ...{ op: 'update', documentId, data: { views: 12 } },
      }))
      const bulk = '/api/articles/bulk?populate=tags,author'
      const { answer, pooledReads } = await both.write(call('POST', bulk, { operations }))
      expect(pooledReads).to.equal(2)
      const { data } = answer.json as { data: readonly { status: number; data: JsonValue }[] }
      for (const [at, documentId] of [rain, snow].entries()) {
        const read = await both.compare(
          call('GET', `/api/articles/${documentId}?populate=tags,author`),
        )
        const { data: expected } = read.answer.json as { data: JsonValue }
        expect(data[at]).to.deep.equal({ status: 200, data: expected, meta: {} })
        expect(read.differences).to.deep.equal([])
      }
    })

    it('returns the details of an error that occurs while the query runs', async () => {
      const settings = { 'pool.costThreshold': 0, 'api.rest.maxPopulatedEntries': 1 }
      const bounded = await startApp({ databaseUri: both.databaseUri, settings })
      try {
        const path = '/api/articles?filters[slug]=rain-in-the-pool&populate=tags'
        const { json } = await send(bounded.url, { path, token: both.tokens.full })
        expect(json).to.deep.equal(
          errorBody(
            400,
            'ValidationError',
            'The number of populated entries at tags exceeds the limit of 1 (api.rest.maxPopulatedEntries)',
            { bound: 'api.rest.maxPopulatedEntries', limit: 1, relation: 'tags' },
          ),
        )
      } finally {
        await bounded.stop()
      }
    })
  })
})
