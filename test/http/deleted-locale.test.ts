import { expect } from 'chai'
import type { Magazine } from './magazine.js'
import { column, startMagazine } from './magazine.js'

describe('A locale that is not configured any more', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine()
    const { app } = magazine
    const { body } = await app.request('GET', '/i18n/locales', { token: app.adminJwt })
    const french = (body as { id: number; code: string }[]).find(({ code }) => code === 'fr')
    await app.request('DELETE', `/i18n/locales/${french?.id}`, { token: app.adminJwt })
  })
  after(() => magazine.app.stop())

  it('is an empty list, no document, and not among all locales', async () => {
    const { get, ids } = magazine
    expect(column((await get('/api/articles?locale=fr')).body, 'title')).to.deep.equal([])
    expect(await get(`/api/articles/${ids['rain']}?locale=fr`)).to.include({ status: 404 })
    const all = column((await get('/api/articles?locale=*&sort=title')).body, 'title')
    expect(all).to.deep.equal(['Rain', 'Snow', 'Wind'])
    const { body } = await get(`/api/articles/${ids['rain']}?populate=localizations`)
    expect(body).to.have.deep.nested.property('data.localizations', [])
  })
})
