import { expect } from 'chai'
import { errorBody, notFound } from '../../support/error-body.js'
import type { Magazine } from './magazine.js'
import { stable, startMagazine } from './magazine.js'

const times = { createdAt: '@time', updatedAt: '@time', publishedAt: '@time' }
const badRequest = (message: string) => ({
  status: 400,
  body: errorBody(400, 'ValidationError', message, {}),
})
const missing = { status: 404, body: notFound }

describe('write request', () => {
  let magazine: Magazine
  let ids: Record<string, string>
  before(async () => {
    magazine = await startMagazine()
    ids = { ...magazine.ids }
  })
  after(() => magazine.app.stop())

  const send = async (method: string, path: string, data?: unknown) => {
    const { app } = magazine
    const body = data === undefined ? {} : { body: { data } }
    const answer = await app.request(method, `/api${path}`, { token: app.token, ...body })
    return { status: answer.status, body: stable(answer.body, ids) }
  }
  /** Like `send`. `name` stands for the created document: later responses show its documentId as `@<name>`. */
  const make = async (name: string, method: string, path: string, data: unknown) => {
    const answer = await send(method, path, data)
    const { data: entry } = answer.body as { data: { documentId: string } }
    ids[name] = entry.documentId
    return { ...answer, body: stable(answer.body, ids) }
  }
  const ok = (status: number, data: object) => ({ status, body: { data, meta: {} } })

  it('returns 201 and the created document, as selected by the query', async () => {
    const entry = { id: '#', documentId: '@col', name: 'Col' }
    expect(await make('col', 'POST', '/authors', { name: 'Col' })).to.deep.equal(
      ok(201, { ...entry, email: null, bio: null, ...times }),
    )
    const path = '/articles?status=draft&locale=fr&fields=title&populate[author][fields]=name'
    const data = { title: 'Grêle', author: ids['col'] }
    expect(await make('hail', 'POST', path, data)).to.deep.equal(
      ok(201, { id: '#', documentId: '@hail', title: 'Grêle', author: entry }),
    )
    expect(await send('GET', `/articles/${ids['hail']}?locale=fr`)).to.deep.equal(missing)
  })

  it('returns 200 and the updated version', async () => {
    const path = `/articles/${ids['rain']}`
    const query = 'fields[0]=title&fields[1]=publishedAt'
    const entry = { id: '#', documentId: '@rain' }
    expect(await send('PUT', `${path}?${query}&status=draft`, { title: 'Hail' })).to.deep.equal(
      ok(200, { ...entry, title: 'Hail', publishedAt: null }),
    )
    expect(await send('GET', `${path}?${query}`)).to.deep.equal(
      ok(200, { ...entry, title: 'Rain', publishedAt: '@time' }),
    )
    expect(await send('PUT', `${path}?${query}`, {})).to.deep.equal(
      ok(200, { ...entry, title: 'Hail', publishedAt: '@time' }),
    )
    const french = await send('PUT', `${path}?locale=fr&fields=title&populate=localizations`, {})
    expect((french.body as { data: object }).data).to.deep.include({ title: 'Pluie' })
    expect(await send('PUT', '/articles/1', { title: 'x' })).to.deep.equal(missing)
  })

  it('creates a single type with PUT and 200, and again after a delete', async () => {
    expect(await send('GET', '/setting')).to.deep.equal(missing)
    expect(await send('DELETE', '/setting')).to.include({ status: 204 })
    const made = ok(200, {
      ...{ id: '#', documentId: '@setting', siteName: 'Q', options: [1] },
      ...times,
    })
    const data = { siteName: 'Q', options: [1] }
    expect(await make('setting', 'PUT', '/setting', data)).to.deep.equal(made)
    expect(await send('PUT', '/setting', {})).to.deep.equal(made)
    await send('DELETE', '/setting')
    const again = await send('PUT', '/setting', data)
    expect(again.body).not.to.deep.equal(made.body)
    expect(await send('PUT', '/setting/1', data)).to.deep.equal(missing)
    const { error } = missing.body
    expect(await send('PUT', '/settings', data)).to.deep.equal({
      status: 404,
      body: { ...missing.body, error: { ...error, details: { suggestion: '/api/setting' } } },
    })
  })

  it('ignores the locale of a type without locales, and rejects an unknown locale otherwise', async () => {
    const entry = { id: '#', documentId: '@dry', name: 'dry' }
    expect(await make('dry', 'POST', '/tags?locale=xx&fields=name', { name: 'dry' })).to.deep.equal(
      ok(201, entry),
    )
    for (const [method, path] of [
      ['POST', '/articles?locale=xx'],
      ['PUT', `/articles/${ids['rain']}?locale=xx`],
      ['PUT', '/homepage?locale=xx'],
    ] as const)
      expect(await send(method, path, {})).to.deep.equal(
        badRequest('The locale "xx" is not configured'),
      )
  })

  it('stores nothing if its query is invalid', async () => {
    const count = async () =>
      magazine.app.quire.services.db.collection('tags.draft').countDocuments({})
    const before = await count()
    for (const query of ['fields=nope', 'populate=nope', 'status=foo', 'status=', 'foo=1'])
      expect(await send('POST', `/tags?${query}`, { name: 'dry' })).to.include({ status: 400 })
    expect(await count()).to.equal(before)
  })

  it('connects a draft, which is shown once it is published', async () => {
    const query = '?fields=title&populate[related][fields]=title'
    const related = [ids['fog'], ids['snow']]
    const [fog, snow] = ['Fog', 'Snow'].map((title) => ({
      ...{ id: '#', documentId: `@${title.toLowerCase()}`, title },
    }))
    const shown = (status: number, related: unknown) =>
      ok(status, { id: '#', documentId: '@hail', title: 'Hail', related })
    expect(
      await make('hail', 'POST', `/articles${query}`, { title: 'Hail', related }),
    ).to.deep.equal(shown(201, [snow]))
    const path = `/articles/${ids['hail']}${query}`
    expect(await send('GET', `${path}&status=draft`)).to.deep.equal(shown(200, [fog, snow]))
    await send('POST', `/articles/${ids['fog']}/actions/publish`)
    expect(await send('GET', path)).to.deep.equal(shown(200, [fog, snow]))
    await send('POST', `/articles/${ids['fog']}/actions/unpublish`)
    expect(await send('GET', path)).to.deep.equal(shown(200, [snow]))
  })

  it('returns 204 for a delete, even if the document does not exist', async () => {
    const path = `/articles/${ids['rain']}`
    expect(await send('DELETE', `${path}?status=draft`)).to.deep.equal(
      badRequest('Cannot delete a draft document'),
    )
    for (const missing of [path, path, `${path}?locale=xx`, '/articles/1', '/articles/none'])
      expect(await send('DELETE', missing), missing).to.deep.equal({ status: 204, body: undefined })
    expect(await send('GET', path)).to.deep.equal(missing)
    expect(await send('GET', `${path}?locale=fr`)).to.include({ status: 200 })
    expect(await send('DELETE', `${path}?locale=*`)).to.include({ status: 204 })
    expect(await send('GET', `${path}?locale=fr`)).to.deep.equal(missing)
  })
})
