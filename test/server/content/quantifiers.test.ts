import { expect } from 'chai'
import type { Magazine } from './magazine.js'
import { column, startMagazine } from './magazine.js'

/**
 * Rain has the tags wet and cold and two social links, Snow has the tag cold, Wind has neither tags nor links. Fog is a
 * draft by Ana, and Pluie, the French version of Rain, is also by her.
 */
describe('$some, $none and $every', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine()
    const { app, ids } = magazine
    const body = { data: { author: ids['ana'] } }
    const path = `/api/articles/${ids['rain']}?locale=fr`
    expect(await app.request('PUT', path, { token: app.token, body })).to.include({ status: 200 })
  })
  after(() => magazine.app.stop())

  const articles = '/api/articles?sort=title'
  const authors = '/api/authors?sort=name'
  const tags = '/api/tags?sort=name'

  const shows = (query: string, names: readonly string[], path = articles) =>
    it(`${query} finds ${names.join(', ') || 'nothing'}`, async () => {
      const { status, body } = await magazine.get(`${path}&${query}`)
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(column(body, path === articles ? 'title' : 'name')).to.deep.equal(names)
      const { total } = (body as { meta: { pagination: { total: number } } }).meta.pagination
      expect(total).to.equal(names.length)
    })

  describe('on a to-many relation', () => {
    shows('filters[tags][$none][name]=wet', ['Snow', 'Wind'])
    shows('filters[tags][$none][name]=cold', ['Wind'])
    shows('filters[tags][$none][name]=loud', ['Rain', 'Snow', 'Wind'])
    shows('filters[tags][$every][name]=cold', ['Snow', 'Wind'])
    shows('filters[tags][$every][name][$in][0]=cold&filters[tags][$every][name][$in][1]=wet', [
      ...['Rain', 'Snow', 'Wind'],
    ])
    shows('filters[tags][$some][name]=cold', ['Rain', 'Snow'])
    shows('filters[tags][$some][name][$null]=true', ['Wind'])
    shows('filters[tags][$none][id][$notNull]=true', ['Wind'])
    shows('filters[articles][$none][title]=Snow', ['loud', 'wet'], tags)
    shows('filters[articles][$every][title]=Rain', ['loud', 'wet'], tags)
    shows('filters[related][$none][title]=Rain', ['Rain', 'Wind'])
  })

  describe('with null, which matches no comparison', () => {
    shows('filters[tags][$every][color][$null]=true', ['Rain', 'Snow', 'Wind'])
    shows('filters[tags][$every][color]=red', ['Wind'])
    shows('filters[tags][$every][color][$ne]=red', ['Wind'])
    shows('filters[tags][$none][color][$ne]=red', ['Rain', 'Snow', 'Wind'])
    shows('filters[tags][$none][color][$null]=true', ['Wind'])
  })

  describe('combined with $and, $or and $not', () => {
    shows('filters[tags][$none][$or][0][name]=wet&filters[tags][$none][$or][1][name]=loud', [
      ...['Snow', 'Wind'],
    ])
    shows('filters[tags][$none][$not][name]=cold', ['Snow', 'Wind'])
    shows('filters[$not][tags][$none][name]=wet', ['Rain'])
    shows('filters[tags][$not][$every][name]=cold', ['Rain'])
    shows('filters[$not][tags][$some][name]=cold', ['Rain'])
    shows('filters[$not][tags][name]=cold', ['Rain'])
    shows('filters[$not][$not][tags][$none][name]=wet', ['Snow', 'Wind'])
    shows('filters[tags][$none][name]=wet&filters[tags][name]=cold', ['Snow'])
    shows('filters[$and][0][tags][$some][name]=wet&filters[$and][1][tags][$some][name]=cold', [
      'Rain',
    ])
    shows('filters[tags][$or][0][$none][name]=cold&filters[tags][$or][1][name]=wet', [
      ...['Rain', 'Wind'],
    ])
    shows('filters[$or][0][tags][$none][name]=cold&filters[$or][1][title]=Snow', ['Snow', 'Wind'])
  })

  describe('nested, and behind other attributes', () => {
    shows('filters[tags][$none][articles][$some][title]=Snow', ['Wind'])
    shows('filters[tags][$every][articles][$none][title]=Snow', ['Wind'])
    shows('filters[tags][$some][articles][$none][title]=Snow', ['Rain'])
    shows('filters[tags][articles][$none][title]=Snow', ['Rain'])
    shows('filters[author][articles][$none][title]=Wind', ['Rain', 'Snow'])
    shows('filters[category][children][$none][name]=Sun', ['Rain'])
    shows('filters[category][children][$every][name]=Sun', ['Rain'])
  })

  describe('on a repeatable component', () => {
    shows('filters[seo][social][$none][network]=facebook', ['Snow', 'Wind'])
    shows('filters[seo][social][$every][network]=x', ['Snow', 'Wind'])
    shows('filters[seo][social][$every][network][$notNull]=true', ['Rain', 'Snow', 'Wind'])
    shows('filters[seo][social][$some][network]=x', ['Rain'])
    shows('filters[seo][social][$none][profile][name]=Ana', ['Snow', 'Wind'])
    shows('filters[seo][social][$none][profile][name]=Ben', ['Rain', 'Snow', 'Wind'])
    shows('filters[seo][social][$every][profile][name]=Ana', ['Snow', 'Wind'])
    shows('filters[seo][social][$none][profile][articles][$none][title]=Snow', [
      ...['Rain', 'Snow', 'Wind'],
    ])
  })

  describe('on multiple media and localizations', () => {
    shows('filters[gallery][$none][mime][$contains]=image', ['Rain', 'Snow', 'Wind'])
    shows('filters[gallery][$some][mime][$contains]=image', [])
    shows('filters[localizations][$none][locale]=fr', ['Snow', 'Wind'])
    shows('filters[localizations][$every][title]=Pluie', ['Rain', 'Snow', 'Wind'])
    shows('locale=*&filters[tags][$none][name]=cold', ['Pluie', 'Wind'])
  })

  describe('within the status and locale of the request', () => {
    shows('filters[articles][$none][title]=Fog', ['Ana', 'Ben'], authors)
    shows('filters[articles][$none][title]=Fog&status=draft', ['Ben'], authors)
    shows('filters[articles][$every][views][$lt]=25', ['Ana'], authors)
    shows('filters[articles][$every][views][$lt]=25&status=draft', [], authors)
    shows('filters[articles][$none][title]=Rain&locale=fr', ['Ana', 'Ben'], authors)
    shows('filters[articles][$none][title]=Pluie&locale=fr', ['Ben'], authors)
    // Snow has no French version, so its version in the default locale is compared. Rain has a French version.
    shows('filters[articles][$none][title]=Snow&locale=fr', ['Ben'], authors)
    shows('filters[articles][$every][title][$in][0]=Pluie&locale=fr', [], authors)
  })

  it('accept documentIds like the relation itself', async () => {
    const { ids, get } = magazine
    for (const query of [`[$eq]=${ids['wet']}`, `[$in][0]=${ids['wet']}`]) {
      const { body } = await get(`${articles}&filters[tags][$none]${query}`)
      expect(column(body, 'title'), query).to.deep.equal(['Snow', 'Wind'])
    }
  })

  it('filter populated relations, too', async () => {
    const shown = async (query: string, name: string) => {
      const { body } = await magazine.get(`/api/articles?filters[title]=Rain&${query}`)
      return (body as { data: Record<string, unknown>[] }).data[0]?.[name]
    }
    const tagsWithoutSnow = 'populate[tags][filters][articles][$none][title]=Snow'
    expect(column(await shown(tagsWithoutSnow, 'tags'), 'name')).to.deep.equal(['wet'])
    const links = 'populate[seo][populate][social][filters][profile][articles]'
    const networks = async (query: string) => {
      const seo = (await shown(links + query, 'seo')) as { social: { network: string }[] }
      return seo.social.map(({ network }) => network)
    }
    expect(await networks('[$none][title]=Wind')).to.deep.equal(['x'])
    expect(await networks('[$every][title]=Rain')).to.deep.equal([])
  })

  it('are evaluated again after a target changes', async () => {
    const { app, ids, get } = magazine
    const titles = async () =>
      column((await get(`${articles}&filters[tags][$none][name]=wet`)).body, 'title')
    const rename = async (name: string) => {
      const body = { data: { name } }
      const path = `/api/tags/${ids['wet']}`
      expect(await app.request('PUT', path, { token: app.token, body })).to.include({ status: 200 })
    }
    expect(await titles()).to.deep.equal(['Snow', 'Wind'])
    await rename('moist')
    try {
      expect(await titles()).to.deep.equal(['Rain', 'Snow', 'Wind'])
    } finally {
      await rename('wet')
    }
    expect(await titles()).to.deep.equal(['Snow', 'Wind'])
  })

  it('filter the entries of an aggregation', async () => {
    const { body } = await magazine.get('/api/articles/aggregate?filters[tags][$none][name]=cold')
    expect((body as { data: unknown }).data).to.deep.equal([{ group: {}, count: 1 }])
  })

  it('reveal nothing of a type that the caller may not find', async () => {
    const { app } = magazine
    await app.allow('public', ['api::article.article.find'])
    const refused = await app.request('GET', '/api/articles?filters[tags][name]=wet')
    expect(refused.status).to.equal(400)
    for (const query of ['[$none][name]=wet', '[$every][name]=other', '[$none][secret]=x'])
      expect(
        await app.request('GET', `/api/articles?filters[tags]${query}`),
        query,
      ).to.deep.include({ status: 400, body: refused.body })
  })

  const refuses = (query: string, message: string, details: object) =>
    it(`are rejected in filters${query}`, async () => {
      const { status, body } = await magazine.get(`/api/articles?filters${query}`)
      expect(status).to.equal(400)
      const { error } = body as { error: { message: string; details: object } }
      expect(error.message).to.equal(message)
      expect(error.details).to.deep.equal({ ...details, source: 'query', param: 'filters' })
    })

  const several = 'a relation to many, multiple media or a repeatable component'
  const refusesOfOne = (query: string, key: string, path: string, suggestion: string) =>
    refuses(query, `Invalid ${key} at ${path}. Expected ${several}`, {
      ...{ key, path, expected: several, suggestion },
    })
  refusesOfOne('[author][$none][name]=Ana', '$none', 'author', '$not')
  refusesOfOne('[author][$every][name]=Ana', '$every', 'author', 'author')
  refusesOfOne('[seo][$some][metaTitle]=a', '$some', 'seo', 'seo')
  refusesOfOne('[cover][$none][mime]=a', '$none', 'cover', '$not')
  refusesOfOne('[title][$none][$eq]=a', '$none', 'title', '$not')
  refuses('[sections][$none][id]=1', 'Invalid key sections', { key: 'sections', path: 'sections' })
  const filter = 'a filter of the target, as in [$none][id][$eq]'
  for (const [query, received] of [
    ['[tags][$none]=wet', 'wet'],
    ['[tags][$none][0]=wet', 'array'],
    ['[tags][$none]', 'null'],
  ] as const)
    refuses(query, `Invalid $none at tags. Expected ${filter}`, {
      ...{ path: 'tags', expected: filter, received },
    })
  refuses('[$none][name]=a', `Invalid $none. Expected ${several}`, {
    ...{ key: '$none', path: null, expected: several },
  })
  const attribute = 'an attribute of the target'
  refuses('[tags][$none][$every][name]=a', `Invalid $every at tags. Expected ${attribute}`, {
    ...{ key: '$every', path: 'tags', expected: attribute },
  })
  refuses('[tags][$none][nam]=a', 'Invalid key nam at tags', {
    ...{ key: 'nam', path: 'tags', suggestion: 'name' },
  })
  refuses('[tags][$evry][name]=a', 'Invalid key $evry at tags', {
    ...{ key: '$evry', path: 'tags', suggestion: '$every' },
  })
})
