import { expect } from 'chai'
import type { Magazine } from './magazine.js'
import { column, startMagazine } from './magazine.js'

describe('text operators on numbers', () => {
  let magazine: Magazine
  before(async () => (magazine = await startMagazine()))
  after(() => magazine.app.stop())

  const shows = (query: string, titles: readonly string[]) =>
    it(`${query} finds ${titles.join(', ') || 'nothing'}`, async () => {
      const { status, body } = await magazine.get(`/api/articles?sort=title&${query}`)
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(column(body, 'title')).to.deep.equal(titles)
    })

  shows('filters[views][$contains]=0', ['Rain', 'Snow', 'Wind'])
  shows('filters[views][$startsWith]=1', ['Rain'])
  shows('filters[views][$endsWithi]=30', ['Wind'])
  shows('filters[views][$eqi]=10', ['Rain'])
  shows('filters[views][$eqi]=10.0', [])
  shows('filters[views][$contains]=.', [])
  shows('filters[views][$contains]=a', [])
  shows('filters[views][$notContains]=1', ['Snow', 'Wind'])
  shows('filters[views][$not][$contains]=1', ['Snow', 'Wind'])
  shows('filters[views][$contains][0]=1&filters[views][$contains][1]=3', ['Rain', 'Wind'])
  shows('filters[bigViews][$startsWith]=90071992547409', ['Rain'])
  shows('filters[rating][$contains]=4.5', ['Rain'])
  shows('filters[rating][$endsWith]=.5', ['Rain'])
  shows('filters[rating][$endsWith]=.50', [])
  shows('filters[related][views][$startsWith]=1', ['Snow'])
  shows('filters[$or][0][views][$contains]=3&filters[$or][1][title][$contains]=ai', [
    'Rain',
    'Wind',
  ])
  shows('filters[id][$contains]=x', [])

  it('are rejected for a component', async () => {
    const { status, body } = await magazine.get('/api/articles?filters[seo][$contains]=1')
    expect(status).to.equal(400)
    expect(body).to.have.nested.property(
      'error.message',
      'Invalid operator $contains at seo. Expected a text or number attribute',
    )
  })

  it('are limited to 500 per query', async () => {
    const conditions = Array.from(
      { length: 501 },
      (_, at) => `filters[$or][${at}][views][$contains]=${at}`,
    )
    const { status, body } = await magazine.get(`/api/articles?${conditions.join('&')}`)
    expect(status).to.equal(400)
    expect(body).to.have.nested.property('error.details.limit', 500)
    const fewer = await magazine.get(
      `/api/articles?sort=title&${conditions.slice(0, 500).join('&')}`,
    )
    expect(column(fewer.body, 'title')).to.deep.equal(['Rain', 'Snow', 'Wind'])
  })

  it('are explained as a scan, without advising an index', async () => {
    const { body } = await magazine.get('/api/articles?filters[views][$startsWith]=1&explain=true')
    expect(JSON.stringify(body)).to.include('"$expr"').and.not.include('No index serves the filter')
  })
})
