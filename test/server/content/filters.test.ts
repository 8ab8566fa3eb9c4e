import { expect } from 'chai'
import type { Magazine } from './magazine.js'
import { column, startMagazine } from './magazine.js'

describe('filters', () => {
  let magazine: Magazine
  before(async () => (magazine = await startMagazine()))
  after(() => magazine.app.stop())

  const shows = (query: string, titles: readonly string[], path = '/api/articles?sort=title') =>
    it(`${query} finds ${titles.join(', ') || 'nothing'}`, async () => {
      const { status, body } = await magazine.get(`${path}&${query}`)
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(column(body, path.includes('articles?') ? 'title' : 'name')).to.deep.equal(titles)
    })

  describe('on own attributes', () => {
    shows('filters[title]=Rain', ['Rain'])
    shows('filters[title][$eqi]=rAIN', ['Rain'])
    shows('filters[title][$ne]=Rain', ['Snow', 'Wind'])
    shows('filters[title][$in][0]=Rain&filters[title][$in][1]=Wind', ['Rain', 'Wind'])
    shows('filters[title][$notIn]=Rain', ['Snow', 'Wind'])
    shows('filters[views][$gt]=10&filters[views][$lte]=20', ['Snow'])
    shows('filters[views][$between][0]=15&filters[views][$between][1]=30', ['Snow', 'Wind'])
    shows('filters[title][$contains]=in', ['Rain', 'Wind'])
    shows('filters[title][$startsWithi]=s', ['Snow'])
    shows('filters[title][$endsWith]=nd', ['Wind'])
    shows('filters[kind][$null]=true', ['Wind'])
    shows('filters[kind][$ne]=news', ['Snow'])
    shows('filters[bigViews]=9007199254740993', ['Rain'])
    shows('filters[bigViews]=9007199254740992', [])
    shows('filters[releaseAt][$lt]=2024-02-01', ['Rain'])
    shows('filters[rating]=4.50', ['Rain'])
    shows('filters[$or][0][title]=Rain&filters[$or][1][views]=30', ['Rain', 'Wind'])
    shows('filters[$not][title][$contains]=in', ['Snow'])
    shows('filters[title][$or][0][$eq]=Rain&filters[title][$or][1][$startsWith]=W', [
      'Rain',
      'Wind',
    ])
  })

  describe('through relations, components and media', () => {
    shows('filters[author][name]=Ana', ['Rain', 'Snow'])
    shows('filters[author][name][$ne]=Ana', ['Wind'])
    shows('filters[category][parent][name]=Nature', ['Rain'])
    shows('filters[tags][name]=cold', ['Rain', 'Snow'])
    shows('filters[$and][0][tags][name]=cold&filters[$and][1][tags][name]=wet', ['Rain'])
    shows('filters[tags][id][$null]=true', ['Wind'])
    shows('filters[category][$null]=true', ['Snow', 'Wind'])
    shows('filters[author][articles][title]=Wind', ['Wind'])
    shows('filters[related][title]=Rain', ['Snow'])
    shows('filters[seo][metaTitle][$containsi]=RAIN', ['Rain'])
    shows('filters[seo][social][profile][name]=Ana', ['Rain'])
    shows('filters[cover][id][$notNull]=true', [])
    shows('filters[articles][title]=Snow', ['Ana'], '/api/authors?sort=name')
    shows('filters[articles][title]=Fog&status=draft', ['Ana'], '/api/authors?sort=name')
    shows('filters[articles][title]=Fog', [], '/api/authors?sort=name')
    shows('filters[children][name]=Weather', ['Nature'], '/api/categories?sort=name')
  })

  describe('by publication state', () => {
    shows('status=draft', ['Fog', 'Rain', 'Snow', 'Wind'])
    shows('status=draft&hasPublishedVersion=true', ['Rain', 'Snow', 'Wind'])
    shows('status=draft&hasPublishedVersion=false', ['Fog'])
    shows('status=draft&hasPublishedVersion=true&locale=*&filters[views]=10', ['Pluie', 'Rain'])
    shows('hasPublishedVersion=false', [])
    shows('hasPublishedVersion=false', ['Ana', 'Ben'], '/api/authors?sort=name')
  })

  describe('by locale', () => {
    shows('locale=fr', ['Pluie'])
    shows('locale=*&filters[views]=10', ['Pluie', 'Rain'])
    shows('locale[0]=fr&locale[1]=en&filters[title][$startsWith]=P', ['Pluie'])
    shows('filters[locale]=fr', ['Pluie'])
    shows('filters[localizations][title]=Pluie', ['Rain'])
  })

  it('accept a documentId or a record id for a relation', async () => {
    const { ids, get } = magazine
    const author = await get(`/api/authors/${ids['ben']}`)
    const { id } = (author.body as { data: { id: number } }).data
    for (const query of [`[author]=${ids['ben']}`, `[author]=${id}`, `[author][id][$in]=${id}`]) {
      const { body } = await get(`/api/articles?filters${query}`)
      expect(column(body, 'title'), query).to.deep.equal(['Wind'])
    }
  })

  it('apply to reading one document', async () => {
    const { ids, get } = magazine
    expect(await get(`/api/articles/${ids['rain']}?filters[title]=Snow`)).to.include({
      status: 404,
    })
  })

  it('do not change the locale that a write returns', async () => {
    const { app } = magazine
    const write = async (method: string, path: string, title: string) => {
      const body = { data: { title } }
      const answer = await app.request(method, `/api/articles${path}`, { token: app.token, body })
      return (answer.body as { data: { documentId: string; title: string } }).data
    }
    const { documentId } = await write('POST', '?locale=fr', 'Brume')
    try {
      const written = await write('PUT', `/${documentId}?filters[locale]=en`, 'Mist')
      expect(written).to.include({ title: 'Mist', locale: 'en' })
    } finally {
      await app.request('DELETE', `/api/articles/${documentId}?locale=*`, { token: app.token })
    }
  })

  it('reject a value of the wrong type', async () => {
    expect((await magazine.get('/api/articles?filters[views]=many')).body).to.deep.equal({
      data: null,
      error: {
        status: 400,
        name: 'ValidationError',
        message: 'Invalid value at views. Expected a number, received: many',
        details: {
          path: 'views',
          expected: 'a number',
          received: 'many',
          source: 'query',
          param: 'filters',
        },
      },
    })
  })
})
