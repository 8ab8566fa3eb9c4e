import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import type { Magazine } from './magazine.js'
import { column, startMagazine } from './magazine.js'

describe('locale deletion', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine()
  })
  after(() => magazine.app.stop())

  it('is rejected while the locale has content', async () => {
    const { app } = magazine
    const token = app.adminJwt
    const { body } = await app.request('GET', '/i18n/locales', { token })
    const french = (body as { id: number; code: string }[]).find(({ code }) => code === 'fr')
    const refused = await app.request('DELETE', `/i18n/locales/${french?.id}`, { token })
    const content = [{ uid: 'api::article.article', count: 1 }]
    expect(refused.body).to.deep.equal(
      errorBody(
        400,
        'ApplicationError',
        'Cannot delete the locale fr. Delete its content first (1 of api::article.article)',
        { content },
      ),
    )
    // Imitates a race: the locale is deleted, although content has been written in it meanwhile.
    await app.quire.services.db.collection('locales').deleteOne({ code: 'fr' })
    const isDeleted = () => !app.quire.services.locales().codes.has('fr')
    while (!isDeleted()) await new Promise((resolve) => setTimeout(resolve, 50))
  })

  it('hides the content of a deleted locale', async () => {
    const { get, ids } = magazine
    expect(column((await get('/api/articles?locale=fr')).body, 'title')).to.deep.equal([])
    expect(await get(`/api/articles/${ids['rain']}?locale=fr`)).to.include({ status: 404 })
    const all = column((await get('/api/articles?locale=*&sort=title')).body, 'title')
    expect(all).to.deep.equal(['Rain', 'Snow', 'Wind'])
    const { body } = await get(`/api/articles/${ids['rain']}?populate=localizations`)
    expect(body).to.have.deep.nested.property('data.localizations', [])
  })
})
