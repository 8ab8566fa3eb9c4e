import { expect } from 'chai'
import type { Magazine } from './magazine.js'
import { column, startMagazine } from './magazine.js'

describe('filters by JSON path', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine()
    const { app, ids } = magazine
    const metas = {
      rain: {
        ...{ colour: 'red', size: 5, wet: true, tags: ['new', 'hot'], 'a.b': 'dot', $ref: '#/x' },
        ...{ day: '2024-02-29', parts: [{ name: 'drop', weight: 1.5 }, { name: 'cloud' }] },
      },
      snow: {
        colour: 'blue',
        size: '5',
        wet: false,
        tags: [],
        a: { b: 'deep' },
        day: '2024-12-24',
      },
    }
    for (const [name, meta] of Object.entries(metas)) {
      const body = { data: { meta } }
      const path = `/api/articles/${ids[name]}`
      const { status, text } = await app.request('PUT', path, { token: app.token, body })
      expect(status, text).to.equal(200)
    }
  })
  after(() => magazine.app.stop())

  const shows = (query: string, names: readonly string[], path = '/api/articles?sort=title') =>
    it(`${query} finds ${names.join(', ') || 'nothing'}`, async () => {
      const { status, body } = await magazine.get(`${path}&${query}`)
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(column(body, path.includes('articles?') ? 'title' : 'name')).to.deep.equal(names)
    })

  shows('filters[meta][colour][$eq]=red', ['Rain'])
  shows('filters[meta][colour]=red', ['Rain'])
  shows('filters[meta][colour][$ne]=red', ['Snow'])
  shows('filters[meta][colour][0]=red&filters[meta][colour][1]=blue', ['Rain', 'Snow'])
  shows('filters[meta][colour][$startsWithi]=B', ['Snow'])
  shows('filters[meta][size]=5', ['Rain', 'Snow'])
  shows('filters[meta][size][$gt]=10', ['Snow'])
  shows('filters[meta][size][$not][$gt]=10', ['Rain'])
  shows('filters[meta][wet]=true', ['Rain'])
  shows('filters[meta][wet][$eq]=false', ['Snow'])
  shows('filters[meta][wet][$null]=true', ['Wind'])
  shows('filters[meta][wet][$notNull]=true', ['Rain', 'Snow'])
  shows('filters[meta][tags]=hot', ['Rain'])
  shows('filters[meta][tags][$notContains]=hot', [])
  shows('filters[meta][tags][$null]=true', ['Snow', 'Wind'])
  shows('filters[meta][parts][name][$contains]=ou', ['Rain'])
  shows('filters[meta][parts][weight][$endsWith]=.5', ['Rain'])
  shows('filters[meta][a.b]=dot', ['Rain'])
  shows('filters[meta][a][b]=deep', ['Snow'])
  shows('filters[meta][$ref][$eq]=%23/x', ['Rain'])
  shows('filters[meta][day][$between][0]=2024-02-01&filters[meta][day][$between][1]=2024-03-01', [
    'Rain',
  ])
  shows('filters[meta][$or][0][colour]=blue&filters[meta][$or][1][size][$eqi]=5', ['Rain', 'Snow'])
  shows('filters[meta][colour][$or][0]=blue&filters[meta][colour][$or][1]=green', ['Snow'])
  shows('filters[$not][meta][colour]=red', ['Snow'])
  shows('filters[meta][colour][$null]=false&filters[views]=10', ['Rain'])
  shows('filters[meta][__proto]=1', [])
  shows('filters[blocks][children][text][$containsi]=RAINS', ['Rain'])
  shows('filters[articles][meta][colour]=blue', ['Ana'], '/api/authors?sort=name')
  shows('filters[related][meta][colour]=red', ['Snow'])

  it('apply to populated relations', async () => {
    const { body } = await magazine.get(
      '/api/authors?sort=name&populate[articles][filters][meta][colour]=red',
    )
    const shown = (body as { data: { articles: { data: { title: string }[] } }[] }).data
    expect(shown.map(({ articles }) => articles.data.map(({ title }) => title))).to.deep.equal([
      ['Rain'],
      [],
    ])
  })

  const refuses = (query: string, message: string, suggestion?: string) =>
    it(`${query} is rejected: ${message}`, async () => {
      const { status, body } = await magazine.get(`/api/articles?${query}`)
      expect(status).to.equal(400)
      expect(body).to.have.nested.property('error.message', message)
      if (suggestion !== undefined) {
        expect(body).to.have.nested.property('error.details.suggestion', suggestion)
      }
    })

  refuses(
    'filters[meta][$contains]=red',
    'Invalid operator $contains at meta. Expected a text or number attribute',
  )
  refuses(
    'filters[meta]=red',
    'Invalid value at meta. Expected a value that can be compared, received: red',
  )
  refuses('filters[meta][colour][$eqq]=red', 'Invalid key $eqq at meta.colour', '$eq')
  refuses('filters[meta][$gt][$eq]=red', 'Invalid $gt. Expected a value at meta')
  refuses('filters[meta][colour][$gt]', 'Invalid $gt at meta.colour. Expected one value')
  refuses(
    'filters[meta][colour][$between]=1',
    'Invalid $between. Expected exactly 2 values, received: 1 at meta.colour',
  )
  refuses('filters[title][$eqq][x]=red', 'Invalid key $eqq at title', '$eq')
  refuses('filters[author][$nott][name]=Ana', 'Invalid key $nott at author', '$not')
  refuses('filters[meta][constructor][x]=1', 'Invalid key constructor')
  refuses('sort=meta.colour', 'Invalid key meta')

  it('appear in the explained pipelines', async () => {
    const { status, body } = await magazine.get(
      '/api/articles?filters[meta][a.b][$eq]=dot&explain=true',
    )
    expect(status).to.equal(200)
    expect(JSON.stringify(body)).to.include('"$getField":{"field":{"$literal":"a.b"}')
  })
})
