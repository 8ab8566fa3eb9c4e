import { expect } from 'chai'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'
import { expectPage } from '../../support/expect-page.js'

type Group = Readonly<{ group: Readonly<Record<string, unknown>>; count?: number }>
type Answer = Readonly<{ data: readonly Group[]; meta: object }>
type Refusal = Readonly<{ error: Readonly<{ message: string; details: object }> }>

describe('aggregation', () => {
  let magazine: Magazine
  before(async () => (magazine = await startMagazine()))
  after(() => magazine.app.stop())
  const aggregate = async (query: string): Promise<Answer> => {
    const { status, body } = await magazine.get(`/api/articles/aggregate?${query}`)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body as Answer
  }
  const groups = async (query: string) =>
    (await aggregate(query)).data.map(({ group, ...rest }) => [...Object.values(group), rest])
  const refusal = async (query: string): Promise<Refusal['error']> => {
    const { status, body } = await magazine.get(`/api/articles/aggregate?${query}`)
    expect(status, JSON.stringify(body)).to.equal(400)
    return (body as Refusal).error
  }

  it('returns groups with the requested measures, paginated like a list', async () => {
    expect(await aggregate('groupBy=kind,author.name&count=*&sum=views&avg=rating')).to.deep.equal({
      data: [
        {
          group: { kind: null, 'author.name': 'Ben' },
          ...{ count: 1, sum: { views: 30 }, avg: { rating: null } },
        },
        {
          group: { kind: 'guide', 'author.name': 'Ana' },
          ...{ count: 1, sum: { views: 20 }, avg: { rating: null } },
        },
        {
          group: { kind: 'news', 'author.name': 'Ana' },
          ...{ count: 1, sum: { views: 10 }, avg: { rating: 4.5 } },
        },
      ],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 3 } },
    })
  })

  it('counts the entries only if no other measure is requested', async () => {
    expect(await groups('groupBy=author.name')).to.deep.equal([
      ['Ana', { count: 2 }],
      ['Ben', { count: 1 }],
    ])
    expect(await groups('groupBy=author.name&min=views')).to.deep.equal([
      ['Ana', { min: { views: 10 } }],
      ['Ben', { min: { views: 30 } }],
    ])
  })

  it('puts an entry in the group of each related target, or in the null group without one', async () => {
    expect(await groups('groupBy=tags.name&sum=views')).to.deep.equal([
      [null, { sum: { views: 30 } }],
      ['cold', { sum: { views: 30 } }],
      ['wet', { sum: { views: 10 } }],
    ])
  })

  it('counts an entry once per group, even if several relations lead to it', async () => {
    const { body } = await magazine.get(
      '/api/authors/aggregate?groupBy=articles.publishedAt:year&count=*',
    )
    const year = `${new Date().getUTCFullYear()}-01-01T00:00:00.000Z`
    expect((body as Answer).data).to.deep.equal([
      { group: { 'articles.publishedAt:year': year }, count: 2 },
    ])
  })

  it('returns one group without groupBy, even if no entry matches', async () => {
    const meta = { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 1 } }
    expect(await aggregate('count=*&sum=views&avg=views&max=title')).to.deep.equal({
      data: [
        { group: {}, count: 3, sum: { views: 60 }, avg: { views: 20 }, max: { title: 'Wind' } },
      ],
      meta,
    })
    expect(
      await aggregate('filters[title]=nothing&count=*&sum=views&avg=views&max=title'),
    ).to.deep.equal({
      data: [
        { group: {}, count: 0, sum: { views: 0 }, avg: { views: null }, max: { title: null } },
      ],
      meta,
    })
    expect((await aggregate('filters[title]=nothing&groupBy=kind')).data).to.deep.equal([])
  })

  it('truncates dates to the requested unit in UTC', async () => {
    const at = 'filters[slug]=rain&groupBy=releaseAt'
    for (const [unit, begins] of Object.entries({
      year: '2024-01-01T00:00:00.000Z',
      quarter: '2024-01-01T00:00:00.000Z',
      month: '2024-01-01T00:00:00.000Z',
      // This day is a Monday, the first day of the week.
      week: '2024-01-15T00:00:00.000Z',
      day: '2024-01-15T00:00:00.000Z',
      hour: '2024-01-15T10:00:00.000Z',
    }))
      expect(await groups(`${at}:${unit}`), unit).to.deep.equal([[begins, { count: 1 }]])
    expect(await groups('groupBy=releaseAt:month&sort=releaseAt:desc')).to.deep.equal([
      ['2024-01-01T00:00:00.000Z', { count: 1 }],
      [null, { count: 2 }],
    ])
  })

  it('keeps all digits of 64-bit integers and decimals', async () => {
    const { app } = magazine
    const path = '/api/articles'
    const send = async (data: object) =>
      (await app.request('POST', path, { token: app.token, body: { data } })).body as {
        data: { documentId: string }
      }
    const more = [
      { title: 'Hail', slug: 'hail', bigViews: '9223372036854775807', rating: 0.1 },
      { title: 'Dew', slug: 'dew', bigViews: '9223372036854775806', rating: 0.2 },
    ]
    const made = await Promise.all(more.map(send))
    const response = await app.request(
      'GET',
      `${path}/aggregate?filters[slug][$in]=hail&filters[slug][$in]=dew&sum=bigViews,rating&max=bigViews`,
      { token: app.token },
    )
    for (const { data } of made)
      await app.request('DELETE', `${path}/${data.documentId}`, { token: app.token })
    expect(response.text).to.include('"sum":{"bigViews":"18446744073709551613","rating":0.3}')
    expect(response.text).to.include('"max":{"bigViews":"9223372036854775807"}')
  })

  it('sorts by measures or group keys, breaks ties by key and rejects unknown sort keys', async () => {
    expect(await groups('groupBy=author.name&sort=count:desc')).to.deep.equal([
      ['Ana', { count: 2 }],
      ['Ben', { count: 1 }],
    ])
    const bySum = await groups('groupBy=tags.name&sum=views&sort=sum.views:desc')
    expect(bySum.map(([name]) => name)).to.deep.equal([null, 'cold', 'wet'])
    const byKey = await groups('groupBy=author.name&sort[author][name]=desc')
    expect(byKey.map(([name]) => name)).to.deep.equal(['Ben', 'Ana'])
    const { message, details } = await refusal('groupBy=author.name&sort=cuont')
    expect(message).to.equal('Invalid key cuont')
    expect(details).to.include({ param: 'sort', suggestion: 'count' })
  })

  it('paginates the groups', async () => {
    const { data, meta } = await aggregate(
      'groupBy=title&pagination[page]=2&pagination[pageSize]=2',
    )
    expect(data).to.deep.equal([{ group: { title: 'Wind' }, count: 1 }])
    expect(meta).to.deep.equal({
      pagination: { page: 2, pageSize: 2, pageCount: 2, total: 3 },
    })
    const behind = await aggregate('groupBy=title&pagination[start]=9&pagination[withCount]=false')
    expect(behind).to.deep.equal({ data: [], meta: { pagination: { start: 9, limit: 25 } } })
  })

  it('applies filters, search, status and locale like a list', async () => {
    expect(await groups('groupBy=author.name&filters[views][$gt]=15')).to.deep.equal([
      ['Ana', { count: 1 }],
      ['Ben', { count: 1 }],
    ])
    expect(await groups('groupBy=author.name&filters[author][name]=Ben')).to.deep.equal([
      ['Ben', { count: 1 }],
    ])
    expect(await groups('groupBy=kind&_q=snow')).to.deep.equal([['guide', { count: 1 }]])
    expect(await groups('groupBy=author.name&status=draft')).to.deep.equal([
      ['Ana', { count: 3 }],
      ['Ben', { count: 1 }],
    ])
    expect(await groups('groupBy=locale&locale=*')).to.deep.equal([
      ['en', { count: 3 }],
      ['fr', { count: 1 }],
    ])
  })

  it('rejects invalid group keys and measures, with the parameter and a suggestion', async () => {
    const cases: readonly (readonly [string, string, object])[] = [
      ['groupBy=kidn', 'Invalid key kidn', { param: 'groupBy', suggestion: 'kind' }],
      ['groupBy=author.nam', 'Invalid key nam at author', { suggestion: 'name' }],
      [
        'groupBy=author',
        'Invalid key author',
        { param: 'groupBy', suggestion: 'author.documentId' },
      ],
      ['groupBy=meta', 'Invalid key meta', { param: 'groupBy' }],
      ['groupBy=sections.text', 'Invalid key sections', { param: 'groupBy' }],
      ['groupBy=createdBy.username', 'Invalid key createdBy', { param: 'groupBy' }],
      ['groupBy=cover.url', 'Invalid key url at cover.url', { param: 'groupBy' }],
      ['sum=author.id', 'Invalid key author', { param: 'sum' }],
      ['max=tags.name', 'Invalid key tags', { param: 'max' }],
      ['fields=title', 'Invalid key fields', { param: 'fields' }],
      ['populate=author', 'Invalid key populate', { param: 'populate' }],
      ['gruopBy=kind', 'Invalid key gruopBy', { suggestion: 'groupBy' }],
    ]
    for (const [query, message, details] of cases) {
      const error = await refusal(query)
      expect(error.message, query).to.equal(message)
      expect(error.details, query).to.include(details)
    }
    for (const [query, message] of [
      ['sum=title', 'Invalid attribute title at sum. Expected a number, received string'],
      ['count=views', "Invalid parameter at 'count'. Expected '*'"],
      [
        'groupBy=releaseAt:mnth',
        'Invalid unit mnth at releaseAt. Expected one of: year, quarter, month, week, day, hour',
      ],
      [
        'groupBy=releaseAt:month:year',
        'Invalid unit month:year at releaseAt. Expected one of: year, quarter, month, week, day, hour',
      ],
      ['groupBy=views:day', 'Invalid unit day at views. Of integer, expected no unit'],
      [
        'groupBy=releaseDate:hour',
        'Invalid unit hour at releaseDate. Of date, expected one of: year, quarter, month, week, day',
      ],
      ['groupBy=a,b,c,d,e,f,g,h,i', 'The number of group keys exceeds the limit of 8 (groupBy)'],
      [
        'groupBy=id,id,id,id,id,id,id,id,id',
        'The number of group keys exceeds the limit of 8 (groupBy)',
      ],
    ] as const)
      expect((await refusal(query)).message, query).to.equal(message)
  })

  it('requires the find permission, and rejects relations to types the caller may not find', async () => {
    const { app } = magazine
    const path = '/api/articles/aggregate'
    expect((await app.request('GET', path)).status).to.equal(403)
    await app.allow('public', ['api::article.article.find', 'api::tag.tag.find'])
    expect((await app.request('GET', path)).body).to.have.deep.property('data', [
      { group: {}, count: 3 },
    ])
    expect((await app.request('GET', `${path}?groupBy=tags.name`)).status).to.equal(200)
    const hidden = await app.request('GET', `${path}?groupBy=author.name`)
    expect([hidden.status, (hidden.body as Refusal).error.message]).to.deep.equal([
      400,
      'Invalid key author',
    ])
    expect((await app.request('GET', `${path}?status=draft`)).status).to.equal(403)
    expect((await app.request('GET', `${path}?explain=true`)).status).to.equal(403)
  })

  it('returns 405 for other methods and 404 for single types', async () => {
    const { app } = magazine
    const { token } = app
    for (const method of ['PUT', 'DELETE', 'POST'])
      expect((await app.request(method, '/api/articles/aggregate', { token })).status).to.equal(405)
    expect((await app.request('GET', '/api/homepage/aggregate', { token })).status).to.equal(404)
  })

  it('returns what docs/aggregation.md shows', () =>
    expectPage('docs/aggregation.md', async (_method, path) => (await magazine.get(path)).body))

  it('uses ranks for a to-many relation, or a lookup if a target has a long text', async () => {
    const { app, ids } = magazine
    const query = 'groupBy=tags.name&filters[slug]=rain'
    const form = async (): Promise<unknown> => {
      const { body } = await magazine.get(`/api/articles/aggregate?${query}&explain=true`)
      const { relations } = (body as { data: { relations: { through: string; form: string }[] } })
        .data
      return relations.find(({ through }) => through === 'tags')?.form
    }
    const rename = (name: string) =>
      app.request('PUT', `/api/tags/${ids['wet']}`, { token: app.token, body: { data: { name } } })
    expect(await form()).to.equal('ranks')
    const cold = ['cold', { count: 1 }]
    expect(await groups(query)).to.deep.equal([cold, ['wet', { count: 1 }]])
    const long = 'w'.repeat(250)
    await rename(long)
    expect(await form()).to.equal('lookup')
    expect(await groups(query)).to.deep.equal([cold, [long, { count: 1 }]])
    await rename('wet')
  })

  it('lists its pipelines and parts with explain=true', async () => {
    const { body } = await magazine.get(
      '/api/articles/aggregate?groupBy=author.name&filters[tags][name]=cold&explain=true',
    )
    const { data } = body as {
      data: { lane: string; parts: { part: string }[]; pipelines: { purpose: string }[] }
    }
    expect(data.pipelines.map(({ purpose }) => purpose)).to.deep.equal([
      'filter through tags',
      'groups',
    ])
    expect(data.parts.map(({ part }) => part)).to.include('entries')
  })
})
