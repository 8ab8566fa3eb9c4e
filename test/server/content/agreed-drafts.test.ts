import { expect } from 'chai'
import { eventually } from '../database/support.js'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'

describe('_modified flag of a draft', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine()
  })
  after(() => magazine.app.stop())

  const marked = () =>
    magazine.app.quire.services.db.collection('articles.draft').countDocuments({ _modified: true })
  const put = async (query: string, title: string) => {
    const { app, ids } = magazine
    const body = { data: { title } }
    const answer = await app.request('PUT', `/api/articles/${ids['rain']}${query}`, {
      ...{ token: app.token, body },
    })
    expect(answer.status).to.equal(200)
  }
  const modified = async () =>
    (await magazine.get('/api/articles?status=draft&publicationFilter=modified')).body

  it('is cleared soon after publishing, so that publicationFilter=modified no longer reads the draft', async () => {
    await put('?status=draft', 'Rain (changed)')
    expect(await marked()).to.equal(1)
    expect(await modified()).to.have.nested.property('meta.pagination.total', 1)
    await put('', 'Rain (published)')
    expect(await modified()).to.have.nested.property('meta.pagination.total', 0)
    await eventually(async () => (await marked()) === 0)
  })
})
